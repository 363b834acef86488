//! Pauses that a platform requests for an ad account. They are stored in the connection, which every request reads
//! anyway, so that every process observes them.

use super::PlatformContext;
use crate::domain::Connection;
use crate::error::{Error, Kind};
use crate::outbound::HeaderRecorder;
use crate::platforms::{AdPlatform, errors};
use jiff::{SignedDuration, Timestamp};
use std::time::Duration;

/// A shorter pause is over before the customer's next request would read it.
const MIN_PAUSE: Duration = Duration::from_secs(2);
/// Upper bound, so that one request an hour tries again. Some platforms ask for a pause until midnight when the limit
/// of a single kind of call is spent; a full day's pause would prevent stopping a campaign.
const MAX_PAUSE: Duration = Duration::from_hours(1);

/// The longest pause that the recorded responses ask for.
pub(super) fn requested_pause(adapter: &dyn AdPlatform, recorder: &HeaderRecorder, now: Timestamp) -> Option<Duration> {
    recorder.take().iter().filter_map(|headers| (adapter.facts().requested_pause)(headers, now)).max()
}

/// Adds `Retry-After` to a failure of the platform that has none.
pub(super) fn with_retry_after(error: Error, wait: Option<Duration>) -> Error {
    let has_none = error.retryable && error.retry_after.is_none();
    match wait {
        Some(wait) if has_none && matches!(error.kind, Kind::PlatformFailed | Kind::PlatformTimeout) => {
            error.retry_after(wait)
        }
        _ => error,
    }
}

impl PlatformContext<'_> {
    /// Rejects a call in an ad account that is paused: nothing is sent.
    pub(crate) fn require_not_paused(&self, connection: &Connection) -> Result<(), Error> {
        let remaining = connection.paused_until.map_or(SignedDuration::ZERO, |until| until.duration_since(self.now));
        match Duration::try_from(remaining) {
            Ok(wait) if !wait.is_zero() => Err(errors::throttled(connection.platform, wait)),
            _ => Ok(()),
        }
    }

    /// Stores the pause that the headers or the error of a call ask for.
    pub(super) async fn record_pause(
        &self,
        connection: &Connection,
        requested: Option<Duration>,
        error: Option<&Error>,
    ) {
        let throttled = error.filter(|error| error.kind == Kind::RateLimited);
        let wait = requested.max(throttled.and_then(|error| error.retry_after));
        if let Some(wait) = wait.filter(|wait| *wait >= MIN_PAUSE) {
            self.store_pause(connection, wait.min(MAX_PAUSE)).await;
        }
    }

    /// Spares later requests a rejected call. A failure to store the pause does not fail this request.
    async fn store_pause(&self, connection: &Connection, wait: Duration) {
        let until = self.app.clock.now() + wait;
        if connection.paused_until.is_some_and(|known| known >= until) {
            return;
        }
        tracing::info!(connection = %connection.id, %until, "the platform asked for a pause of the ad account");
        if let Err(error) = self.app.store.pause_connection(self.customer, connection, until).await {
            tracing::warn!(connection = %connection.id, %error, source = error.source, "storing a pause failed");
        }
    }
}
