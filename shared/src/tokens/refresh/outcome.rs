//! The outcome of a refresh: new tokens, an ended grant, or a failure.

use super::{MAX_POLL_INTERVAL, MIN_POLL_INTERVAL, Refresh, refresh_timed_out};
use crate::domain::{CustomerConnections, Grant};
use crate::error::{Error, Kind};
use crate::outbound::Failure;
use crate::platforms::errors::token_expired;
use crate::platforms::oauth::Tokens;
use crate::store::Lease;
use crate::tokens::PlatformContext;
use crate::tokens::connection_state::{ConnectionState, reason_of, store_state};
use crate::tokens::seal::seal_tokens;
use jiff::{SignedDuration, Timestamp};
use tokio::time::{Instant, sleep};

/// A connection with an expired token becomes ERROR after this many consecutive failures; fewer may be a short outage
/// of the platform.
const MAX_FAILURES: u32 = 3;
/// Delay before maintenance retries after a first failure. It doubles with each further failure.
const MIN_RETRY_DELAY: SignedDuration = SignedDuration::from_mins(1);
/// Upper bound of that delay.
const MAX_RETRY_DELAY: SignedDuration = SignedDuration::from_hours(1);

impl Refresh {
    /// Stores new tokens before they are used, with retries until the lease ends: tokens that are not stored are lost.
    /// Tokens that cannot be sealed are a failed refresh: the grant keeps the current ones.
    pub(super) async fn store_tokens(&self, tokens: &Tokens, since: Timestamp, lease: Lease) -> Result<Grant, Error> {
        let app = &self.app;
        let customer = self.customer;
        let fresh = match seal_tokens(app, customer, &self.grant, tokens, since).await {
            Ok(fresh) => fresh,
            Err(error) => {
                self.log_unsealed(&error);
                self.record_failure(&error, lease).await;
                return Err(error);
            }
        };
        let mut interval = MIN_POLL_INTERVAL;
        loop {
            match app.store.store_refreshed(customer, &fresh, lease).await {
                Ok(true) => break,
                Ok(false) => return self.superseded(tokens).await,
                Err(error) => {
                    tracing::error!(grant = %fresh.id.0, %error, source = error.source, "storing new tokens failed");
                    if app.clock.now() > lease.until {
                        return Err(error);
                    }
                }
            }
            sleep(interval).await;
            interval = MAX_POLL_INTERVAL.min(interval * 2);
        }
        // The failures are kept until every connection is ACTIVE: the process may end in between.
        if lease.failures > 0
            && self.set_connections(&ConnectionState::active()).await
            && let Err(error) = app.store.reset_failures(customer, &fresh.id, lease).await
        {
            tracing::warn!(grant = %fresh.id.0, %error, source = error.source, "resetting the failure count failed");
        }
        Ok(fresh)
    }

    fn log_unsealed(&self, error: &Error) {
        let grant = &self.grant.id.0;
        let platform = self.grant.platform.as_str();
        let source = error.source.as_ref();
        if self.policy().rotates() {
            let consequence =
                "if the platform refuses the current refresh token, its connections need a new authorization";
            tracing::error!(grant, platform, %error, source, consequence, "sealing rotated tokens failed; they are lost");
        } else {
            tracing::error!(grant, platform, %error, source, "sealing new tokens failed; the current ones stay");
        }
    }

    /// The lease ended before the new tokens were stored. Either another process refreshed the grant, or the grant was
    /// deleted; then the new tokens are revoked as well.
    async fn superseded(&self, tokens: &Tokens) -> Result<Grant, Error> {
        if let Some(current) = self.app.store.grant(self.customer, &self.grant.id).await? {
            return Ok(current);
        }
        let connected = CustomerConnections::default();
        let now = self.app.clock.now();
        let deadline = Instant::now() + self.policy().call_timeout;
        let (app, outbound) = (&self.app, &self.outbound);
        let context = PlatformContext { app, outbound, customer: self.customer, connected: &connected, now, deadline };
        context.revoke_grant(self.grant.platform, tokens).await;
        Err(token_expired(self.grant.platform))
    }

