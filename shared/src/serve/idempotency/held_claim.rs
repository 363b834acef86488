//! The claim that a request holds on its `Idempotency-Key`, and its release with the response.

use crate::app::App;
use crate::domain::CustomerId;
use crate::envelope::{self, Reply};
use crate::error::{Error, Kind};
use jiff::Timestamp;
use lambda_http::{Body, Response};
use std::sync::OnceLock;
use std::time::Duration;
use tokio::time::timeout;
use uuid::Uuid;

/// Time limit for storing the response before it is sent.
const STORE_TIMEOUT: Duration = Duration::from_secs(1);

/// A claim on an `Idempotency-Key`.
#[derive(Debug)]
pub(in crate::serve) struct HeldClaim {
    pub(super) customer: CustomerId,
    pub(super) key: String,
    pub(super) fencing_token: i64,
    /// The first request with the key, and its time.
    pub(super) first: (Uuid, Timestamp),
}

/// The claim of a request, set by its handler. It outlives a handler that reaches the hard deadline.
pub(in crate::serve) type ClaimSlot = OnceLock<HeldClaim>;

impl HeldClaim {
    /// Stores a final response, or frees the key for a retry. A failure does not change the response.
    pub(in crate::serve) async fn release(&self, app: &App, outcome: &Result<Reply, Error>, response: &Response<Body>) {
        let HeldClaim { customer, key, fencing_token, first: _ } = self;
        let store = &app.store;
        let now = app.clock.now();
        let stored = if is_final(outcome) { envelope::to_stored(response) } else { None };
        let release = async {
            match stored {
                Some(response) => store.store_response(*customer, key, *fencing_token, &response, now).await,
                None => store.release_idempotency_key(*customer, key, *fencing_token).await,
            }
        };
        match timeout(STORE_TIMEOUT, release).await {
            Ok(Ok(true)) => {}
            Ok(Ok(false)) => tracing::warn!(%customer, "idempotency claim lost to another request before the response"),
            Ok(Err(error)) => {
                tracing::warn!(%customer, %error, source = error.source, "idempotent response not stored")
            }
            Err(_) => tracing::warn!(%customer, "idempotent response not stored in time"),
        }
    }
}

/// Whether a retry would get the same outcome: something was sent, and no result is missing or unknown.
fn is_final(outcome: &Result<Reply, Error>) -> bool {
    let is_refused = |error: &Error| error.kind == Kind::PlatformRefused && !error.unknown_outcome;
    match outcome {
        Ok(Reply::Replayed(_)) => false,
        Ok(Reply::Targets(results)) => {
            results.iter().all(|result| result.outcome.as_ref().err().is_none_or(is_refused))
        }
        Ok(_) => true,
        Err(error) => is_refused(error),
    }
}
