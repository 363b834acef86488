//! Settling: what became of a create is asked of its platform.

use super::Orders;
use crate::domain::{Campaign, CampaignChanges, CampaignStatus, Connection, Intent, IntentState};
use crate::error::Error;

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
        let (draft, marker) = (&intent.draft, &intent.marker());
        let look = self.caller.in_account(connection, |adapter, session| async move {
            adapter.find_created(&session, draft, marker).await
        });
        let found = look.await?;
        let store = &self.caller.app.store;
        // Only now: whoever begins after the look made nothing that it found.
        let namesakes = store.namesakes(intent).await?;
        let (now, mut is_contested) = (self.caller.app.clock.now(), false);
        for campaign in found {
            let is_mine = match namesakes.owner(&campaign.remote_id) {
                Some(owner) if owner == intent.id => true,
                Some(_) => false,
                None if namesakes.others_under_way(intent.id, now) => {
                    is_contested = true;
                    false
                }
                None => {
                    !self.is_older(intent, &campaign).await? && store.name_made(intent, &campaign.remote_id).await?
                }
            };
            if is_mine {
                let campaign = self.paused(connection, campaign).await?;
                return Ok(Settled::Created(Box::new(self.keep_created(intent, campaign).await)));
            }
        }
        Ok(if is_contested { Settled::NotYet } else { Settled::NotCreated })
    }

    /// Whether a campaign was known here before the intent: not every platform says how old one is.
    async fn is_older(&self, intent: &Intent, campaign: &Campaign) -> Result<bool, Error> {
        let record = self.caller.app.store.record(intent.customer, &campaign.id).await?;
        Ok(record.is_some_and(|record| record.created_at != Some(intent.since)))
    }

    /// A campaign that nobody was told of yet must not run: where the platform passed over the order to make it
    /// switched off, it is switched off now.
    async fn paused(&self, connection: &Connection, campaign: Campaign) -> Result<Campaign, Error> {
        if campaign.status != CampaignStatus::Active {
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
