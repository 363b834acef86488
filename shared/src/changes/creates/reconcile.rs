//! Reconciliation: searches for the campaign of a create with an unknown outcome.

use super::CreateSender;
use super::read_created::as_requested;
use crate::changes::bulk::list_account;
use crate::changes::failure::change_error;
use crate::domain::{
    Campaign, CampaignChanges, CampaignId, CampaignRecord, CampaignStatus, ChangeError, Connection, Create,
    PlatformCampaign,
};
use crate::error::{Error, Kind};
use crate::platforms::adapter;

/// The failure of a create of which its platform has nothing.
fn created_nothing(create: &Create) -> ChangeError {
    let platform = create.platform.display_name();
    let message = format!("{platform} gave no clear answer. A search proved that it created nothing.");
    change_error(&Error::new(Kind::PlatformFailed, message))
}

/// Result of a reconciliation.
#[derive(Debug)]
pub enum Reconciliation {
    /// The create's campaign.
    Created(Box<Campaign>),
    /// The platform created nothing.
    NotCreated,
    /// A later search may find the campaign.
    Inconclusive,
}

/// A campaign that may be the create's.
pub(super) struct Candidate {
    campaign: PlatformCampaign,
    /// Whether it may run, because somebody has activated it since.
    may_run: bool,
    /// Whether the platform's answer to the create has named it.
    is_proven: bool,
}

/// Whether a campaign that was searched for runs although its create asked for a paused one: its platform may do so. On
/// other platforms an active campaign was activated on purpose.
fn may_be_active_against_the_request(campaign: &PlatformCampaign) -> bool {
    campaign.status == CampaignStatus::Active && adapter(campaign.platform()).facts().may_create_active
}

