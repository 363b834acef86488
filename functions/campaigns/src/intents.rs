//! `GET /v1/campaigns/intents/{request_id}`: what became of the creates of a request (D17 in the README).

use shared::domain::{CustomerId, Intent};
use shared::envelope::Reply;
use shared::envelope::query::reject_unknown_params;
use shared::error::Error;
use shared::serve::{ApiRequest, Call};
use std::sync::Arc;
use uuid::Uuid;

/// What the paths begin with that lead here.
pub(crate) const PATH: &str = "/v1/campaigns/intents/";

/// A create request, and what it wants.
pub(crate) type Found = Result<(Uuid, Vec<Intent>), Error>;

/// Tells what is known. A retry under an `Idempotency-Key` wants what the first request wanted.
pub(crate) async fn intents(call: &Call, found: Found) -> Result<Reply, Error> {
    reject_unknown_params(&call.request.query, &[])?;
    let (request_id, mut intents) = found?;
    let (store, customer) = (call.store(), call.customer.id);
    if intents.is_empty()
        && let Some(first) = store.first_request(customer, request_id).await?
    {
        intents = store.intents(customer, first, call.request.now).await?;
    }
    if intents.is_empty() { Err(not_found()) } else { Ok(Reply::Intents { request_id, intents }) }
}

/// Reads what the request itself wants, while the key is checked.
pub(crate) fn read(call: &ApiRequest, customer: CustomerId) -> impl Future<Output = Found> + use<> {
    let (app, now, parameter) = (Arc::clone(&call.app), call.now, call.parameter.clone());
    async move {
        let request_id = parameter.parse().map_err(|_| not_found())?;
        Ok((request_id, app.store.intents(customer, request_id, now).await?))
    }
}

fn not_found() -> Error {
    Error::not_found("create request")
}
