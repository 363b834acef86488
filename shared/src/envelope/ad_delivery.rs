//! Whether campaigns are shown, and why not. Both shapes have the same fields; the enveloped one has them inside `data`.

use super::response::{Data, ok};
use super::wire::iso_millis;
use super::{CampaignDelivery, Shape, enveloped, flat};
use crate::domain::{AdCounts, AdDelivery, AdReview, AdState, PlatformAd, ReasonGroup, Rejection};
use http::Response;
use lambda_http::Body;
use serde::Serialize;

/// Most ads of one response.
pub(super) const MAX_ADS: usize = 100;

/// The `delivery` of a campaign.
#[derive(Serialize)]
pub(super) struct WireDelivery<'a> {
    state: &'static str,
    reasons: Vec<WireReason<'a>>,
    ads: Option<WireCounts>,
    ads_unread: Option<&'static str>,
}

impl<'a> From<&'a AdDelivery> for WireDelivery<'a> {
    fn from(delivery: &'a AdDelivery) -> WireDelivery<'a> {
        let AdDelivery { state, reasons, ads, ads_unread } = delivery;
        WireDelivery {
            state: state.as_str(),
            reasons: reasons.iter().map(WireReason::from).collect(),
            ads: ads.map(WireCounts::from),
            ads_unread: ads_unread.map(|reason| reason.as_str()),
        }
    }
}

#[derive(Serialize)]
struct WireReason<'a> {
    reason: &'static str,
    level: &'static str,
    count: Option<usize>,
    words: &'a [String],
    message: Option<&'a str>,
}

impl<'a> From<&'a ReasonGroup> for WireReason<'a> {
    fn from(group: &'a ReasonGroup) -> WireReason<'a> {
        let ReasonGroup { effect: _, reason, level, count, words, message } = group;
        WireReason { reason: reason.as_str(), level: level.as_str(), count: *count, words, message: message.as_deref() }
    }
}

#[derive(Serialize)]
struct WireCounts {
    total: usize,
    can_run: usize,
    waiting: usize,
    blocked: usize,
    off: usize,
    unknown: usize,
    rejected: usize,
}

impl From<AdCounts> for WireCounts {
    fn from(counts: AdCounts) -> WireCounts {
        let AdCounts { total, can_run, waiting, blocked, off, unknown, rejected } = counts;
        WireCounts { total, can_run, waiting, blocked, off, unknown, rejected }
    }
}

/// The body of `getDelivery`.
#[derive(Serialize)]
struct DeliveryBody<'a> {
    campaign_id: String,
    platform: &'static str,
    status: Option<&'static str>,
    delivery: WireDelivery<'a>,
    ads: Vec<WireAd<'a>>,
    read_at: String,
}

#[derive(Serialize)]
struct WireAd<'a> {
    id: &'a str,
    name: Option<&'a str>,
    group_id: Option<&'a str>,
    group_name: Option<&'a str>,
    state: &'static str,
    review: &'static str,
    reasons: Vec<WireAdReason<'a>>,
    rejections: Vec<WireRejection<'a>>,
}

#[derive(Serialize)]
struct WireAdReason<'a> {
    reason: &'static str,
    word: Option<&'a str>,
    message: Option<&'a str>,
}

#[derive(Serialize)]
struct WireRejection<'a> {
    code: Option<&'a str>,
    text: Option<&'a str>,
}

impl<'a> From<&'a PlatformAd> for WireAd<'a> {
    fn from(ad: &'a PlatformAd) -> WireAd<'a> {
        let reasons = ad.holds.iter().map(|hold| WireAdReason {
            reason: hold.reason.as_str(),
            word: hold.word.as_deref(),
            message: hold.message.as_deref(),
        });
        let rejections = ad
            .rejections
            .iter()
            .map(|Rejection { code, text }| WireRejection { code: code.as_deref(), text: text.as_deref() });
        WireAd {
            id: &ad.id,
            name: ad.name.as_deref(),
            group_id: ad.group_id.as_deref(),
            group_name: ad.group_name.as_deref(),
            state: ad.state().as_str(),
            review: ad.review.as_str(),
            reasons: reasons.collect(),
            rejections: rejections.collect(),
        }
    }
}

/// The order of ads: rejected ones first, then those that do not run, then by id.
fn order(ad: &&PlatformAd) -> (bool, u8, String) {
    let urgency = match (ad.state(), ad.review) {
        (AdState::Blocked, _) => 0,
        (AdState::Waiting, _) | (_, AdReview::InReview) => 1,
        (AdState::Unknown, _) => 2,
        (AdState::CanRun, _) => 3,
        (AdState::Off, _) => 4,
    };
    (!ad.is_rejected(), urgency, ad.id.clone())
}

/// The response of `getDelivery`, with at most 100 ads.
pub(super) fn response(read: &CampaignDelivery, shape: Shape) -> Response<Body> {
    let CampaignDelivery { campaign, delivery, ads, read_at } = read;
    let mut ads: Vec<&PlatformAd> = ads.iter().collect();
    ads.sort_by_cached_key(order);
    let body = DeliveryBody {
        campaign_id: campaign.id.to_string(),
        platform: shape.platform_name(campaign.id.platform()),
        status: match shape {
            Shape::Flat => flat::status_name(campaign.status),
            Shape::Enveloped => Some(enveloped::status_name(campaign.status)),
        },
        delivery: WireDelivery::from(delivery),
        ads: ads.into_iter().take(MAX_ADS).map(WireAd::from).collect(),
        read_at: iso_millis(*read_at),
    };
    match shape {
        Shape::Flat => ok(&body),
        Shape::Enveloped => ok(&Data { data: body }),
    }
}
