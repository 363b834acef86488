//! Reconciliation: searches for the campaign of a create with an unknown outcome.

use super::CreateSender;
use crate::domain::{
    Campaign, CampaignChanges, CampaignRecord, CampaignStatus, Connection, Intent, IntentState, PlatformCampaign,
};
use crate::error::Error;
use crate::platforms::adapter;

/// Result of a reconciliation.
#[derive(Debug)]
pub enum Reconciled {
    /// The intent's campaign.
    Created(Box<Campaign>),
    /// The platform created nothing.
    NotCreated,
    /// A later search may find the campaign.
    Inconclusive,
}

impl CreateSender<'_> {
    /// Searches for the campaign of an intent and stores the outcome. A search without a result is conclusive only
    /// after [`Intent::conclusive_from`].
    pub async fn reconcile(&self, connection: &Connection, intent: &Intent) -> Result<Reconciled, Error> {
        let began = self.context.app.clock.now();
        match self.search(connection, intent).await? {
            Reconciled::NotCreated if began >= intent.conclusive_from() => {
                self.record_outcome(intent, &IntentState::NotCreated).await;
                Ok(Reconciled::NotCreated)
            }
            Reconciled::NotCreated => Ok(Reconciled::Inconclusive),
            other => Ok(other),
        }
    }

    /// Searches for the campaign of an intent and stores it. [`Reconciled::NotCreated`] means that this search found
    /// none; only a search after `conclusive_from` proves that there is none.
    pub(super) async fn search(&self, connection: &Connection, intent: &Intent) -> Result<Reconciled, Error> {
        let candidates = self.find_candidates(connection, intent).await?;
        self.claim_candidate(connection, intent, candidates).await
    }

    /// Reads the platform's campaigns that match an intent. Writes nothing.
    pub(super) async fn find_candidates(
        &self,
        connection: &Connection,
        intent: &Intent,
    ) -> Result<Vec<PlatformCampaign>, Error> {
        let draft = &intent.draft;
        let marker = &intent.marker();
        let search = self.context.in_account(connection, |adapter, session| async move {
            adapter.find_created(&session, draft, marker).await
        });
        search.await
    }

    /// Claims the first candidate that belongs to the intent, pauses it if necessary, and stores it.
    pub(super) async fn claim_candidate(
        &self,
        connection: &Connection,
        intent: &Intent,
        candidates: Vec<PlatformCampaign>,
    ) -> Result<Reconciled, Error> {
        // Read after the search: a create that begins later is not among the candidates.
        let concurrent_creates = self.context.app.store.concurrent_creates(intent).await?;
        let now = self.context.app.clock.now();
        let mut is_contested = false;
        for campaign in candidates {
            if self.context.app.store.campaign_owner(intent, &campaign.remote_id).await? != Some(intent.id) {
                if concurrent_creates.may_belong_to_another(intent, campaign.created_at, now) {
                    is_contested = true;
                    continue;
                }
                if self.belongs_to_another(intent, &campaign).await? || !self.claim_campaign(intent, &campaign).await? {
                    continue;
                }
            }
            let campaign = self.ensure_paused(connection, campaign).await?;
            return Ok(Reconciled::Created(Box::new(self.record_created(intent, campaign).await)));
        }
        Ok(if is_contested { Reconciled::Inconclusive } else { Reconciled::NotCreated })
    }

    async fn claim_campaign(&self, intent: &Intent, campaign: &PlatformCampaign) -> Result<bool, Error> {
        self.context.app.store.claim_campaign(intent, &campaign.remote_id).await
    }

    /// Returns `true` if a campaign's record shows another intent or an earlier origin. Not all platforms report the
    /// creation time.
    async fn belongs_to_another(&self, intent: &Intent, campaign: &PlatformCampaign) -> Result<bool, Error> {
        let record = self.context.app.store.latest_record(intent.customer, &campaign.id).await?;
        let is_of_another = |record: CampaignRecord| match (record.intent, record.created_at) {
            (Some(id), _) => id != intent.id,
            (None, Some(_)) => true,
            // The service has changed the campaign and has no record of its creation.
            (None, None) => record.updated_at < intent.created_at,
        };
        Ok(record.is_some_and(is_of_another))
    }

    /// Pauses a campaign that its platform may have created as active against the request. On other platforms an active
    /// campaign was activated on purpose.
    pub(super) async fn ensure_paused(
        &self,
        connection: &Connection,
        campaign: PlatformCampaign,
    ) -> Result<PlatformCampaign, Error> {
        let may_be_active = adapter(campaign.platform()).facts().may_create_active;
        if campaign.status != CampaignStatus::Active || !may_be_active {
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
