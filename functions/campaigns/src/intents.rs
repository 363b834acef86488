//! `GET /v1/campaigns/intents/{request_id}`: what became of the creates of a request (D17 in the README).

use jiff::Timestamp;
use shared::domain::{CustomerId, Intent};
use shared::envelope::Reply;
use shared::envelope::query::refuse_strangers;
use shared::error::Error;
use shared::serve::{Call, PublicCall};
use shared::store::Store;
use std::sync::Arc;
use uuid::Uuid;

/// What the paths begin with that lead here.
pub(crate) const PATH: &str = "/v1/campaigns/intents/";

/// A create request, and what it wants.
pub(crate) type Found = Result<(Uuid, Vec<Intent>), Error>;

/// Tells what is known.
pub(crate) fn intents(call: &Call, found: Found) -> Result<Reply, Error> {
    refuse_strangers(&call.public.query, &[])?;
    found.map(|(request_id, intents)| Reply::Intents { request_id, intents })
}

/// Reads it, while the key is checked.
pub(crate) fn read(call: &PublicCall, customer: CustomerId) -> impl Future<Output = Found> + use<> {
    let (app, now, parameter) = (Arc::clone(&call.app), call.now, call.parameter.clone());
    async move { find(&app.store, customer, &parameter, now).await }
}

/// A retry under an `Idempotency-Key` wants what the first request wanted.
async fn find(store: &Store, customer: CustomerId, parameter: &str, now: Timestamp) -> Found {
    let not_found = || Error::not_found("create request");
    let request_id: Uuid = parameter.parse().map_err(|_| not_found())?;
    let mut intents = store.intents(customer, request_id, now).await?;
    if intents.is_empty()
        && let Some(first) = store.retried(customer, request_id).await?
    {
        intents = store.intents(customer, first, now).await?;
    }
    if intents.is_empty() { Err(not_found()) } else { Ok((request_id, intents)) }
}
