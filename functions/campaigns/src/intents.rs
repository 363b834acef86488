//! `getIntents`: the outcome of a create request (D17 in docs/decisions.md).

use shared::domain::{CustomerId, Intent};
use shared::envelope::Reply;
use shared::envelope::query::reject_unknown_params;
use shared::error::Error;
use shared::serve::{ApiRequest, Call};
use uuid::Uuid;

/// The id of a create request, and its intents.
pub(crate) type RequestIntents = Result<(Uuid, Vec<Intent>), Error>;

/// Reports the outcome of a create. A retry under an `Idempotency-Key` reports the intents of the first request.
pub(crate) async fn intents(call: &Call, prefetched: RequestIntents) -> Result<Reply, Error> {
    reject_unknown_params(&call.request.query, &[])?;
    let (request_id, mut intents) = prefetched?;
    let store = call.store();
    let customer = call.customer.id;
    if intents.is_empty()
        && let Some(first) = store.first_request(customer, request_id).await?
    {
        intents = store.intents(customer, first, call.request.now).await?;
    }
    if intents.is_empty() { Err(not_found()) } else { Ok(Reply::Intents { request_id, intents }) }
}

/// Reads the intents of the request itself, during authentication.
pub(crate) async fn prefetch(request: &ApiRequest, customer: CustomerId) -> RequestIntents {
    let request_id = request.parameter.parse().map_err(|_| not_found())?;
    Ok((request_id, request.app.store.intents(customer, request_id, request.now).await?))
}

fn not_found() -> Error {
    Error::not_found("create request")
}
