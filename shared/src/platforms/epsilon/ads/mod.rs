//! The ads of campaigns, and what Pinterest holds against them.
//!
//! An ad's word is about the ad alone: an approved ad in a paused ad group is not shown. So the ad groups are read too, at
//! the same time; a list takes no ids of ad groups beside those of campaigns.
//!
//! Not verified: that the lists of ads and ad groups take the state DRAFT in their filter, as the list of campaigns does;
//! Pinterest describes one parameter for the three, and older pages name ACTIVE, PAUSED and ARCHIVED only.

pub(super) mod words;

use super::api::{self, API};
use super::wire;
use crate::domain::{AdReview, DeliveryReason, Hold, Level, PlatformAd, Rejection};
use crate::platforms::engine::ads::all_rows;
use crate::platforms::prelude::*;
use std::collections::HashMap;

/// States of ads that are read. An archived ad is removed.
const ADS: &[&str] = &["ACTIVE", "PAUSED", "DRAFT"];
/// States of ad groups that are read. An archived one says that its ads are removed, whatever they say.
const GROUPS: &[&str] = &["ACTIVE", "PAUSED", "DRAFT", "ARCHIVED"];
/// Campaigns that may show products of a catalog in place of ads.
const OF_CATALOGS: [&str; 2] = ["SALES", "CATALOG_SALES"];

/// Reads the ads of campaigns. A list without ads proves nothing for campaigns that may show products of a catalog.
pub(super) async fn read(session: &AccountSession, request: AdsRequest<'_>) -> Result<AdsReport, Error> {
    let client = Client::of(&API, session);
    let account = &session.account.id;
    let mut ads = Vec::new();
    for campaigns in request.ids().chunks(api::MOST_CAMPAIGNS) {
        let of_groups = api::of_campaigns(account, "ad_groups", campaigns, GROUPS)?;
        let of_ads = api::of_campaigns(account, "ads", campaigns, ADS)?;
        let (groups, read) = tokio::join!(all_rows(&client, &of_groups), all_rows(&client, &of_ads));
        let whole = |error| errors::account_error(Platform::Epsilon, error);
        let (Some(groups), Some(read)) = (groups.map_err(whole)?, read.map_err(whole)?) else {
            return Ok(AdsReport::unread(request, Vec::new(), AdsUnread::TooMany));
        };
        let groups = groups.into_iter().map(|group: wire::AdGroup| (group.id.clone(), group)).collect();
        ads.extend(read.into_iter().filter_map(|row| ad(row, &groups)));
    }
    let report = AdsReport::whole(request, Vec::new(), ads);
    let unclear = request.campaigns.iter().filter(|campaign| may_show_catalog(campaign));
    Ok(unclear.fold(report, |report, campaign| match report.of(&campaign.remote_id) {
        Ok([]) => report.without(&campaign.remote_id, AdsUnread::NotOffered),
        _ => report,
    }))
}

fn may_show_catalog(campaign: &PlatformCampaign) -> bool {
    let objective = serde_json::from_str::<wire::Objective>(&campaign.raw).ok().and_then(|found| found.objective_type);
    objective.is_some_and(|objective| OF_CATALOGS.contains(&objective.as_str()))
}

/// An ad with what is held against it and its ad group; `None` for a removed one.
fn ad(row: wire::Ad, groups: &HashMap<String, wire::AdGroup>) -> Option<PlatformAd> {
    let group = row.ad_group_id.as_ref().and_then(|id| groups.get(id));
    let of_group = match group {
        Some(group) => words::of_group(group.summary_status.as_deref())?,
        None => vec![Hold::unknown(Level::Ad, "")],
    };
    let review = words::review(row.review_status.as_deref());
    let rejections = if review == AdReview::Rejected { rejections(&row) } else { Vec::new() };
    let text = rejections.iter().find_map(|rejection| rejection.text.as_deref());
    let own = words::of_ad(row.summary_status.as_deref())?.into_iter();
    let said = |hold: Hold| if hold.reason == DeliveryReason::AdsRejected { hold.saying(text) } else { hold };
    let mut holds: Vec<Hold> = own.map(said).collect();
    for hold in of_group {
        if !holds.contains(&hold) {
            holds.push(hold);
        }
    }
    Some(PlatformAd {
        campaign: row.campaign_id,
        id: row.id,
        name: row.name,
        group_name: group.and_then(|group| group.name.clone()),
        group_id: row.ad_group_id,
        verdict: None,
        review,
        holds,
        rejections,
    })
}

/// Why an ad was rejected. Pinterest does not say which of several texts belongs to which code.
fn rejections(row: &wire::Ad) -> Vec<Rejection> {
    let codes = row.rejected_reasons.as_deref().unwrap_or_default();
    let texts = row.rejection_labels.as_deref().unwrap_or_default();
    if let ([code], [text]) = (codes, texts) {
        return vec![Rejection::new(Some(code), Some(text))];
    }
    let codes = codes.iter().map(|code| Rejection::new(Some(code), None));
    codes.chain(texts.iter().map(|text| Rejection::new(None, Some(text)))).collect()
}

#[cfg(test)]
mod tests;
