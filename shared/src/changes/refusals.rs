//! Counts what the spending limit of a key refuses, so that an event tells it.

use super::limited::key_of;
use crate::app::App;
use crate::domain::{Change, KeyId, LimitRefusal, Occurrence};
use crate::error::Error;

/// Counts the refusal of a change, if its outcome is one. A failure to count it does not change the outcome.
pub(super) async fn count_refusal_of<T>(app: &App, change: &Change, outcome: &Result<T, Error>) {
    let refusal = outcome.as_ref().err().and_then(|error| error.limit.as_deref());
    if let (Some(refusal), Some(key)) = (refusal, key_of(change)) {
        let occurrence = Occurrence { customer: change.customer, request: Some(change.request), at: app.clock.now() };
        count_refusal(app, key, refusal, occurrence).await;
    }
}

/// Counts a refusal by a limit of a key. A failure is logged.
pub async fn count_refusal(app: &App, key: &KeyId, refusal: &LimitRefusal, occurrence: Occurrence) {
    if let Err(error) = app.store.count_refusal(key, refusal, occurrence).await {
        let customer = occurrence.customer;
        tracing::warn!(%customer, %key, %error, source = error.source, "a refusal by a limit was not counted");
    }
}
