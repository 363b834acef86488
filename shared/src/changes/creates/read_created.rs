//! Reads the campaign that an earlier request created.

use super::CreateSender;
use crate::domain::{Campaign, CampaignId, CampaignStatus, Connection, Create, Moment, PlatformCampaign};
use crate::error::{Error, Kind};

impl CreateSender<'_> {
    /// The campaign of a create: as it is now, or as requested if it cannot be read. It exists even if its ad account
    /// is no longer connected.
    pub(super) async fn read_created(
        &self,
        connection: Result<&Connection, Error>,
        create: &Create,
        id: &CampaignId,
    ) -> Campaign {
        let connected = connection.as_ref().map_or(&create.connection, |known| &known.id).clone();
        let remote_id = id.remote_in(&create.account_id).unwrap_or_default();
        let read = async { self.context.get_campaign(connection?, remote_id).await };
        let (read, record) = tokio::join!(read, self.context.app.store.record(create.customer, id));
        let campaign = match read {
            Ok(campaign) => campaign,
            Err(error) if error.kind == Kind::NotFound => {
                PlatformCampaign { status: CampaignStatus::Archived, ..as_requested(create, id) }
            }
            Err(error) => {
                tracing::warn!(create = %create.id, campaign = %id, %error, "a created campaign was not read");
                as_requested(create, id)
            }
        };
        campaign.complete(&connected, record.ok().flatten())
    }
}

/// The paused campaign that a create has asked for.
pub(super) fn as_requested(create: &Create, id: &CampaignId) -> PlatformCampaign {
    let instant = |moment: Option<Moment>| match moment? {
        Moment::Instant(instant) => Some(instant),
        // Only the platform knows the exact instant of a calendar day.
        Moment::Day(_) => None,
    };
    PlatformCampaign {
        id: id.clone(),
        remote_id: id.remote_in(&create.account_id).unwrap_or_default().to_owned(),
        start_at: instant(create.draft().start_at),
        end_at: instant(create.draft().end_at),
        created_at: Some(create.began_at()),
        updated_at: Some(create.began_at()),
        ..PlatformCampaign::of_draft(create.platform, &create.account_id, create.currency, create.draft())
    }
}
