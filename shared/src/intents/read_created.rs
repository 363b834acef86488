//! Reads the campaign that an earlier request created.

use super::CreateSender;
use crate::domain::{Campaign, CampaignId, CampaignStatus, Connection, Intent, Moment, PlatformCampaign};
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
        let remote_id = id.remote_in(&intent.account_id).unwrap_or_default();
        let read = async { self.context.get_campaign(connection?, remote_id).await };
        let (read, record) = tokio::join!(read, self.context.app.store.record(intent.customer, id));
        let campaign = match read {
            Ok(campaign) => campaign,
            Err(error) if error.kind == Kind::NotFound => {
                PlatformCampaign { status: CampaignStatus::Archived, ..as_requested(intent, id) }
            }
            Err(error) => {
                tracing::warn!(intent = %intent.id, campaign = %id, %error, "a created campaign was not read");
                as_requested(intent, id)
            }
        };
        campaign.complete(record.ok().flatten())
    }
}

fn as_requested(intent: &Intent, id: &CampaignId) -> PlatformCampaign {
    let instant = |moment: Option<Moment>| match moment? {
        Moment::Instant(instant) => Some(instant),
        // Only the platform knows the exact instant of a calendar day.
        Moment::Day(_) => None,
    };
    PlatformCampaign {
        id: id.clone(),
        remote_id: id.remote_in(&intent.account_id).unwrap_or_default().to_owned(),
        start_at: instant(intent.draft.start_at),
        end_at: instant(intent.draft.end_at),
        created_at: Some(intent.created_at),
        updated_at: Some(intent.created_at),
        ..PlatformCampaign::of_draft(intent.platform, &intent.account_id, intent.currency, &intent.draft)
    }
}
