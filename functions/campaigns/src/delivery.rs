//! `getDelivery`: whether a campaign is shown, and why not.

use crate::request::CampaignInPath;
use shared::envelope::query::reject_unknown_params;
use shared::envelope::{CampaignDelivery, Reply};
use shared::error::Error;
use shared::platforms::{AccountSession, AdPlatform, AdsRequest};
use shared::serve::Call;
use std::slice;

/// Reads a campaign with its spend, which the page of a campaign shows, its ads and what its platform holds against them.
pub(crate) async fn get(call: &Call) -> Result<Reply, Error> {
    reject_unknown_params(&call.request.query, &[])?;
    let in_path = CampaignInPath::of(call)?;
    let read = |adapter: &'static dyn AdPlatform, session: AccountSession| {
        let remote_id = &in_path.remote_id;
        async move {
            let campaign = adapter.get_campaign(&session, remote_id).await?;
            let request = AdsRequest { campaigns: slice::from_ref(&campaign), with_rejections: true };
            let report = adapter.ads(&session, request).await?;
            Ok((campaign, report))
        }
    };
    let context = call.platform_context();
    let (campaign, report) = in_path.with_record(call, context.in_account(in_path.connection, read)).await?;
    let ads = report.of(&in_path.remote_id);
    let delivery = campaign.judge(&report.account, ads);
    let ads = ads.unwrap_or_default().to_vec();
    let read_at = call.request.now;
    Ok(Reply::CampaignDelivery(Box::new(CampaignDelivery { campaign, delivery, ads, read_at })))
}
