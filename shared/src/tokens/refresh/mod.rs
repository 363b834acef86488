//! Refreshes a grant. A lease makes sure that one process does it, however many ask; a separate task makes sure that it
//! finishes.

mod outcome;

use super::PlatformContext;
use super::seal::{Field, open};
use crate::app::App;
use crate::domain::{CustomerId, Grant, Platform};
use crate::error::{Error, Kind};
use crate::outbound::Outbound;
use crate::platforms::config::PlatformConfig;
use crate::platforms::errors::token_expired;
use crate::platforms::oauth::{RefreshPolicy, Tokens};
use crate::platforms::{AdPlatform, CallContext};
use crate::request_context::inherit;
use crate::store::{Lease, LeaseAttempt};
use jiff::{SignedDuration, Timestamp};
use std::sync::Arc;
use std::time::Duration;
use tokio::time::{Instant, sleep, timeout_at};

/// First wait between two checks for another process's refresh. It doubles each time.
const MIN_POLL_INTERVAL: Duration = Duration::from_millis(100);
/// Upper bound of that wait.
const MAX_POLL_INTERVAL: Duration = Duration::from_secs(1);

/// A refresh of one grant. It owns its data because it outlives the request that starts it.
pub(super) struct Refresh {
    app: Arc<App>,
    customer: CustomerId,
    adapter: &'static dyn AdPlatform,
    outbound: Outbound,
    config: Arc<PlatformConfig>,
    grant: Grant,
}

impl Refresh {
    pub(super) fn new(
        context: &PlatformContext<'_>,
        adapter: &'static dyn AdPlatform,
        call: &CallContext,
        grant: Grant,
    ) -> Refresh {
        let CallContext { outbound, config, .. } = call.clone();
        Refresh { app: Arc::clone(context.app), customer: context.customer, adapter, outbound, config, grant }
    }

    /// Returns the grant with a fresh token, or with its current token if that is still valid while another process
    /// refreshes it.
    ///
    /// The task runs to completion even if the caller is dropped or reaches its deadline: losing a rotated token would
    /// end the connection.
    pub(super) async fn run_until(self, deadline: Instant) -> Result<Grant, Error> {
        let platform = self.grant.platform;
        let task = tokio::spawn(inherit(self.lease_and_refresh(deadline)));
        timeout_at(deadline, task).await.map_err(|_| refresh_timed_out(platform))?.map_err(Error::internal)?
    }

    /// Like `run_until`, but waits for this process's own refresh without a limit. `deadline` limits the wait for
    /// another process's lease.
    pub(super) async fn run_to_completion(self, deadline: Instant) -> Result<Grant, Error> {
        tokio::spawn(inherit(self.lease_and_refresh(deadline))).await.map_err(Error::internal)?
    }

    async fn lease_and_refresh(self, deadline: Instant) -> Result<Grant, Error> {
        let grant = &self.grant;
        let store = &self.app.store;
        let lease = signed(self.policy().lease)?;
        let mut interval = MIN_POLL_INTERVAL;
        loop {
            let now = self.app.clock.now();
            match store.lease_grant(self.customer, grant, now, now + lease).await? {
                LeaseAttempt::Acquired(lease) => return self.refresh(lease).await,
                LeaseAttempt::AlreadyRefreshed(current) => return Ok(current),
                LeaseAttempt::GrantEnded => return Err(token_expired(grant.platform)),
                // The current token is still valid.
                LeaseAttempt::Held if grant.access_expires_at > now => return Ok(grant.clone()),
                LeaseAttempt::Held => {
                    let wait = timeout_at(deadline, sleep(interval)).await;
                    wait.map_err(|_| refresh_timed_out(grant.platform))?;
                }
            }
            interval = MAX_POLL_INTERVAL.min(interval * 2);
        }
    }

    async fn refresh(&self, lease: Lease) -> Result<Grant, Error> {
        let since = self.app.clock.now();
        // The process may have been suspended while it acquired the lease. If too little of the lease is left for the
        // call, another process could refresh at the same time.
        if since + signed(self.policy().call_timeout)? > lease.until {
            return Err(refresh_timed_out(self.grant.platform));
        }
        match self.send(since).await {
            Ok(tokens) => self.store_tokens(&tokens, since, lease).await,
            Err(error) if error.kind == Kind::TokenExpired => self.end_grant(error, lease).await,
            Err(error) => {
                self.record_failure(&error, lease).await;
                Err(error)
            }
        }
    }

    async fn send(&self, now: Timestamp) -> Result<Tokens, Error> {
        let refresh_token = open(&self.app, self.customer, &self.grant, Field::Refresh).await?;
        let refresh_token = refresh_token.ok_or_else(|| token_expired(self.grant.platform))?;
        self.adapter.refresh(&self.call(now), &refresh_token).await
    }

    fn policy(&self) -> &'static RefreshPolicy {
        &self.adapter.facts().refresh_policy
    }

    /// A refresh has its own time limit, set by the platform's policy and not by the caller's deadline.
    fn call(&self, now: Timestamp) -> CallContext {
        let deadline = Instant::now() + self.policy().call_timeout;
        CallContext { outbound: self.outbound.clone(), config: Arc::clone(&self.config), deadline, now }
    }
}

fn refresh_timed_out(platform: Platform) -> Error {
    let message = "The connection's access token is still being refreshed; try again.";
    Error::new(Kind::PlatformTimeout, message).on(platform).retryable()
}

fn signed(duration: Duration) -> Result<SignedDuration, Error> {
    SignedDuration::try_from(duration).map_err(Error::internal)
}