    /// The platform reports that the grant has ended. The report counts only if no other process has leased the grant
    /// since: otherwise it may refer to tokens that have been replaced.
    pub(super) async fn end_grant(&self, error: Error, lease: Lease) -> Result<Grant, Error> {
        let store = &self.app.store;
        let customer = self.customer;
        let id = &self.grant.id;
        // Due since the second before, so that the mark can be cleared in this second.
        let due_at = self.app.clock.now() - SignedDuration::from_secs(1);
        if !store.end_grant(customer, id, lease, due_at).await? {
            let current = store.grant(customer, id).await?.ok_or_else(|| token_expired(self.grant.platform))?;
            let is_newer = current.version != self.grant.version;
            return if is_newer { Ok(current) } else { Err(refresh_timed_out(self.grant.platform)) };
        }
        // The grant is due for maintenance until every connection is REVOKED, or, without connections, until
        // maintenance deletes it: the process may end in between.
        let seen = self.app.clock.now();
        if self.set_connections(&ConnectionState::revoked(reason_of(&error))).await {
            store.clear_grant_due(customer, id, seen).await?;
        }
        Err(error)
    }

    /// Counts a failure. Releases the lease if a new attempt is safe: the call has certainly ended, or the refresh
    /// token does not rotate. Otherwise the next attempt waits until the lease expires. A further failure before
    /// `retry_at` belongs to the same outage and is not counted again.
    pub(super) async fn record_failure(&self, error: &Error, lease: Lease) {
        let store = &self.app.store;
        let grant = &self.grant;
        let now = self.app.clock.now();
        let is_retry_safe = !self.policy().rotates() || has_ended(error);
        let is_already_counted = grant.retry_at.is_some_and(|at| at > now);
        let stored = if is_already_counted && is_retry_safe {
            store.release_lease(self.customer, &grant.id, lease).await
        } else {
            let retry_at = now + MAX_RETRY_DELAY.min(MIN_RETRY_DELAY * (1 << lease.failures.min(10)));
            let retry_at = if is_retry_safe { retry_at } else { lease.until.max(retry_at) };
            // Whole seconds, as in the index: maintenance must not find the grant before `retry_at`, because it would
            // neither count another failure nor set a time for the next attempt.
            let retry_at = retry_at - SignedDuration::from_nanos(i64::from(retry_at.subsec_nanosecond()));
            store.record_refresh_failure(self.customer, &grant.id, lease, is_retry_safe, retry_at).await
        };
        if let Err(error) = stored {
            tracing::warn!(grant = %grant.id.0, %error, source = error.source, "counting a failed refresh failed");
        }
        let failures = lease.failures.saturating_add(u32::from(!is_already_counted));
        let is_expired = grant.access_expires_at <= now;
        if is_expired && (error.kind == Kind::Forbidden || failures >= MAX_FAILURES) {
            self.set_connections(&ConnectionState::error(reason_of(error))).await;
        }
    }

    /// Stores the state of every connection of the grant; `true` if there is at least one and all writes succeeded.
    async fn set_connections(&self, state: &ConnectionState) -> bool {
        let outcome = async {
            let now = self.app.clock.now();
            let connected = self.app.store.customer_connections(self.customer, now).await?;
            let mut opened = connected.using_grant(&self.grant.id).peekable();
            let has_connections = opened.peek().is_some();
            store_state(&self.app.store, self.customer, opened, state, now).await?;
            Ok(has_connections)
        };
        outcome.await.unwrap_or_else(|error: Error| {
            tracing::warn!(grant = %self.grant.id.0, %error, source = error.source, "storing a connection's state failed");
            false
        })
    }
}

/// Whether a failed call has certainly ended: it was not sent, or the platform responded.
fn has_ended(error: &Error) -> bool {
    let failure = error.source.as_ref().and_then(|source| source.downcast_ref::<Failure>());
    !matches!(failure, Some(Failure::TimedOut | Failure::Broken))
}
