//! The governor: an ad account that its platform wants left alone is left alone, by every process, because the pause
//! stands in the connection's record, which every request reads anyway.

use super::PlatformContext;
use crate::domain::Connection;
use crate::error::{Error, Kind};
use crate::outbound::HeaderRecorder;
use crate::platforms::{AdPlatform, CallContext, Session, answers};
use jiff::SignedDuration;
use std::time::Duration;

/// A shorter pause is over before the next request of a customer would read of it.
const SHORTEST: Duration = Duration::from_secs(2);
/// A longer one is asked about again by one request an hour. Some platforms say "until midnight" when the limit of one
/// kind of call is used up; were that believed of the whole account, a campaign could not be stopped for a day.
const LONGEST: Duration = Duration::from_secs(3_600);

impl PlatformContext<'_> {
    /// Refuses a call in an ad account that is to be left alone: nothing is sent.
    pub(crate) fn is_not_paused(&self, connection: &Connection) -> Result<(), Error> {
        let left = connection.paused_until.map_or(SignedDuration::ZERO, |until| until.duration_since(self.now));
        match Duration::try_from(left) {
            Ok(left) if !left.is_zero() => Err(answers::throttled(connection.platform, left)),
            _ => Ok(()),
        }
    }

    /// Runs one piece of work in an ad account, sparing its platform, and keeps the pause that any answer asked for.
    pub(super) async fn governed<T, F>(
        &self,
        connection: &Connection,
        adapter: &'static dyn AdPlatform,
        session: Session,
        work: &impl Fn(&'static dyn AdPlatform, Session) -> F,
    ) -> Result<T, Error>
    where
        F: Future<Output = Result<T, Error>>,
    {
        let (config, recorder) = (session.call.config.clone(), HeaderRecorder::default());
        let outbound = session.call.outbound.with_call_policy(&config.breaker, adapter.is_broken()).with_recorder(&recorder);
        let outcome = work(adapter, Session { call: CallContext { outbound, ..session.call }, ..session }).await;
        let now = self.app.clock.now();
        let asked = recorder.take().iter().filter_map(|headers| adapter.requested_pause(headers, now)).max();
        let throttled = outcome.as_ref().err().filter(|error| error.kind == Kind::RateLimited);
        let wait = asked.max(throttled.and_then(|error| error.retry_after));
        if let Some(wait) = wait.filter(|wait| *wait >= SHORTEST) {
            self.pause(connection, wait.min(LONGEST)).await;
        }
        outcome.map_err(|error| with_wait(error, asked.or_else(|| config.breaker.open_for())))
    }

    /// Only for the sake of later requests: a failure to keep it does not change the outcome of this one.
    async fn pause(&self, connection: &Connection, wait: Duration) {
        let until = self.app.clock.now() + wait;
        if connection.paused_until.is_some_and(|known| known >= until) {
            return;
        }
        tracing::info!(connection = %connection.id, %until, "the platform wants the ad account left alone");
        if let Err(error) = self.app.store.pause_connection(self.customer, connection, until).await {
            tracing::warn!(connection = %connection.id, %error, source = error.source, "a pause was not kept");
        }
    }
}

/// When to try again, where the failure itself does not say.
fn with_wait(error: Error, wait: Option<Duration>) -> Error {
    let is_open = error.retryable && error.retry_after.is_none();
    match wait {
        Some(wait) if is_open && matches!(error.kind, Kind::PlatformFailed | Kind::PlatformTimeout) => {
            error.retry_after(wait)
        }
        _ => error,
    }
}
