//! Messages of ads and of the ad groups that hold them.

use crate::platforms::rows::{text_or_none, value_or_none};
use serde::Deserialize;
use serde_with::apply;

/// <https://developers.pinterest.com/docs/api/v5/ads-list/>
#[apply(
    Option<String> => #[serde(default, deserialize_with = "text_or_none")],
    Option<Vec<String>> => #[serde(default, deserialize_with = "value_or_none")],
)]
#[derive(Debug, Deserialize)]
pub(in crate::platforms::epsilon) struct Ad {
    pub(in crate::platforms::epsilon) id: String,
    pub(in crate::platforms::epsilon) campaign_id: String,
    pub(in crate::platforms::epsilon) ad_group_id: Option<String>,
    pub(in crate::platforms::epsilon) name: Option<String>,
    /// Whether the ad itself is on and approved. Of its ad group it says nothing.
    pub(in crate::platforms::epsilon) summary_status: Option<String>,
    pub(in crate::platforms::epsilon) review_status: Option<String>,
    /// Codes, for a rejected ad.
    pub(in crate::platforms::epsilon) rejected_reasons: Option<Vec<String>>,
    /// Texts for people, for a rejected ad.
    pub(in crate::platforms::epsilon) rejection_labels: Option<Vec<String>>,
}

/// <https://developers.pinterest.com/docs/api/v5/ad_groups-list/>
#[apply(Option => #[serde(default, deserialize_with = "text_or_none")])]
#[derive(Debug, Deserialize)]
pub(in crate::platforms::epsilon) struct AdGroup {
    pub(in crate::platforms::epsilon) id: String,
    pub(in crate::platforms::epsilon) name: Option<String>,
    pub(in crate::platforms::epsilon) summary_status: Option<String>,
}

/// The objective in a campaign.
#[derive(Debug, Deserialize)]
pub(in crate::platforms::epsilon) struct Objective {
    #[serde(default, deserialize_with = "text_or_none")]
    pub(in crate::platforms::epsilon) objective_type: Option<String>,
}
