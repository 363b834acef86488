//! Messages about ads and their reviews.

use super::Id;
use crate::platforms::rows::{text_or_none, value_or_none};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_with::apply;
use std::collections::HashMap;

/// `filtering` of a list of ads. Removed ads are left out by default.
#[derive(Debug, Serialize)]
pub(in crate::platforms::gamma) struct AdFilter<'a> {
    pub(in crate::platforms::gamma) campaign_ids: &'a [&'a str],
}

/// An ad. Manual: <https://business-api.tiktok.com/portal/docs?id=1735735588640770>; Smart+:
/// <https://business-api.tiktok.com/portal/docs?id=1843317378982914>
#[apply(Option<String> => #[serde(default, deserialize_with = "text_or_none")])]
#[derive(Debug, Deserialize)]
pub(in crate::platforms::gamma) struct Ad {
    pub(in crate::platforms::gamma) campaign_id: Id,
    /// Of a Smart+ ad it is the id of one of its creatives.
    #[serde(default, deserialize_with = "value_or_none")]
    pub(in crate::platforms::gamma) ad_id: Option<Id>,
    /// Only in the list of Smart+ ads.
    #[serde(default, deserialize_with = "value_or_none")]
    pub(in crate::platforms::gamma) smart_plus_ad_id: Option<Id>,
    pub(in crate::platforms::gamma) ad_name: Option<String>,
    pub(in crate::platforms::gamma) adgroup_id: Option<String>,
    pub(in crate::platforms::gamma) adgroup_name: Option<String>,
    pub(in crate::platforms::gamma) secondary_status: Option<String>,
}

/// The reviews of manual ads, by ad. <https://business-api.tiktok.com/portal/docs?id=1740559669226498>
#[derive(Debug, Deserialize)]
pub(in crate::platforms::gamma) struct ManualReviews {
    /// Read separately: a [`Review`], or some by ad.
    #[serde(default, deserialize_with = "value_or_none")]
    pub(in crate::platforms::gamma) ad_review_map: Option<HashMap<String, Box<RawValue>>>,
}

/// The reviews of Smart+ ads and of their creatives. <https://business-api.tiktok.com/portal/docs?id=1843317465695233>
#[derive(Debug, Deserialize)]
pub(in crate::platforms::gamma) struct SmartPlusReviews {
    #[serde(default, deserialize_with = "value_or_none")]
    pub(in crate::platforms::gamma) smart_plus_ad_review_infos: Option<Vec<SmartPlusReview>>,
    #[serde(default, deserialize_with = "value_or_none")]
    pub(in crate::platforms::gamma) material_review_infos: Option<Vec<SmartPlusReview>>,
}

/// The review of a Smart+ ad, or of one of its creatives.
#[derive(Debug, Deserialize)]
pub(in crate::platforms::gamma) struct SmartPlusReview {
    pub(in crate::platforms::gamma) smart_plus_ad_id: Id,
    pub(in crate::platforms::gamma) reject_info: Option<Vec<RejectInfo>>,
}

/// The review of a manual ad.
#[derive(Debug, Deserialize)]
pub(in crate::platforms::gamma) struct Review {
    pub(in crate::platforms::gamma) reject_info: Option<Vec<RejectInfo>>,
}

/// Why a review rejected a part of an ad.
#[derive(Debug, Deserialize)]
pub(in crate::platforms::gamma) struct RejectInfo {
    pub(in crate::platforms::gamma) reasons: Option<Vec<String>>,
    /// What the advertiser may do.
    pub(in crate::platforms::gamma) suggestion: Option<String>,
}