impl CreateSender<'_> {
    /// Searches for the campaign of a create and stores the outcome. A search without a result is conclusive only
    /// after [`Create::conclusive_from`].
    pub async fn reconcile(&self, connection: &Connection, create: &Create) -> Result<Reconciliation, Error> {
        let began = self.context.app.clock.now();
        match self.search(connection, create).await? {
            Reconciliation::NotCreated if began >= create.conclusive_from() => {
                self.record_failure(create, created_nothing(create)).await;
                Ok(Reconciliation::NotCreated)
            }
            Reconciliation::NotCreated => Ok(Reconciliation::Inconclusive),
            other => Ok(other),
        }
    }

    /// Searches for the campaign of a create and stores it. [`Reconciliation::NotCreated`] means that this search found
    /// none; only a search after `conclusive_from` proves that there is none.
    pub(super) async fn search(&self, connection: &Connection, create: &Create) -> Result<Reconciliation, Error> {
        let candidates = self.find_candidates(connection, create).await?;
        self.claim_candidate(connection, create, candidates).await
    }

    /// Reads the platform's campaigns that match a create, or that have matched it until somebody edited them. The one that
    /// the platform's answer has named is read alone, whatever values it has. Writes nothing.
    pub(super) async fn find_candidates(
        &self,
        connection: &Connection,
        create: &Create,
    ) -> Result<Vec<Candidate>, Error> {
        if let Some(id) = &create.campaign {
            return self.read_proven(connection, create, id).await.map(|candidate| vec![candidate]);
        }
        let draft = create.draft();
        let marker = &create.marker();
        let search = self.context.in_account(connection, |adapter, session| async move {
            adapter.find_created(&session, draft, marker).await
        });
        let found = search.await?;
        if !found.is_empty() && !found.iter().any(may_be_active_against_the_request) {
            let candidate = |campaign| Candidate { campaign, may_run: true, is_proven: false };
            return Ok(found.into_iter().map(candidate).collect());
        }
        let edited = self.edits_since(create).await?;
        let found = if found.is_empty() { self.read_edited(connection, create, &edited).await? } else { found };
        let candidate = |campaign: PlatformCampaign| {
            let is_activated = edited.get(&campaign.id).is_some_and(|edits| edits.activate);
            let may_run = is_activated || !may_be_active_against_the_request(&campaign);
            Candidate { campaign, may_run, is_proven: false }
        };
        Ok(found.into_iter().map(candidate).collect())
    }

    /// Reads the campaign that the response to a create has named. A platform may not return a new campaign yet, or
    /// answer the same for an ad account that it refuses: the campaign counts as removed only if a later list of the ad
    /// account lacks it.
    async fn read_proven(&self, connection: &Connection, create: &Create, id: &CampaignId) -> Result<Candidate, Error> {
        let read = self.context.get_campaign(connection, id.remote_in(&create.account_id).unwrap_or_default()).await;
        let campaign = match read {
            Err(error) if error.kind == Kind::NotFound => {
                let is_early = self.context.app.clock.now() < create.conclusive_from();
                if is_early || list_account(self.context, connection).await?.iter().any(|one| one.id == *id) {
                    let message = "The platform has named the new campaign, and does not tell it.";
                    return Err(Error::new(Kind::PlatformFailed, message).on(create.platform).retryable());
                }
                PlatformCampaign { status: CampaignStatus::Archived, ..as_requested(create, id) }
            }
            read => read?,
        };
        let edited = self.edits_since(create).await?;
        let may_run = edited.get(id).is_some_and(|edits| edits.activate);
        Ok(Candidate { campaign, may_run, is_proven: true })
    }

    /// Claims the first candidate that belongs to the create, pauses it if necessary, and stores it.
    pub(super) async fn claim_candidate(
        &self,
        connection: &Connection,
        create: &Create,
        candidates: Vec<Candidate>,
    ) -> Result<Reconciliation, Error> {
        // Read after the search: a create that begins later is not among the candidates.
        let concurrent_creates = self.context.app.store.concurrent_creates(create).await?;
        let now = self.context.app.clock.now();
        let mut is_contested = false;
        for Candidate { campaign, may_run, is_proven } in candidates {
            if !is_proven
                && self.context.app.store.campaign_owner(create, &campaign.remote_id).await? != Some(create.id)
            {
                if concurrent_creates.may_belong_to_another(create, campaign.created_at, now) {
                    is_contested = true;
                    continue;
                }
                if self.belongs_to_another(create, &campaign).await? || !self.claim_campaign(create, &campaign).await? {
                    continue;
                }
            }
            let campaign = if may_run { campaign } else { self.ensure_paused(connection, campaign).await? };
            return Ok(Reconciliation::Created(Box::new(self.record_created(create, campaign).await)));
        }
        Ok(if is_contested { Reconciliation::Inconclusive } else { Reconciliation::NotCreated })
    }

    async fn claim_campaign(&self, create: &Create, campaign: &PlatformCampaign) -> Result<bool, Error> {
        self.context.app.store.claim_campaign(create, &campaign.remote_id).await
    }

    /// Returns `true` if a campaign's record shows another create or an earlier origin. Not all platforms report the
    /// creation time.
    async fn belongs_to_another(&self, create: &Create, campaign: &PlatformCampaign) -> Result<bool, Error> {
        let record = self.context.app.store.latest_record(create.customer, &campaign.id).await?;
        let is_of_another = |record: CampaignRecord| match (record.create, record.created_at) {
            (Some(id), _) => id != create.id,
            (None, Some(_)) => true,
            // The service has changed the campaign and has no record of its creation.
            (None, None) => record.updated_at < create.began_at(),
        };
        Ok(record.is_some_and(is_of_another))
    }

    /// Pauses a campaign that its platform has created as active against the request.
    pub(super) async fn ensure_paused(
        &self,
        connection: &Connection,
        campaign: PlatformCampaign,
    ) -> Result<PlatformCampaign, Error> {
        if campaign.status != CampaignStatus::Active {
            return Ok(campaign);
        }
        let changes = CampaignChanges::of_status(CampaignStatus::Paused);
        let (campaign, changes) = (&campaign, &changes);
        let pause = || {
            self.context.in_account(connection, |adapter, session| async move {
                match adapter.update_campaign(&session, campaign, changes).await? {
                    Some(seen) => Ok(seen),
                    None => adapter.read_again(&session, campaign).await,
                }
            })
        };
        let seen = match pause().await {
            Ok(seen) if seen.status != CampaignStatus::Active => return Ok(seen),
            // A pause is safe to repeat.
            _ => pause().await?,
        };
        if seen.status == CampaignStatus::Active {
            let message = "The campaign is active, and its platform has confirmed a pause.";
            return Err(Error::new(Kind::PlatformFailed, message).on(seen.platform()));
        }
        Ok(seen)
    }
}
