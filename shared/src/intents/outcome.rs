//! Decides and stores the outcome of a create.

use super::CreateSender;
use crate::domain::{Campaign, CampaignRecord, Intent, IntentState, PlatformCampaign, PlatformRefusal};
use crate::error::{Error, Kind};

/// The outcome that the error of a create proves: refused, or not created. `None` if it is unknown.
pub(super) fn proven_state(error: &Error) -> Option<IntentState> {
    if error.unknown_outcome {
        return None;
    }
    if error.kind != Kind::PlatformRefused {
        return Some(IntentState::NotCreated);
    }
    let reported = error.platform_error.clone();
    let (code, field) =
        reported.as_ref().map_or((None, None), |reported| (reported.code.clone(), reported.field.clone()));
    let platform_message = reported.map(|reported| reported.message);
    let message = error.message.clone();
    Some(IntentState::Refused(PlatformRefusal { message, code, platform_message, field }))
}

impl CreateSender<'_> {
    /// Stores the campaign of an intent. The campaign exists and costs money, so a failed write does not fail the
    /// request: maintenance finds the campaign again.
    pub(super) async fn record_created(&self, intent: &Intent, campaign: PlatformCampaign) -> Campaign {
        // Now is later than the platform's own write, so that a later list shows the same time.
        let record = CampaignRecord::of_created(intent, self.context.app.clock.now());
        let campaign = campaign.complete(Some(record.clone()));
        match self.store_created(intent, &campaign, &record).await {
            Ok(true) => {}
            Ok(false) => {
                tracing::error!(intent = %intent.id, campaign = %campaign.id, "a created campaign has another owner or outcome");
            }
            Err(error) => {
                tracing::error!(intent = %intent.id, campaign = %campaign.id, %error, source = error.source, "a created campaign was not stored");
            }
        }
        campaign
    }

    /// Claims and records the campaign before the outcome ends the search for it. The platform's response proves the
    /// outcome, so it is stored even if another intent has claimed the campaign.
    async fn store_created(
        &self,
        intent: &Intent,
        campaign: &Campaign,
        record: &CampaignRecord,
    ) -> Result<bool, Error> {
        let store = &self.context.app.store;
        let (claimed, recorded) = tokio::join!(
            store.claim_campaign(intent, &campaign.remote_id),
            store.put_record(intent.customer, &campaign.id, record)
        );
        // Other intents recognize the campaign by its record.
        recorded?;
        let is_stored = self.try_record_outcome(intent, &IntentState::Created(campaign.id.clone())).await?;
        Ok(claimed? && is_stored)
    }

    /// Stores the outcome of an intent. After a failed write, maintenance determines the outcome again.
    pub(super) async fn record_outcome(&self, intent: &Intent, state: &IntentState) {
        if let Err(error) = self.try_record_outcome(intent, state).await {
            tracing::warn!(intent = %intent.id, %error, source = error.source, "the outcome of a create was not stored");
        }
    }

    /// Ends the create for others of its name, then stores its outcome, unless a later attempt has begun. The order
    /// matters: maintenance returns only to intents without an outcome.
    async fn try_record_outcome(&self, intent: &Intent, state: &IntentState) -> Result<bool, Error> {
        let store = &self.context.app.store;
        store.end_create(intent).await?;
        store.finish_intent(intent, state).await
    }
}
