//! Sending: a create is sent once per attempt, and only within the attempt's deadline.

use super::outcome::proven_failure;
use super::{CreateSender, Reconciliation};
use crate::changes::failure::{MIN_RETRY_AFTER, change_error};
use crate::changes::plan::prepare;
use crate::domain::{Attempt, Campaign, CampaignValues, Connection, Create};
use crate::error::{Error, Kind};
use crate::platforms::{AccountSession, CallContext, PreparedCreate};
use jiff::SignedDuration;
use tokio::time::{Duration, Instant, sleep};

/// Time between the first and the second search after an unknown outcome.
const SEARCH_DELAY: Duration = Duration::from_secs(2);
/// The second search needs at least this much time; otherwise maintenance does it.
const MIN_SEARCH_TIME: Duration = Duration::from_secs(1);

impl CreateSender<'_> {
    /// Sends a create that was just stored.
    pub async fn send(
        &self,
        connection: &Connection,
        create: &Create,
        prepared: &PreparedCreate,
    ) -> Result<Campaign, Error> {
        let deadline = create.send_deadline;
        let sent = self.context.in_account(connection, |adapter, session| async move {
            // A sender past its deadline must not send: reconciliation may already have ruled the create out.
            let clock = self.context.app.clock.clone();
            let outbound = session.call.outbound.with_write_guard(move || clock.now() < deadline);
            let session = AccountSession { call: CallContext { outbound, ..session.call }, ..session };
            adapter.create_campaign(&session, prepared).await
        });
        let campaign = match sent.await {
            Ok(campaign) => campaign,
            Err(error) => return self.handle_failure(connection, create, error).await,
        };
        if !CampaignValues::of(&campaign).are_of_draft(create.draft()) {
            tracing::warn!(change = %create.id, campaign = %campaign.id, "a new campaign has other values than were asked for");
        }
        // Nobody can have activated it yet: an active campaign contradicts the request, on any platform.
        match self.ensure_paused(connection, campaign.clone()).await {
            Ok(campaign) => Ok(self.record_created(create, campaign).await),
            Err(reason) => Err(self.defer_pause(create, &campaign, reason).await),
        }
    }

    async fn handle_failure(&self, connection: &Connection, create: &Create, error: Error) -> Result<Campaign, Error> {
        let Some(failure) = proven_failure(&error) else {
            return self.search_after_unknown(connection, create, error).await;
        };
        // The platform may refuse a retry because an earlier attempt created a campaign of that name.
        if failure.is_refusal && create.attempt > 1 {
            match self.search(connection, create).await {
                Ok(Reconciliation::Created(campaign)) => return Ok(*campaign),
                Ok(Reconciliation::NotCreated) => {}
                Ok(Reconciliation::Inconclusive) | Err(_) => return Err(self.defer(create, Some(error)).await),
            }
        }
        let is_refusal = failure.is_refusal;
        self.record_failure(create, failure).await;
        Err(if is_refusal { error } else { passing(error) })
    }

    /// Makes another attempt at a create that has created nothing so far. It searches first, because the platform may
    /// have carried out an earlier attempt late.
    ///
    /// The attempt is stored before the search. If this process stops after finding the campaign, maintenance still
    /// picks the create up. If the search fails, nothing was sent: the create has failed again and the caller
    /// receives the failure, such as a throttle with its `Retry-After`.
    pub(super) async fn send_again(&self, connection: &Connection, create: &Create) -> Result<Campaign, Error> {
        self.check_may_send(create)?;
        // Checked first: a paused account needs no write to the table.
        self.context.require_not_paused(connection)?;
        let next = self.begin_attempt(create).await?;
        let candidates = match self.find_candidates(connection, &next).await {
            Ok(candidates) => candidates,
            Err(error) => {
                let error = search_failed(error);
                self.record_failure(&next, change_error(&error)).await;
                return Err(error);
            }
        };
        match self.claim_candidate(connection, &next, candidates).await {
            Ok(Reconciliation::Created(campaign)) => Ok(*campaign),
            Ok(Reconciliation::NotCreated) => match self.prepare(connection, &next) {
                Ok(prepared) => self.send(connection, &next, &prepared).await,
                Err(error) => self.handle_failure(connection, &next, error).await,
            },
            Ok(Reconciliation::Inconclusive) => Err(self.defer(&next, None).await),
            Err(error) => Err(self.defer(&next, Some(error)).await),
        }
    }

    /// Checks and translates the draft of a create that an earlier request stored.
    fn prepare(&self, connection: &Connection, create: &Create) -> Result<PreparedCreate, Error> {
        let (_, call) = self.context.call_context(create.platform)?;
        let defaults = call.config.settings.defaults_of(connection).map(|(values, _)| values);
        prepare(create, connection, defaults.as_ref(), call.now)
    }

    fn check_may_send(&self, create: &Create) -> Result<(), Error> {
        let Some(Error { kind, message, details, .. }) = self.blocked_by else { return Ok(()) };
        Err(Error { details: details.clone(), ..Error::new(*kind, message.clone()) }.on(create.platform))
    }

    /// Stores the start of the next attempt. Fails if another request has already started it.
    async fn begin_attempt(&self, create: &Create) -> Result<Create, Error> {
        let now = self.context.app.clock.now();
        let remaining = SignedDuration::try_from(self.context.deadline.saturating_duration_since(Instant::now()));
        let until = now + remaining.map_err(Error::internal)?;
        let attempt = Attempt { number: create.attempt + 1, at: now, until };
        match self.context.app.store.retry_create(create, attempt).await {
            Ok(Some(next)) => Ok(next),
            Ok(None) => Err(self.unknown_outcome_error(create, None)),
            Err(error) => {
                // Too many open creates of the name: the attempt ends before it sends.
                if error.kind == Kind::Conflict {
                    self.record_failure(&create.sending(attempt), change_error(&error)).await;
                }
                Err(error)
            }
        }
    }

    /// Searches for the campaign at once and, if time allows, once more; then leaves the create to maintenance.
    async fn search_after_unknown(
        &self,
        connection: &Connection,
        create: &Create,
        reason: Error,
    ) -> Result<Campaign, Error> {
        for is_first in [true, false] {
            let has_time = Instant::now() + SEARCH_DELAY + MIN_SEARCH_TIME < self.context.deadline;
            match (is_first, has_time) {
                (true, _) => {}
                (false, true) => sleep(SEARCH_DELAY).await,
                (false, false) => break,
            }
            match self.search(connection, create).await {
                Ok(Reconciliation::Created(campaign)) => return Ok(*campaign),
                Ok(_) => {}
                Err(error) => {
                    tracing::warn!(create = %create.id, %error, source = error.source, "search for a campaign failed");
                }
            }
        }
        Err(self.defer(create, Some(reason)).await)
    }
}

/// Makes the error of a create that created nothing retryable where the platform failed without a code of its own, such
/// as by a gateway's page for a read before the create. A code can mean a fault that stays, such as a retired version.
fn passing(error: Error) -> Error {
    if error.kind == Kind::PlatformFailed && error.platform_code().is_none() { error.retryable() } else { error }
}

/// Turns the error of a failed search into the caller's error.
///
/// Nothing was sent, so the refusal or timeout belongs to the search, not to the create, and the same may be sent
/// again.
fn search_failed(error: Error) -> Error {
    let kind = match error.kind {
        Kind::PlatformRefused | Kind::PlatformTimeout => Kind::PlatformFailed,
        kind => kind,
    };
    let retryable = error.retryable || kind == Kind::PlatformFailed;
    Error { kind, retryable, retry_after: error.retry_after.or(retryable.then_some(MIN_RETRY_AFTER)), ..error }
}
