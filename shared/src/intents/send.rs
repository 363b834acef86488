//! Sending: once for each attempt, and only while the attempt has its time.

use super::unknown_outcome::LEAST_WAIT;
use super::{CreateSender, Reconciled, state_after};
use crate::domain::{
    AdAccount, Campaign, CampaignDraft, CampaignId, CampaignStatus, Connection, Intent, IntentState, Moment,
};
use crate::error::{Error, Kind};
use crate::platforms::{CallContext, CreateInput, PreparedCreate, Session};
use crate::store::CampaignRecord;
use jiff::SignedDuration;
use tokio::time::{Duration, Instant, sleep};

/// How long after a first look that found nothing there is a second one, where there is time.
const SECOND_LOOK: Duration = Duration::from_secs(2);
/// And how much time there has to be after that.
const A_LOOK: Duration = Duration::from_secs(1);

impl CreateSender<'_> {
    /// Sends a create whose intent was just kept.
    pub async fn send(
        &self,
        connection: &Connection,
        intent: &Intent,
        prepared: &PreparedCreate,
    ) -> Result<Campaign, Error> {
        let until = intent.until;
        let create = self.context.in_account(connection, |adapter, session| async move {
            // Who was held up until others believe that he is over must not send any more.
            let clock = self.context.app.clock.clone();
            let outbound = session.call.outbound.only_while(move || clock.now() < until);
            let session = Session { call: CallContext { outbound, ..session.call }, ..session };
            adapter.create_campaign(&session, prepared).await
        });
        let campaign = match create.await {
            Ok(campaign) => campaign,
            Err(error) => return self.take_failure(connection, intent, error).await,
        };
        match self.paused(connection, campaign.clone()).await {
            Ok(campaign) => Ok(self.keep_created(intent, campaign).await),
            Err(reason) => Err(self.leave_switched_on(intent, &campaign, reason).await),
        }
    }

    async fn take_failure(&self, connection: &Connection, intent: &Intent, error: Error) -> Result<Campaign, Error> {
        let Some(state) = state_after(&error) else { return self.look(connection, intent, error).await };
        // What is refused now may be refused because an earlier attempt arrived meanwhile, whose name it has.
        if matches!(state, IntentState::Refused(_)) && intent.attempt > 1 {
            match self.find(connection, intent).await {
                Ok(Reconciled::Created(campaign)) => return Ok(*campaign),
                Ok(Reconciled::NotCreated) => {}
                Ok(Reconciled::NotYet) | Err(_) => return Err(self.leave_unknown(intent, Some(error)).await),
            }
        }
        self.record_outcome(intent, &state).await;
        Err(error)
    }

    /// Sends an intent of which nothing came so far, as the next attempt. Where an earlier one was carried out too late
    /// to be found, it is found now.
    ///
    /// The attempt is written before the look: a campaign that is found then has an intent that maintenance comes back
    /// to. When the look fails the attempt has sent nothing, so the intent becomes what it was, `not_created`, and the
    /// caller gets the failure itself: a throttle with its `Retry-After`.
    pub(super) async fn send_again(&self, connection: &Connection, intent: &Intent) -> Result<Campaign, Error> {
        self.is_not_refused(intent)?;
        // Known without asking; while it lasts nothing is written.
        self.context.is_not_paused(connection)?;
        let next = self.begin_attempt(intent).await?;
        let candidates = match self.candidates(connection, &next).await {
            Ok(candidates) => candidates,
            Err(error) => {
                self.record_outcome(&next, &IntentState::NotCreated).await;
                return Err(not_sent(error));
            }
        };
        match self.adopt(connection, &next, candidates).await {
            Ok(Reconciled::Created(campaign)) => Ok(*campaign),
            Ok(Reconciled::NotCreated) => match self.prepare(connection, &next) {
                Ok(prepared) => self.send(connection, &next, &prepared).await,
                Err(error) => self.take_failure(connection, &next, error).await,
            },
            Ok(Reconciled::NotYet) => Err(self.leave_unknown(&next, None).await),
            Err(error) => Err(self.leave_unknown(&next, Some(error)).await),
        }
    }

    /// Checks and translates the draft of an intent that an earlier request stored.
    fn prepare(&self, connection: &Connection, intent: &Intent) -> Result<PreparedCreate, Error> {
        let (adapter, call) = self.context.reach(intent.platform)?;
        let account = connection.account.as_ref().ok_or_else(|| Error::internal("a connection without an account"))?;
        let (draft, marker, settings) = (&intent.draft, &intent.marker(), &call.config.settings);
        adapter.prepare_create(&CreateInput { account, draft, marker, settings, now: call.now })
    }

    fn is_not_refused(&self, intent: &Intent) -> Result<(), Error> {
        let Some(Error { kind, message, details, .. }) = self.refusal else { return Ok(()) };
        Err(Error { details: details.clone(), ..Error::new(*kind, message.clone()) }.on(intent.platform))
    }

    /// Writes that the next attempt at an intent begins.
    async fn begin_attempt(&self, intent: &Intent) -> Result<Intent, Error> {
        let now = self.context.app.clock.now();
        let left = SignedDuration::try_from(self.context.deadline.saturating_duration_since(Instant::now()));
        let next = Intent {
            attempt: intent.attempt + 1,
            until: now + left.map_err(Error::internal)?,
            state: IntentState::Unknown,
            ..intent.clone()
        };
        if self.context.app.store.retry_intent(&next).await? {
            Ok(next)
        } else {
            Err(self.outcome_unknown(intent, None))
        }
    }

    /// The outcome is not known: looks at once and once more. What is still not known then is left to maintenance.
    async fn look(&self, connection: &Connection, intent: &Intent, doubt: Error) -> Result<Campaign, Error> {
        for is_first in [true, false] {
            let has_time = Instant::now() + SECOND_LOOK + A_LOOK < self.context.deadline;
            match (is_first, has_time) {
                (true, _) => {}
                (false, true) => sleep(SECOND_LOOK).await,
                (false, false) => break,
            }
            match self.find(connection, intent).await {
                Ok(Reconciled::Created(campaign)) => return Ok(*campaign),
                Ok(_) => {}
                Err(error) => {
                    tracing::warn!(intent = %intent.id, %error, source = error.source, "a create could not be looked for");
                }
            }
        }
        Err(self.leave_unknown(intent, Some(doubt)).await)
    }

    /// Keeps that a campaign came of an intent. It exists and costs money, so that whatever fails here does not turn
    /// into a failed request; maintenance finds the campaign once more.
    pub(super) async fn keep_created(&self, intent: &Intent, mut campaign: Campaign) -> Campaign {
        let store = &self.context.app.store;
        let record = CampaignRecord {
            goal: Some(intent.draft.goal),
            budget_period: Some(intent.draft.budget_period),
            created_at: Some(intent.since),
            intent: Some(intent.id),
            // After the platform's own time of its last write, so that a later list says the same.
            updated_at: self.context.app.clock.now(),
        };
        record.clone().complete(&mut campaign);
        // Whose it is goes first: before others look for theirs, and before this one needs to be looked for no more.
        let (owned, kept) = tokio::join!(
            store.claim_campaign(intent, &campaign.remote_id),
            store.put_record(intent.customer, &campaign.id, &record)
        );
        // The platform itself said which campaign it is, so that stands though somebody else may say that it is his. But
        // the record has to be there first: by it others know that it is not theirs.
        let outcome = match kept {
            Ok(()) => {
                let settled = self.try_record_outcome(intent, &IntentState::Created(campaign.id.clone())).await;
                settled.and_then(|is_settled| owned.map(|is_owned| is_settled && is_owned))
            }
            Err(error) => Err(error),
        };
        match outcome {
            Ok(true) => {}
            Ok(false) => {
                tracing::error!(intent = %intent.id, campaign = %campaign.id, "a created campaign was settled otherwise");
            }
            Err(error) => {
                tracing::error!(intent = %intent.id, campaign = %campaign.id, %error, source = error.source, "a created campaign was not kept yet");
            }
        }
        campaign
    }

    /// Keeps that nothing came of an intent. What cannot be kept now, maintenance finds out.
    pub(super) async fn record_outcome(&self, intent: &Intent, state: &IntentState) {
        if let Err(error) = self.try_record_outcome(intent, state).await {
            tracing::warn!(intent = %intent.id, %error, source = error.source, "an intent was not settled yet");
        }
    }

    /// Makes way for others of an intent's name and settles it, unless a later attempt is at it. In this order: maintenance
    /// comes back to what is not settled, and to nothing else.
    async fn try_record_outcome(&self, intent: &Intent, state: &IntentState) -> Result<bool, Error> {
        let store = &self.context.app.store;
        store.end_create(intent).await?;
        store.finish_intent(intent, state).await
    }

    /// The campaign that came of an intent earlier: as it is now, or, when it cannot be read, as it was ordered.
    pub(super) async fn read_created(
        &self,
        connection: &Connection,
        intent: &Intent,
        id: &CampaignId,
    ) -> Result<Campaign, Error> {
        let remote_id = id.remote_in(&intent.account_id).unwrap_or_default();
        let read = self
            .context
            .in_account(connection, |adapter, session| async move { adapter.get_campaign(&session, remote_id).await });
        let (read, record) = tokio::join!(read, self.context.app.store.record(intent.customer, id));
        let mut campaign = match (read, &connection.account) {
            (Ok(campaign), _) => campaign,
            (Err(error), Some(account)) if error.kind == Kind::NotFound => {
                Campaign { status: CampaignStatus::Archived, ..as_ordered(account, intent, id) }
            }
            (Err(error), Some(account)) => {
                tracing::warn!(intent = %intent.id, campaign = %id, %error, "a created campaign was not read");
                as_ordered(account, intent, id)
            }
            (Err(error), None) => return Err(error),
        };
        if let Ok(Some(record)) = record {
            record.complete(&mut campaign);
        }
        Ok(campaign)
    }
}

