//! The ads of campaigns, and what the platform holds against them. Campaigns of Performance Max have asset groups
//! instead of ads.

mod signals;
mod words;

use super::{api, query, wire};
use crate::domain::{AdReview, AdState, DeliveryReason, Effect, Hold, Level, PlatformAd, Rejection};
use crate::platforms::engine::ads::all_rows;
use crate::platforms::engine::words::meaning;
use crate::platforms::prelude::*;
pub(super) use signals::signals;

/// Reads the ads of campaigns with one search. The status of the customer is in the campaigns' own rows.
pub(super) async fn read(session: &AccountSession, request: AdsRequest<'_>) -> Result<AdsReport, Error> {
    let (without_ads, asked): (Vec<_>, Vec<_>) = request.campaigns.iter().partition(|campaign| has_no_ads(campaign));
    let report = match search(session, &asked).await? {
        Some(ads) => AdsReport::whole(request, Vec::new(), ads),
        None => AdsReport::unread(request, Vec::new(), AdsUnread::TooMany),
    };
    let leave_out =
        |report: AdsReport, campaign: &PlatformCampaign| report.without(&campaign.remote_id, AdsUnread::NotOffered);
    Ok(without_ads.into_iter().fold(report, leave_out))
}

fn has_no_ads(campaign: &PlatformCampaign) -> bool {
    let row = read_object::<wire::GoogleAdsRow>(Platform::Alpha, campaign.raw.as_bytes()).ok();
    let channel = row.and_then(|row| row.campaign?.advertising_channel_type);
    channel.as_deref() == Some("PERFORMANCE_MAX")
}

/// The ads of campaigns; `None` if they are too many.
async fn search(session: &AccountSession, campaigns: &[&PlatformCampaign]) -> Result<Option<Vec<PlatformAd>>, Error> {
    if campaigns.is_empty() {
        return Ok(Some(Vec::new()));
    }
    let id = |campaign: &&PlatformCampaign| query::number(&campaign.remote_id);
    let ids: Option<Vec<i64>> = campaigns.iter().map(id).collect();
    let query = query::ads(&ids.ok_or_else(|| Error::not_found("campaign"))?);
    let client = Client::of(&api::API, session);
    let Some(rows) = all_rows(&client, &api::search(&session.account.id, &query)).await? else { return Ok(None) };
    let ads: Result<Vec<Option<PlatformAd>>, Error> = rows.iter().map(|row| ad(row.get())).collect();
    Ok(Some(ads?.into_iter().flatten().collect()))
}

/// An ad from a row; `None` if it is removed.
fn ad(row: &str) -> Result<Option<PlatformAd>, Error> {
    let wire::AdRow { campaign, ad_group, ad_group_ad: found } = read_object(Platform::Alpha, row.as_bytes())?;
    if found.status.as_deref() == Some("REMOVED") {
        return Ok(None);
    }
    let word = found.primary_status.as_deref();
    let (state, held) = match word.map(|word| meaning(words::AD_STATES, word)) {
        Some(Some(None)) => return Ok(None),
        Some(Some(Some(known))) => known,
        Some(None) | None => (AdState::Unknown, Some((Effect::IsUnknown, DeliveryReason::Other))),
    };
    let summary = found.policy_summary.unwrap_or_default();
    let review = review(&summary);
    let mut holds: Vec<Hold> = found.primary_status_reasons.iter().filter_map(|reason| hold(held, reason)).collect();
    let is_unexplained = holds.is_empty() || state == AdState::Unknown;
    if let (Some(word), Some((effect, reason)), true) = (word, held, is_unexplained) {
        holds.push(Hold::new(effect, reason, Level::Ad, word));
    }
    let is_named = holds.iter().any(|hold| hold.reason == DeliveryReason::AdsRejected);
    if review == AdReview::Rejected && !is_named {
        holds.push(Hold::new(Effect::Blocks, DeliveryReason::AdsRejected, Level::Ad, "DISAPPROVED"));
    }
    let topics = topics(&summary);
    let rejections = topics.iter().filter(|_| review == AdReview::Rejected);
    Ok(Some(PlatformAd {
        campaign: campaign.id.0.to_string(),
        id: found.ad.id.0.to_string(),
        name: found.ad.name.filter(|name| !name.is_empty()),
        group_id: ad_group.id.map(|id| id.0.to_string()),
        group_name: ad_group.name,
        verdict: Some(state),
        review,
        rejections: rejections.map(|topic| Rejection::new(Some(topic), None)).collect(),
        holds: holds.into_iter().map(|hold| naming(hold, &topics)).collect(),
    }))
}

/// What a reason holds against an ad; `None` for one that changes nothing. One that is not known has the effect of the
/// primary status that it explains.
fn hold(of_status: words::Held, word: &str) -> Option<Hold> {
    let of_status = of_status.map(|(effect, _)| effect).filter(|effect| *effect != Effect::SwitchesOff);
    let unknown = (of_status.unwrap_or(Effect::IsUnknown), DeliveryReason::Other);
    let (effect, reason) = meaning(words::AD_REASONS, word).unwrap_or(Some(unknown))?;
    Some(Hold::new(effect, reason, Level::Ad, word))
}

fn review(summary: &wire::PolicySummary) -> AdReview {
    let has = |field, word| {
        let found = match field {
            words::Field::Approval => &summary.approval_status,
            words::Field::Review => &summary.review_status,
        };
        found.as_deref() == Some(word)
    };
    let row = words::REVIEWS.iter().find(|(field, word, _)| has(*field, *word));
    row.map_or(AdReview::Unknown, |(_, _, review)| *review)
}

/// The policies that hold an ad back.
fn topics(summary: &wire::PolicySummary) -> Vec<&str> {
    let is_harmless = |kind: &str| words::HARMLESS_TOPICS.contains(&kind);
    let entries = summary.policy_topic_entries.iter().filter(|entry| !entry.kind.as_deref().is_some_and(is_harmless));
    entries.filter_map(|entry| entry.topic.as_deref()).collect()
}

/// The same with the policies, where they are the reason. The platform has no other text of it.
fn naming(hold: Hold, topics: &[&str]) -> Hold {
    match hold.reason {
        DeliveryReason::AdsRejected | DeliveryReason::AdsLimited => hold.saying(Some(&topics.join(", "))),
        _ => hold,
    }
}

#[cfg(test)]
mod tests;
