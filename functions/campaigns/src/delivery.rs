//! `getDelivery`: whether a campaign is shown, and why not.

use crate::CAMPAIGN;
use crate::request::CampaignInPath;
use shared::envelope::query::reject_unknown_params;
use shared::envelope::{CampaignDelivery, Reply};
use shared::error::Error;
use shared::platforms::{AccountSession, AdPlatform, AdsRequest};
use shared::serve::Call;
use std::slice;

/// Reads a campaign, its ads and what its platform holds against them. Concurrently its stored record is read; if that
/// fails, the platform's data stands alone.
pub(crate) async fn get(call: &Call) -> Result<Reply, Error> {
    reject_unknown_params(&call.request.query, &[])?;
    let CampaignInPath { id, connection, remote_id } = CampaignInPath::of(call)?;
    let read = |adapter: &'static dyn AdPlatform, session: AccountSession| {
        let remote_id = &remote_id;
        async move {
            let campaign = adapter.read_campaign(&session, remote_id).await?;
            let request = AdsRequest { campaigns: slice::from_ref(&campaign), with_rejections: true };
            let report = adapter.ads(&session, request).await?;
            Ok((campaign, report))
        }
    };
    let context = call.platform_context();
    let (read, record) = tokio::join!(context.in_account(connection, read), call.store().record(call.customer.id, &id));
    let (campaign, report) = read?;
    let record = record.unwrap_or_else(|error| {
        tracing::error!(campaign = %campaign.id, %error, source = error.source, "campaign record not read");
        None
    });
    let ads = report.of(&campaign.remote_id);
    let campaign = call.require_visible(campaign.complete(&connection.id, record), CAMPAIGN)?;
    let delivery = campaign.judge(&report.account, ads);
    let ads = ads.unwrap_or_default().to_vec();
    let read_at = call.request.now;
    Ok(Reply::CampaignDelivery(Box::new(CampaignDelivery { campaign, delivery, ads, read_at })))
}