/// A failed look, by a request that has sent nothing. It is never the create's final answer, and never of unknown
/// outcome: a platform that refuses to be read has not refused the create, and one that is slow to be read has not been
/// asked for it.
fn not_sent(error: Error) -> Error {
    let kind = match error.kind {
        Kind::PlatformRefused | Kind::PlatformTimeout => Kind::PlatformFailed,
        kind => kind,
    };
    let wait = error.retry_after.or(error.retryable.then_some(LEAST_WAIT));
    Error { kind, retry_after: wait, ..error }
}

fn as_ordered(account: &AdAccount, intent: &Intent, id: &CampaignId) -> Campaign {
    let CampaignDraft { name, goal, budget_amount, budget_period, start_at, end_at } = intent.draft.clone();
    let instant = |moment: Option<Moment>| match moment? {
        Moment::Instant(instant) => Some(instant),
        // The account's calendar has it, and only the platform knows that for certain.
        Moment::Day(_) => None,
    };
    Campaign {
        id: id.clone(),
        account_id: intent.account_id.clone(),
        remote_id: id.remote_in(&intent.account_id).unwrap_or_default().to_owned(),
        name,
        status: CampaignStatus::Paused,
        goal: Some(goal),
        budget_amount: Some(budget_amount),
        budget_period: Some(budget_period),
        currency: account.currency,
        total_spend_amount: None,
        start_at: instant(start_at),
        end_at: instant(end_at),
        created_at: Some(intent.since),
        updated_at: Some(intent.since),
        raw: String::new(),
    }
}
