//! Stores the outcome of an edit.

use super::progress::Effect;
use super::{Edit, EditResult};
use crate::changes::failure::change_error;
use crate::changes::spending_limit::{AttemptState, end};
use crate::domain::spending::AccountDay;
use crate::domain::stop::CAMPAIGN_REMOVED;
use crate::domain::{CampaignValues, Change, ChangeState, Ending, PlatformCampaign, Reason, Settlement};
use crate::error::{Error, Kind};
use crate::store::Store;
use jiff::Timestamp;

impl Edit<'_> {
    /// Stores what became of the change. The platform has it or not, so a failed write does not change the response:
    /// maintenance settles the change then.
    pub(super) async fn settle(&self, outcome: Result<PlatformCampaign, Error>) -> Result<EditResult, Error> {
        let at = self.context.app.clock.now();
        let campaign = match outcome {
            Ok(campaign) => campaign,
            Err(error) => {
                match self.change.apply_at {
                    None => self.settle_failure(&error, at).await,
                    Some(_) => self.settle_failed_attempt(&error, at).await,
                }
                return Err(self.mention_partial_update(error));
            }
        };
        let after = Some(CampaignValues::of(&campaign));
        if self.progress.is_sent() {
            let stored = self.store_outcome(ChangeState::Applied, after, at);
            let others = async {
                if campaign.status.is_final() {
                    cancel_others(&self.context.app.store, self.change, at).await;
                }
            };
            tokio::join!(self.touch_record(at), stored, others);
            return Ok(EditResult { campaign, changed_at: Some(at) });
        }
        // The campaign had the requested values already.
        self.store_outcome(ChangeState::Applied, after, at).await;
        Ok(EditResult { campaign, changed_at: None })
    }

    async fn settle_failure(&self, error: &Error, at: Timestamp) {
        match self.progress.effect() {
            Effect::Unsent => self.discard(at).await,
            Effect::None => self.store_outcome(ChangeState::Failed(change_error(error)), None, at).await,
            Effect::Partial(after) => {
                let state = ChangeState::PartlyApplied(change_error(error));
                tokio::join!(self.touch_record(at), self.store_outcome(state, Some(after), at));
            }
            Effect::Complete(after) => self.store_outcome(ChangeState::Applied, Some(after), at).await,
            Effect::Unknown => self.leave_to_maintenance(at).await,
        }
    }

    /// Discards a change of which nothing was sent. If that fails, maintenance settles it by reading the campaign.
    async fn discard(&self, at: Timestamp) {
        self.recorded.remove(self.change.id);
        if !self.is_stored {
            return;
        }
        if let Err(error) = self.end(&Ending::Discarded(at), at).await {
            tracing::warn!(change = %self.change.id, %error, source = error.source, "a change was not discarded");
        }
    }

    pub(super) async fn store_outcome(&self, state: ChangeState, after: Option<CampaignValues>, at: Timestamp) {
        let settlement = Settlement { state, campaign: None, before: self.progress.before(), after, seen: None, at };
        if let Err(error) = self.end(&Ending::Settled(&settlement), at).await {
            tracing::warn!(change = %self.change.id, %error, source = error.source, "the outcome of a change was not stored");
        }
    }

    /// Ends the attempt, and frees its reservation as far as it is not used.
    pub(super) async fn end(&self, ending: &Ending<'_>, at: Timestamp) -> Result<bool, Error> {
        let known = AttemptState { reservation: self.reservation.clone(), record: self.record };
        end(&self.context.app.store, self.change, ending, known, AccountDay::of(self.connection, at)).await
    }

    pub(super) async fn leave_to_maintenance(&self, at: Timestamp) {
        let before = self.progress.before();
        let unknown = |latest: &Change| latest.in_attempt(self.change.attempt)?.left_unknown(before.as_ref(), at);
        if let Err(error) = self.context.app.store.transition(self.change, unknown).await {
            // The change becomes due at the attempt's deadline instead.
            tracing::warn!(change = %self.change.id, %error, source = error.source, "a change was not made due");
        }
    }

    pub(super) async fn touch_record(&self, at: Timestamp) {
        touch_record(&self.context.app.store, self.change, at).await;
    }
}

/// Cancels what waits for a campaign that a change has removed.
pub(super) async fn cancel_others(store: &Store, change: &Change, at: Timestamp) {
    let Some(campaign) = &change.campaign else { return };
    let removed = change_error(&Error::new(Kind::Conflict, CAMPAIGN_REMOVED).because(Reason::CampaignRemoved));
    if let Err(error) = store.cancel_changes_of_campaign(change.customer, campaign, &removed, at).await {
        tracing::error!(%campaign, %error, source = error.source, "waiting changes of a removed campaign not canceled");
    }
}

/// Stores the time of a change in the campaign's record, for platforms without timestamps.
pub(super) async fn touch_record(store: &Store, change: &Change, at: Timestamp) {
    let Some(campaign) = &change.campaign else { return };
    if let Err(error) = store.touch_record(change.customer, campaign, at).await {
        tracing::error!(%campaign, %error, source = error.source, "record of a changed campaign not written");
    }
}
