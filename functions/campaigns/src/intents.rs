//! `GET /v1/campaigns/intents/{request_id}`: what became of the creates of a request (D17 in the README).

use shared::envelope::Reply;
use shared::envelope::query::refuse_strangers;
use shared::error::Error;
use shared::serve::Call;
use uuid::Uuid;

/// Reads what is known. A retry under an `Idempotency-Key` wants what the first request wanted.
pub(crate) async fn intents(call: &Call) -> Result<Reply, Error> {
    refuse_strangers(&call.public.query, &[])?;
    let not_found = || Error::not_found("create request");
    let request_id: Uuid = call.public.parameter.parse().map_err(|_| not_found())?;
    let (store, customer, now) = (call.store(), call.customer.id, call.public.now);
    let mut intents = store.intents(customer, request_id, now).await?;
    if intents.is_empty()
        && let Some(first) = store.retried(customer, request_id).await?
    {
        intents = store.intents(customer, first, now).await?;
    }
    if intents.is_empty() { Err(not_found()) } else { Ok(Reply::Intents { request_id, intents }) }
}
