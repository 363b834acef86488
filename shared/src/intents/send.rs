//! Sending: a create is sent once per attempt, and only within the attempt's deadline.

use super::outcome::proven_state;
use super::unknown_outcome::MIN_RETRY_AFTER;
use super::{CreateSender, Reconciled};
use crate::domain::{Campaign, Connection, Intent, IntentState};
use crate::error::{Error, Kind};
use crate::platforms::{AccountSession, CallContext, CreateInput, PreparedCreate};
use jiff::SignedDuration;
use tokio::time::{Duration, Instant, sleep};

/// Time between the first and the second search after an unknown outcome.
const SEARCH_DELAY: Duration = Duration::from_secs(2);
/// The second search needs at least this much time; otherwise maintenance does it.
const MIN_SEARCH_TIME: Duration = Duration::from_secs(1);

impl CreateSender<'_> {
    /// Sends a create whose intent was just stored.
    pub async fn send(
        &self,
        connection: &Connection,
        intent: &Intent,
        prepared: &PreparedCreate,
    ) -> Result<Campaign, Error> {
        let deadline = intent.send_deadline;
        let create = self.context.in_account(connection, |adapter, session| async move {
            // A sender past its deadline must not send: reconciliation may already have ruled the create out.
            let clock = self.context.app.clock.clone();
            let outbound = session.call.outbound.with_write_guard(move || clock.now() < deadline);
            let session = AccountSession { call: CallContext { outbound, ..session.call }, ..session };
            adapter.create_campaign(&session, prepared).await
        });
        let campaign = match create.await {
            Ok(campaign) => campaign,
            Err(error) => return self.handle_failure(connection, intent, error).await,
        };
        match self.ensure_paused(connection, campaign.clone()).await {
            Ok(campaign) => Ok(self.record_created(intent, campaign).await),
            Err(reason) => Err(self.defer_pause(intent, &campaign, reason).await),
        }
    }

    async fn handle_failure(&self, connection: &Connection, intent: &Intent, error: Error) -> Result<Campaign, Error> {
        let Some(state) = proven_state(&error) else {
            return self.search_after_unknown(connection, intent, error).await;
        };
        // The platform may refuse a retry because an earlier attempt created a campaign of that name.
        if matches!(state, IntentState::Refused(_)) && intent.attempt > 1 {
            match self.search(connection, intent).await {
                Ok(Reconciled::Created(campaign)) => return Ok(*campaign),
                Ok(Reconciled::NotCreated) => {}
                Ok(Reconciled::Inconclusive) | Err(_) => return Err(self.defer(intent, Some(error)).await),
            }
        }
        self.record_outcome(intent, &state).await;
        Err(if state == IntentState::NotCreated { passing(error) } else { error })
    }

    /// Makes another attempt at an intent that has created nothing so far. It searches first, because the platform may
    /// have carried out an earlier attempt late.
    ///
    /// The attempt is stored before the search. If this process stops after finding the campaign, maintenance still
    /// picks the intent up. If the search fails, nothing was sent: the intent is `not_created` again and the caller
    /// receives the failure, such as a throttle with its `Retry-After`.
    pub(super) async fn send_again(&self, connection: &Connection, intent: &Intent) -> Result<Campaign, Error> {
        self.check_may_send(intent)?;
        // Checked first: a paused account needs no write to the table.
        self.context.require_not_paused(connection)?;
        let next = self.begin_attempt(intent).await?;
        let candidates = match self.find_candidates(connection, &next).await {
            Ok(candidates) => candidates,
            Err(error) => {
                self.record_outcome(&next, &IntentState::NotCreated).await;
                return Err(search_failed(error));
            }
        };
        match self.claim_candidate(connection, &next, candidates).await {
            Ok(Reconciled::Created(campaign)) => Ok(*campaign),
            Ok(Reconciled::NotCreated) => match self.prepare(connection, &next) {
                Ok(prepared) => self.send(connection, &next, &prepared).await,
                Err(error) => self.handle_failure(connection, &next, error).await,
            },
            Ok(Reconciled::Inconclusive) => Err(self.defer(&next, None).await),
            Err(error) => Err(self.defer(&next, Some(error)).await),
        }
    }

    /// Checks and translates the draft of an intent that an earlier request stored.
    fn prepare(&self, connection: &Connection, intent: &Intent) -> Result<PreparedCreate, Error> {
        let (adapter, call) = self.context.call_context(intent.platform)?;
        let account = connection.account.as_ref().ok_or_else(|| Error::internal("a connection without an account"))?;
        let draft = &intent.draft;
        let marker = &intent.marker();
        let settings = &call.config.settings;
        adapter.prepare_create(&CreateInput { account, draft, marker, settings, now: call.now })
    }

    fn check_may_send(&self, intent: &Intent) -> Result<(), Error> {
        let Some(Error { kind, message, details, .. }) = self.blocked_by else { return Ok(()) };
        Err(Error { details: details.clone(), ..Error::new(*kind, message.clone()) }.on(intent.platform))
    }

    /// Stores the start of the next attempt. Fails if another request has already started it.
    async fn begin_attempt(&self, intent: &Intent) -> Result<Intent, Error> {
        let now = self.context.app.clock.now();
        let left = SignedDuration::try_from(self.context.deadline.saturating_duration_since(Instant::now()));
        let next = Intent {
            attempt: intent.attempt + 1,
            send_deadline: now + left.map_err(Error::internal)?,
            state: IntentState::Unknown,
            ..intent.clone()
        };
        match self.context.app.store.retry_intent(&next).await {
            Ok(true) => Ok(next),
            Ok(false) => Err(self.unknown_outcome_error(intent, None)),
            Err(error) => {
                // Too many open creates of the name: the attempt ends before it sends.
                if error.kind == Kind::Conflict {
                    self.record_outcome(&next, &IntentState::NotCreated).await;
                }
                Err(error)
            }
        }
    }

    /// Searches for the campaign at once and, if time allows, once more; then leaves the intent to maintenance.
    async fn search_after_unknown(
        &self,
        connection: &Connection,
        intent: &Intent,
        reason: Error,
    ) -> Result<Campaign, Error> {
        for is_first in [true, false] {
            let has_time = Instant::now() + SEARCH_DELAY + MIN_SEARCH_TIME < self.context.deadline;
            match (is_first, has_time) {
                (true, _) => {}
                (false, true) => sleep(SEARCH_DELAY).await,
                (false, false) => break,
            }
            match self.search(connection, intent).await {
                Ok(Reconciled::Created(campaign)) => return Ok(*campaign),
                Ok(_) => {}
                Err(error) => {
                    tracing::warn!(intent = %intent.id, %error, source = error.source, "search for a campaign failed");
                }
            }
        }
        Err(self.defer(intent, Some(reason)).await)
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
