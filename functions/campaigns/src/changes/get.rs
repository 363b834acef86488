//! `getChange`.

use shared::domain::{Change, ChangeId, CustomerId};
use shared::envelope::Reply;
use shared::envelope::query::reject_unknown_params;
use shared::error::Error;
use shared::serve::{ApiRequest, Call};

/// Reads a change of the customer; 404 in every other case.
pub(crate) async fn get(call: &Call, prefetched: Result<Change, Error>) -> Result<Reply, Error> {
    reject_unknown_params(&call.request.query, &[])?;
    let change = prefetched?;
    if call.sees(&change.connection) { Ok(Reply::Change(Box::new(change))) } else { Err(not_found()) }
}

/// Reads the change during authentication.
pub(crate) async fn prefetch(request: &ApiRequest, customer: CustomerId) -> Result<Change, Error> {
    let id = ChangeId::parse(&request.parameter).ok_or_else(not_found)?;
    let change = request.app.store.change(customer, id).await?;
    change.filter(|change| change.expires_at > request.now).ok_or_else(not_found)
}

fn not_found() -> Error {
    Error::not_found("change")
}
