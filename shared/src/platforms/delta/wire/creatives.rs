//! Messages about ads, which the platform calls creatives.

use crate::platforms::rows::{text_or_none, value_or_none};
use serde::Deserialize;
use serde_with::apply;

/// Prefix: a number follows.
pub(in crate::platforms::delta) const CREATIVE_URN: &str = "urn:li:sponsoredCreative:";

/// <https://learn.microsoft.com/en-us/linkedin/marketing/integrations/ads/account-structure/create-and-manage-creatives>
#[apply(Option<String> => #[serde(default, deserialize_with = "text_or_none")])]
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(in crate::platforms::delta) struct Creative {
    /// URN.
    pub(in crate::platforms::delta) id: String,
    /// URN of the campaign.
    pub(in crate::platforms::delta) campaign: String,
    /// Creatives of earlier years have none.
    pub(in crate::platforms::delta) name: Option<String>,
    /// What the advertiser chose.
    pub(in crate::platforms::delta) intended_status: Option<String>,
    #[serde(default, deserialize_with = "value_or_none")]
    pub(in crate::platforms::delta) is_serving: Option<bool>,
    /// Absent while it serves.
    #[serde(default, deserialize_with = "value_or_none")]
    pub(in crate::platforms::delta) serving_hold_reasons: Option<Vec<String>>,
    /// A draft is never reviewed.
    #[serde(default, deserialize_with = "value_or_none")]
    pub(in crate::platforms::delta) review: Option<Review>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(in crate::platforms::delta) struct Review {
    #[serde(default, deserialize_with = "text_or_none")]
    pub(in crate::platforms::delta) status: Option<String>,
    #[serde(default, deserialize_with = "value_or_none")]
    pub(in crate::platforms::delta) rejection_reasons: Option<Vec<String>>,
}
