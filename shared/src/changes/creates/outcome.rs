//! Decides and stores the outcome of a create.

use super::CreateSender;
use crate::changes::failure::change_error;
use crate::domain::{
    Campaign, CampaignRecord, CampaignValues, ChangeError, ChangeState, Create, PlatformCampaign, Settlement,
};
use crate::error::Error;

/// What the error of a create proves: that nothing was created. `None` if the outcome is unknown.
pub(super) fn proven_failure(error: &Error) -> Option<ChangeError> {
    (!error.unknown_outcome).then(|| change_error(error))
}

impl CreateSender<'_> {
    /// Stores the campaign of a create. The campaign exists and costs money, so a failed write does not fail the
    /// request: maintenance finds the campaign again.
    pub(super) async fn record_created(&self, create: &Create, campaign: PlatformCampaign) -> Campaign {
        // Now is later than the platform's own write, so that a later list shows the same time.
        let now = self.context.app.clock.now();
        let record = CampaignRecord::of_created(create, now);
        let after = Some(CampaignValues::of(&campaign));
        let campaign = campaign.complete(&create.connection, Some(record.clone()));
        let id = Some(campaign.id.clone());
        let settlement =
            Settlement { state: ChangeState::Applied, campaign: id, before: None, after, seen: None, at: now };
        match self.store_created(create, &campaign, &record, &settlement).await {
            Ok(true) => {}
            Ok(false) => {
                tracing::error!(change = %create.id, campaign = %campaign.id, "a created campaign has another owner or outcome");
            }
            Err(error) => {
                tracing::error!(change = %create.id, campaign = %campaign.id, %error, source = error.source, "a created campaign was not stored");
            }
        }
        campaign
    }

    /// Claims and records the campaign before the outcome ends the search for it. The platform's response proves the
    /// outcome, so it is stored even if another create has claimed the campaign.
    async fn store_created(
        &self,
        create: &Create,
        campaign: &Campaign,
        record: &CampaignRecord,
        settlement: &Settlement,
    ) -> Result<bool, Error> {
        let store = &self.context.app.store;
        let pause = async {
            match create.pause_at_end(&campaign.id) {
                // It has the age of the create, and is stored now.
                Some(pause) => store.begin_change(&pause, settlement.at).await,
                None => Ok(()),
            }
        };
        let (claimed, recorded, pause_stored) = tokio::join!(
            store.claim_campaign(create, &campaign.remote_id),
            store.put_record(create.customer, &campaign.id, record),
            pause
        );
        // Other creates recognize the campaign by its record.
        recorded?;
        // The campaign has its end before the create is settled, whatever happens in between.
        pause_stored?;
        let is_stored = self.settle(create, settlement).await?;
        Ok(claimed? && is_stored)
    }

    /// Stores that a create has created nothing. After a failed write, maintenance determines the outcome again.
    pub(super) async fn record_failure(&self, create: &Create, error: ChangeError) {
        let at = self.context.app.clock.now();
        let state = ChangeState::Failed(error);
        let settlement = Settlement { state, campaign: None, before: None, after: None, seen: None, at };
        if let Err(error) = self.settle(create, &settlement).await {
            tracing::warn!(change = %create.id, %error, source = error.source, "the outcome of a create was not stored");
        }
    }

    /// Ends the create for others of its name, then stores its outcome, unless a later attempt has begun. The order
    /// matters: maintenance returns only to creates without an outcome.
    async fn settle(&self, create: &Create, settlement: &Settlement) -> Result<bool, Error> {
        let store = &self.context.app.store;
        store.end_create(create).await?;
        store.settle_create(create, settlement).await
    }
}
