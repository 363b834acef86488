//! `getIntents`: the outcome of a create request, which may have been unknown when it was answered (D17).

use shared::domain::{Create, CustomerId};
use shared::envelope::Reply;
use shared::envelope::query::reject_unknown_params;
use shared::error::Error;
use shared::serve::{ApiRequest, Call};
use uuid::Uuid;

/// The id of a create request, and its creates.
pub(crate) type RequestCreates = Result<(Uuid, Vec<Create>), Error>;

/// Reports the outcome of a create. A retry under an `Idempotency-Key` reports the creates of the first request.
pub(crate) async fn intents(call: &Call, prefetched: RequestCreates) -> Result<Reply, Error> {
    reject_unknown_params(&call.request.query, &[])?;
    let (request_id, creates) = prefetched?;
    let creates: Vec<Create> = call.visible(creates).collect();
    if creates.is_empty() { Err(not_found()) } else { Ok(Reply::Intents { request_id, creates }) }
}

/// Reads the creates during authentication.
pub(crate) async fn prefetch(request: &ApiRequest, customer: CustomerId) -> RequestCreates {
    let request_id = request.parameter.parse().map_err(|_| not_found())?;
    Ok((request_id, request.app.store.creates_of_request(customer, request_id, request.now).await?))
}

fn not_found() -> Error {
    Error::not_found("create request")
}
