//! Refreshing a grant exactly once, whoever asks and in however many processes: under a lease, in a task of its own.

use super::connection_state::{Finding, keep_for_all};
use super::seal::{Field, open, seal_tokens};
use super::{PlatformContext, grant_revoked, reason_of};
use crate::app::App;
use crate::domain::{ConnectionStatus, CustomerConnections, CustomerId, Grant, Platform};
use crate::error::{Error, Kind};
use crate::outbound::{Failure, Outbound};
use crate::platforms::config::PlatformConfig;
use crate::platforms::oauth::{RefreshPolicy, Tokens};
use crate::platforms::{AdPlatform, CallContext};
use crate::request_context::inherit;
use crate::store::{Lease, LeaseAttempt};
use jiff::{SignedDuration, Timestamp};
use std::sync::Arc;
use std::time::Duration;
use tokio::time::{Instant, sleep, timeout_at};

/// How soon a request looks again whether another one has finished refreshing; twice as long each time.
const FIRST_POLL: Duration = Duration::from_millis(100);
/// And at least this often.
const LAST_POLL: Duration = Duration::from_secs(1);
/// A connection whose token has run out is in ERROR after this many refreshes that failed in a row: one or two may be
/// the platform's bad minute.
const TOLERATED_FAILURES: u32 = 3;
/// How long maintenance waits after a first failure; twice as long after each further one.
const FIRST_RETRY: SignedDuration = SignedDuration::from_mins(1);
/// And no longer than this.
const LAST_RETRY: SignedDuration = SignedDuration::from_hours(1);

/// Everything that a refresh needs, owned: it goes on when the request that asked for it does not.
pub(super) struct Refresh {
    pub(super) app: Arc<App>,
    pub(super) customer: CustomerId,
    pub(super) adapter: &'static dyn AdPlatform,
    pub(super) outbound: Outbound,
    pub(super) config: Arc<PlatformConfig>,
    pub(super) grant: Grant,
}

impl Refresh {
    /// The grant with a fresh token, or with the one it has while that lives and somebody else is at it.
    ///
    /// The work runs to its end even if the caller goes away or its time is up: an answer with a rotated token that
    /// nobody keeps would be the end of the connection.
    pub(super) async fn run(self, deadline: Instant) -> Result<Grant, Error> {
        let platform = self.grant.platform;
        let task = tokio::spawn(inherit(self.lease_and_refresh(deadline)));
        timeout_at(deadline, task).await.map_err(|_| takes_too_long(platform))?.map_err(Error::internal)?
    }

    /// The same for a caller who has the time: once the lease is ours it is seen to its end, however long that takes.
    /// `deadline` is for the wait for somebody else's.
    pub(super) async fn run_to_its_end(self, deadline: Instant) -> Result<Grant, Error> {
        tokio::spawn(inherit(self.lease_and_refresh(deadline))).await.map_err(Error::internal)?
    }

    async fn lease_and_refresh(self, deadline: Instant) -> Result<Grant, Error> {
        let (grant, store) = (&self.grant, &self.app.store);
        let lease = signed(self.policy().lease)?;
        let mut poll = FIRST_POLL;
        loop {
            let now = self.app.clock.now();
            match store.lease_grant(self.customer, grant, now, now + lease).await? {
                LeaseAttempt::Acquired(lease) => return self.refresh(lease).await,
                LeaseAttempt::AlreadyRefreshed(current) => return Ok(current),
                LeaseAttempt::GrantEnded => return Err(grant_revoked(grant.platform)),
                // What we have still works.
                LeaseAttempt::Held if grant.access_expires_at > now => return Ok(grant.clone()),
                LeaseAttempt::Held => {
                    timeout_at(deadline, sleep(poll)).await.map_err(|_| takes_too_long(grant.platform))?
                }
            }
            poll = LAST_POLL.min(poll * 2);
        }
    }

    async fn refresh(&self, lease: Lease) -> Result<Grant, Error> {
        let since = self.app.clock.now();
        // A process may have been frozen between asking for its lease and getting it: then the lease may end, and another
        // begin, while its call is under way.
        if since + signed(self.policy().call_timeout)? > lease.until {
            return Err(takes_too_long(self.grant.platform));
        }
        match self.ask(since).await {
            Ok(tokens) => self.keep(&tokens, since, lease).await,
            Err(error) if error.kind == Kind::TokenExpired => self.end(error, lease).await,
            Err(error) => {
                self.fail(&error, lease).await;
                Err(error)
            }
        }
    }

    async fn ask(&self, now: Timestamp) -> Result<Tokens, Error> {
        let refresh_token = open(&self.app, self.customer, &self.grant, Field::Refresh).await?;
        let refresh_token = refresh_token.ok_or_else(|| grant_revoked(self.grant.platform))?;
        self.adapter.refresh(&self.call(now), &refresh_token).await
    }

    /// Stores new tokens before anybody uses them, with patience: what is not kept is lost with the answer.
    async fn keep(&self, tokens: &Tokens, since: Timestamp, lease: Lease) -> Result<Grant, Error> {
        let (app, customer) = (&self.app, self.customer);
        let fresh = seal_tokens(app, customer, &self.grant, tokens, since).await?;
        let mut pause = FIRST_POLL;
        loop {
            match app.store.store_refreshed(customer, &fresh, lease).await {
                Ok(true) => break,
                Ok(false) => return self.overtaken(tokens).await,
                Err(error) => {
                    tracing::error!(grant = %fresh.id.0, %error, source = error.source, "new tokens were not kept yet");
                    if app.clock.now() > lease.until {
                        return Err(error);
                    }
                }
            }
            sleep(pause).await;
            pause = LAST_POLL.min(pause * 2);
        }
        // Remembered until everybody has been told, should the process end in between.
        if lease.failures > 0
            && self.tell_all(&Finding::new(ConnectionStatus::Active, None)).await == Told::All
            && let Err(error) = app.store.reset_failures(customer, &fresh.id, lease).await
        {
            tracing::warn!(grant = %fresh.id.0, %error, source = error.source, "failures were not forgotten");
        }
        Ok(fresh)
    }

