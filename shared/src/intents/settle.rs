//! Settling: what became of a create is asked of its platform.

use super::Orders;
use crate::domain::{Campaign, CampaignChanges, CampaignStatus, Connection, Intent, IntentState};
use crate::error::Error;
use crate::platforms::adapter;
use crate::store::CampaignRecord;

/// What was found out about an intent.
#[derive(Debug)]
pub enum Settled {
    /// This came of it.
    Created(Box<Campaign>),
    /// Nothing came of it.
    NotCreated,
    /// That is not certain yet.
    NotYet,
}

/// What a look for an intent's campaign found.
#[derive(Debug)]
pub(super) enum Sought {
    /// This campaign, claimed for the intent.
    Found(Box<Campaign>),
    /// Only campaigns that may be of another create of the same name.
    Contested,
    /// No campaign that may be of this intent.
    Nothing,
}

impl Orders<'_> {
    /// Looks what became of an intent, and keeps it. That nothing is there is believed only when the platform has had
    /// its time.
    pub async fn settle(&self, connection: &Connection, intent: &Intent) -> Result<Settled, Error> {
        let began = self.caller.app.clock.now();
        match self.find(connection, intent).await? {
            Settled::NotCreated if began >= intent.believed_from() => {
                self.keep_settled(intent, &IntentState::NotCreated).await;
                Ok(Settled::NotCreated)
            }
            Settled::NotCreated => Ok(Settled::NotYet),
            other => Ok(other),
        }
    }

    /// Looks for the campaign that came of an intent, and keeps it. [`Settled::NotCreated`] says only that there is
    /// none now.
    pub(super) async fn find(&self, connection: &Connection, intent: &Intent) -> Result<Settled, Error> {
        Ok(match self.seek(connection, intent).await? {
            Sought::Found(campaign) => Settled::Created(Box::new(self.take(connection, intent, *campaign).await?)),
            Sought::Contested => Settled::NotYet,
            Sought::Nothing => Settled::NotCreated,
        })
    }

    /// Looks for the campaign that came of an intent, and claims it for the intent. Changes nothing at the platform.
    pub(super) async fn seek(&self, connection: &Connection, intent: &Intent) -> Result<Sought, Error> {
        let (draft, marker) = (&intent.draft, &intent.marker());
        let look = self.caller.in_account(connection, |adapter, session| async move {
            adapter.find_created(&session, draft, marker).await
        });
        let found = look.await?;
        // Only now: whoever begins after the look made nothing that it found.
        let namesakes = self.caller.app.store.namesakes(intent).await?;
        let (now, mut is_contested) = (self.caller.app.clock.now(), false);
        for campaign in found {
            if self.caller.app.store.owner(intent, &campaign.remote_id).await? != Some(intent.id) {
                if namesakes.may_be_of_another(intent, campaign.created_at, now) {
                    is_contested = true;
                    continue;
                }
                if self.is_known_otherwise(intent, &campaign).await? || !self.own(intent, &campaign).await? {
                    continue;
                }
            }
            return Ok(Sought::Found(Box::new(campaign)));
        }
        Ok(if is_contested { Sought::Contested } else { Sought::Nothing })
    }

    /// Makes a found campaign the outcome of its intent: switched off, and kept.
    pub(super) async fn take(
        &self,
        connection: &Connection,
        intent: &Intent,
        campaign: Campaign,
    ) -> Result<Campaign, Error> {
        let campaign = self.paused(connection, campaign).await?;
        Ok(self.keep_created(intent, campaign).await)
    }

    async fn own(&self, intent: &Intent, campaign: &Campaign) -> Result<bool, Error> {
        self.caller.app.store.own(intent, &campaign.remote_id).await
    }

    /// Whether a campaign is known here as another's, or was before the intent: not every platform says how old one is.
    async fn is_known_otherwise(&self, intent: &Intent, campaign: &Campaign) -> Result<bool, Error> {
        let record = self.caller.app.store.record(intent.customer, &campaign.id).await?;
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
        let pause = self.caller.in_account(connection, |adapter, session| async move {
            adapter.update_campaign(&session, campaign, changes).await
        });
        pause.await
    }
}
