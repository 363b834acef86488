//! Settling: what became of a create is asked of its platform.

use super::CreateSender;
use crate::domain::{Campaign, CampaignChanges, CampaignStatus, Connection, Intent, IntentState};
use crate::error::Error;
use crate::platforms::adapter;
use crate::store::CampaignRecord;

/// What was found out about an intent.
#[derive(Debug)]
pub enum Reconciled {
    /// This came of it.
    Created(Box<Campaign>),
    /// Nothing came of it.
    NotCreated,
    /// That is not certain yet.
    NotYet,
}

impl CreateSender<'_> {
    /// Looks what became of an intent, and keeps it. That nothing is there is believed only when the platform has had
    /// its time.
    pub async fn reconcile(&self, connection: &Connection, intent: &Intent) -> Result<Reconciled, Error> {
        let began = self.context.app.clock.now();
        match self.find(connection, intent).await? {
            Reconciled::NotCreated if began >= intent.believed_from() => {
                self.record_outcome(intent, &IntentState::NotCreated).await;
                Ok(Reconciled::NotCreated)
            }
            Reconciled::NotCreated => Ok(Reconciled::NotYet),
            other => Ok(other),
        }
    }

    /// Looks for the campaign that came of an intent, and keeps it. [`Reconciled::NotCreated`] says only that there is
    /// none now.
    pub(super) async fn find(&self, connection: &Connection, intent: &Intent) -> Result<Reconciled, Error> {
        let candidates = self.candidates(connection, intent).await?;
        self.adopt(connection, intent, candidates).await
    }

    /// Asks the platform for the campaigns that may have come of an intent. Changes nothing, here or there.
    pub(super) async fn candidates(&self, connection: &Connection, intent: &Intent) -> Result<Vec<Campaign>, Error> {
        let (draft, marker) = (&intent.draft, &intent.marker());
        let look = self.context.in_account(connection, |adapter, session| async move {
            adapter.find_created(&session, draft, marker).await
        });
        look.await
    }

    /// Makes the first campaign that is of the intent its outcome: claimed, switched off, and kept.
    pub(super) async fn adopt(
        &self,
        connection: &Connection,
        intent: &Intent,
        candidates: Vec<Campaign>,
    ) -> Result<Reconciled, Error> {
        // Only now: whoever begins after the look made nothing that it found.
        let concurrent_creates = self.context.app.store.concurrent_creates(intent).await?;
        let (now, mut is_contested) = (self.context.app.clock.now(), false);
        for campaign in candidates {
            if self.context.app.store.campaign_owner(intent, &campaign.remote_id).await? != Some(intent.id) {
                if concurrent_creates.may_belong_to_another(intent, campaign.created_at, now) {
                    is_contested = true;
                    continue;
                }
                if self.is_known_otherwise(intent, &campaign).await? || !self.claim_campaign(intent, &campaign).await? {
                    continue;
                }
            }
            let campaign = self.paused(connection, campaign).await?;
            return Ok(Reconciled::Created(Box::new(self.keep_created(intent, campaign).await)));
        }
        Ok(if is_contested { Reconciled::NotYet } else { Reconciled::NotCreated })
    }

    async fn claim_campaign(&self, intent: &Intent, campaign: &Campaign) -> Result<bool, Error> {
        self.context.app.store.claim_campaign(intent, &campaign.remote_id).await
    }

    /// Whether a campaign is known here as another's, or was before the intent: not every platform says how old one is.
    async fn is_known_otherwise(&self, intent: &Intent, campaign: &Campaign) -> Result<bool, Error> {
        let record = self.context.app.store.record(intent.customer, &campaign.id).await?;
        let is_older = |record: CampaignRecord| match (record.intent, record.created_at) {
            (Some(id), _) => id != intent.id,
            (None, Some(_)) => true,
            // Changed here, and not made here as far as was known then.
            (None, None) => record.updated_at < intent.since,
        };
        Ok(record.is_some_and(is_older))
    }

    /// A campaign that nobody was told of yet must not run: where the platform may have passed over the order to make it
    /// switched off, it is switched off now. Elsewhere who switched it on meant it.
    pub(super) async fn paused(&self, connection: &Connection, campaign: Campaign) -> Result<Campaign, Error> {
        let may_be_on = adapter(campaign.platform()).may_create_active();
        if campaign.status != CampaignStatus::Active || !may_be_on {
            return Ok(campaign);
        }
        let changes = CampaignChanges { status: Some(CampaignStatus::Paused), ..CampaignChanges::default() };
        let (campaign, changes) = (&campaign, &changes);
        let pause = self.context.in_account(connection, |adapter, session| async move {
            adapter.update_campaign(&session, campaign, changes).await
        });
        pause.await
    }
}
