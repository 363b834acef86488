//! Reads the campaign that an earlier request created.

use super::CreateSender;
use crate::domain::{Campaign, CampaignDraft, CampaignId, CampaignStatus, Connection, Intent, Moment};
use crate::error::{Error, Kind};

impl CreateSender<'_> {
    /// The campaign of an intent: as it is now, or as requested if it cannot be read. It exists even if its ad account
    /// is no longer connected.
    pub(super) async fn read_created(
        &self,
        connection: Result<&Connection, Error>,
        intent: &Intent,
        id: &CampaignId,
    ) -> Campaign {
        let read =
            async { self.read_campaign(connection?, id.remote_in(&intent.account_id).unwrap_or_default()).await };
        let (read, record) = tokio::join!(read, self.context.app.store.record(intent.customer, id));
        let mut campaign = match read {
            Ok(campaign) => campaign,
            Err(error) if error.kind == Kind::NotFound => {
                Campaign { status: CampaignStatus::Archived, ..as_requested(intent, id) }
            }
            Err(error) => {
                tracing::warn!(intent = %intent.id, campaign = %id, %error, "a created campaign was not read");
                as_requested(intent, id)
            }
        };
        if let Ok(Some(record)) = record {
            record.apply_to(&mut campaign);
        }
        campaign
    }

    async fn read_campaign(&self, connection: &Connection, remote_id: &str) -> Result<Campaign, Error> {
        let read = self
            .context
            .in_account(connection, |adapter, session| async move { adapter.get_campaign(&session, remote_id).await });
        read.await
    }
}

fn as_requested(intent: &Intent, id: &CampaignId) -> Campaign {
    let CampaignDraft { name, goal, budget_amount, budget_period, start_at, end_at } = intent.draft.clone();
    let instant = |moment: Option<Moment>| match moment? {
        Moment::Instant(instant) => Some(instant),
        // Only the platform knows the exact instant of a calendar day.
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
        currency: intent.currency,
        total_spend_amount: None,
        start_at: instant(start_at),
        end_at: instant(end_at),
        created_at: Some(intent.created_at),
        updated_at: Some(intent.created_at),
        raw: String::new(),
    }
}
