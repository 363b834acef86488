//! The ads of campaigns, and what TikTok holds against them.
//!
//! Manual ads and Smart+ ads have a list each. The list of manual ads shows the creatives of Smart+ ads as well; these are
//! left out, because each would count as an ad.

mod reviews;
pub(super) mod words;

use super::api::{self, API, LARGEST_PAGE};
use super::error::lacks_permission;
use super::family::ApiFamily;
use super::wire;
use crate::domain::PlatformAd;
use crate::platforms::engine::ads::all_rows;
use crate::platforms::prelude::*;
use futures_util::future::join_all;

/// Most campaigns, or ads, that a call names.
const BATCH_SIZE: usize = 100;
/// Rows of the largest page of Smart+ ads. <https://business-api.tiktok.com/portal/docs?id=1843317378982914>
const LARGEST_SMART_PLUS_PAGE: usize = 100;
/// The fields of ads that are read. Those of Smart+ ads have their id unasked, and it is no field to ask for.
const MANUAL_FIELDS: &str = r#"["campaign_id","adgroup_id","adgroup_name","ad_id","ad_name","secondary_status"]"#;
const SMART_PLUS_FIELDS: &str = r#"["campaign_id","adgroup_id","adgroup_name","ad_name","secondary_status"]"#;

/// Campaigns of one family that a call can name.
struct Batch<'a> {
    family: ApiFamily,
    campaigns: Vec<&'a PlatformCampaign>,
}

/// Reads the ads of campaigns, each batch to its end.
pub(super) async fn read(session: &AccountSession, request: AdsRequest<'_>) -> Result<AdsReport, Error> {
    let batches = batches(request.campaigns);
    let reads = join_all(batches.iter().map(|batch| batch.read(session, request.with_rejections))).await;
    let (mut ads, mut unread) = (Vec::new(), Vec::new());
    for (batch, outcome) in batches.iter().zip(reads) {
        match outcome.map_err(|error| errors::account_error(Platform::Gamma, error))? {
            Ok(read) => ads.extend(read),
            Err(reason) => unread.extend(batch.ids().into_iter().map(|id| (id, reason))),
        }
    }
    let others = request.campaigns.iter().filter(|campaign| ApiFamily::of_ads(&campaign.raw).is_none());
    unread.extend(others.map(|campaign| (campaign.remote_id.as_str(), AdsUnread::NotOffered)));
    let report = AdsReport::whole(request, Vec::new(), ads);
    Ok(unread.into_iter().fold(report, |report, (id, reason)| report.without(id, reason)))
}

fn batches(campaigns: &[PlatformCampaign]) -> Vec<Batch<'_>> {
    let of = |family| {
        let its = campaigns.iter().filter(move |campaign| ApiFamily::of_ads(&campaign.raw) == Some(family));
        let its: Vec<&PlatformCampaign> = its.collect();
        its.chunks(BATCH_SIZE).map(|campaigns| Batch { family, campaigns: campaigns.to_vec() }).collect::<Vec<_>>()
    };
    [ApiFamily::Manual, ApiFamily::SmartPlus].into_iter().flat_map(of).collect()
}

impl Batch<'_> {
    fn ids(&self) -> Vec<&str> {
        self.campaigns.iter().map(|campaign| campaign.remote_id.as_str()).collect()
    }

    async fn read(
        &self,
        session: &AccountSession,
        with_rejections: bool,
    ) -> Result<Result<Vec<PlatformAd>, AdsUnread>, Error> {
        let rows = match all_rows(&Client::of(&API, session), &self.pages(session)?).await {
            Ok(Some(rows)) => rows,
            Ok(None) => return Ok(Err(AdsUnread::TooMany)),
            Err(error) if lacks_permission(&error) => return Ok(Err(AdsUnread::NotPermitted)),
            Err(error) => return Err(error),
        };
        let ads: Result<Vec<Option<PlatformAd>>, Error> = rows.into_iter().map(|row| self.ad(row)).collect();
        let mut ads: Vec<PlatformAd> = ads?.into_iter().flatten().collect();
        if with_rejections {
            reviews::fill(session, self.family, &mut ads).await?;
        }
        Ok(Ok(ads))
    }

    /// The pages of the ads; the token of a page is its number. A row that cannot be read is an error: without it the list
    /// would not be whole.
    fn pages<'a>(&self, session: &'a AccountSession) -> Result<Pages<'a, wire::Ad>, Error> {
        let path = self.family.ads_path("get");
        let (fields, size) = match self.family {
            ApiFamily::Manual => (MANUAL_FIELDS, LARGEST_PAGE),
            ApiFamily::SmartPlus => (SMART_PLUS_FIELDS, LARGEST_SMART_PLUS_PAGE),
        };
        let filtering =
            serde_json::to_string(&wire::AdFilter { campaign_ids: &self.ids() }).map_err(Error::internal)?;
        let request = move |token: Option<&str>| {
            let parameters = [
                ("advertiser_id", session.account.id.as_str()),
                ("filtering", &filtering),
                ("fields", fields),
                ("page", token.unwrap_or("1")),
                ("page_size", &size.to_string()),
            ];
            Ok(api::query(&path, &parameters))
        };
        Ok(Pages::new(request, move |called, response| api::read_numbered(called, response, size)))
    }

    /// An ad; `None` for a removed one.
    fn ad(&self, row: wire::Ad) -> Result<Option<PlatformAd>, Error> {
        let id = match self.family {
            ApiFamily::Manual => row.ad_id,
            ApiFamily::SmartPlus => row.smart_plus_ad_id,
        };
        let id = id.ok_or_else(|| unreadable(Platform::Gamma, "an ad without an id"))?;
        let campaign = row.campaign_id.to_string();
        let is_daily = |its: &&PlatformCampaign| its.budget_period == Some(BudgetPeriod::Daily);
        let its = self.campaigns.iter().copied().find(|its| its.remote_id == campaign);
        let said = words::of_ad(row.secondary_status.as_deref(), its.filter(is_daily).is_some());
        let is_there = |text: &String| !text.is_empty();
        Ok(said.map(|(review, hold)| PlatformAd {
            campaign,
            id: id.to_string(),
            name: row.ad_name.filter(is_there),
            group_id: row.adgroup_id.filter(is_there),
            group_name: row.adgroup_name.filter(is_there),
            verdict: None,
            review,
            holds: Vec::from_iter(hold),
            rejections: Vec::new(),
        }))
    }
}

#[cfg(test)]
mod tests;