    /// Our lease was over before the new tokens were stored: somebody else refreshed, or the grant was removed. Then
    /// the new tokens must not outlive it.
    async fn overtaken(&self, tokens: &Tokens) -> Result<Grant, Error> {
        if let Some(current) = self.app.store.grant(self.customer, &self.grant.id).await? {
            return Ok(current);
        }
        let (connected, now, deadline) =
            (CustomerConnections::default(), self.app.clock.now(), Instant::now() + self.policy().call_timeout);
        let (app, outbound) = (&self.app, &self.outbound);
        let context = PlatformContext { app, outbound, customer: self.customer, connected: &connected, now, deadline };
        context.revoke_grant(self.grant.platform, tokens).await;
        Err(grant_revoked(self.grant.platform))
    }

    /// The platform says that the grant has ended. That is believed only when nobody has had a lease since: else it
    /// spoke of tokens that are not the ones in the record.
    async fn end(&self, error: Error, lease: Lease) -> Result<Grant, Error> {
        let (store, customer, id) = (&self.app.store, self.customer, &self.grant.id);
        if !store.end_grant(customer, id, lease).await? {
            let current = store.grant(customer, id).await?.ok_or_else(|| grant_revoked(self.grant.platform))?;
            let is_newer = current.version != self.grant.version;
            return if is_newer { Ok(current) } else { Err(takes_too_long(self.grant.platform)) };
        }
        // Maintenance finds the grant until this has been said, should the process end in between; and when there is nobody
        // to say it to, until it has been cleared away.
        let seen = self.app.clock.now();
        if self.tell_all(&Finding::new(ConnectionStatus::Revoked, Some(reason_of(&error)))).await == Told::All {
            store.clear_grant_due(customer, id, seen).await?;
        }
        Err(error)
    }

    /// Counts a failure, and lets the next one try: at once where the call is over or may be repeated, else when the
    /// lease ends. Failures within the pause after an earlier one are the same trouble and count once.
    async fn fail(&self, error: &Error, lease: Lease) {
        let (store, grant, now) = (&self.app.store, &self.grant, self.app.clock.now());
        let is_over = !self.policy().rotates || is_answered(error);
        let is_same_trouble = grant.retry_at.is_some_and(|at| at > now);
        let kept = if is_same_trouble && is_over {
            store.release_lease(self.customer, &grant.id, lease).await
        } else {
            let retry_at = now + LAST_RETRY.min(FIRST_RETRY * (1 << lease.failures.min(10)));
            let retry_at = if is_over { retry_at } else { lease.until.max(retry_at) };
            store.record_refresh_failure(self.customer, &grant.id, lease, is_over, retry_at).await
        };
        if let Err(error) = kept {
            tracing::warn!(grant = %grant.id.0, %error, source = error.source, "a failed refresh was not counted");
        }
        let failures = lease.failures.saturating_add(u32::from(!is_same_trouble));
        let is_dead = grant.access_expires_at <= now;
        if is_dead && (error.kind == Kind::Forbidden || failures >= TOLERATED_FAILURES) {
            self.tell_all(&Finding::new(ConnectionStatus::Error, Some(reason_of(error)))).await;
        }
    }

    /// Tells all connections of the grant.
    async fn tell_all(&self, finding: &Finding) -> Told {
        let store = &self.app.store;
        let told = async {
            let connected = store.customer_connections(self.customer, self.app.clock.now()).await?;
            let mut opened = connected.using_grant(&self.grant.id).peekable();
            let told = if opened.peek().is_some() { Told::All } else { Told::Nobody };
            keep_for_all(store, self.customer, opened, finding).await.map(|()| told)
        };
        told.await.unwrap_or_else(|error: Error| {
            tracing::warn!(grant = %self.grant.id.0, %error, source = error.source, "a connection's state was not kept");
            Told::NotAll
        })
    }

    fn policy(&self) -> &'static RefreshPolicy {
        self.adapter.refresh_policy()
    }

    /// The platform, with the time that a refresh may take there, whatever time the caller has.
    fn call(&self, now: Timestamp) -> CallContext {
        let deadline = Instant::now() + self.policy().call_timeout;
        CallContext { outbound: self.outbound.clone(), config: Arc::clone(&self.config), deadline, now }
    }
}

/// Who was told of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Told {
    /// Every connection of the grant.
    All,
    /// There is no connection of the grant any more.
    Nobody,
    /// The store failed on the way.
    NotAll,
}

/// Whether a call that failed is known to be over: it never left, or there was an answer.
fn is_answered(error: &Error) -> bool {
    let failure = error.source.as_ref().and_then(|source| source.downcast_ref::<Failure>());
    !matches!(failure, Some(Failure::TimedOut | Failure::Broken))
}

fn takes_too_long(platform: Platform) -> Error {
    let message = "The connection's token is being refreshed and that takes too long; try again.";
    Error::new(Kind::PlatformTimeout, message).on(platform).retryable()
}

fn signed(duration: Duration) -> Result<SignedDuration, Error> {
    SignedDuration::try_from(duration).map_err(Error::internal)
}
