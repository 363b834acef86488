//! Rows of a search for ads. What says which ad a row is of is read strictly, because a list without one of its ads
//! proves nothing.

use super::{Identified, Int64};
use crate::platforms::rows::{text_of, text_or_none, value_or_none};
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;
use serde_with::apply;

/// A `GoogleAdsRow` of a search for ads.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(in crate::platforms::alpha) struct AdRow {
    pub(in crate::platforms::alpha) campaign: Identified,
    #[serde(default)]
    pub(in crate::platforms::alpha) ad_group: AdGroup,
    pub(in crate::platforms::alpha) ad_group_ad: AdGroupAd,
}

#[apply(
    Option<Int64> => #[serde(deserialize_with = "value_or_none")],
    Option<String> => #[serde(deserialize_with = "text_or_none")],
)]
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(in crate::platforms::alpha) struct AdGroup {
    pub(in crate::platforms::alpha) id: Option<Int64>,
    pub(in crate::platforms::alpha) name: Option<String>,
}

#[apply(
    Option<String> => #[serde(default, deserialize_with = "text_or_none")],
    Option<PolicySummary> => #[serde(default, deserialize_with = "value_or_none")],
)]
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(in crate::platforms::alpha) struct AdGroupAd {
    pub(in crate::platforms::alpha) ad: Ad,
    pub(in crate::platforms::alpha) status: Option<String>,
    pub(in crate::platforms::alpha) primary_status: Option<String>,
    #[serde(default, deserialize_with = "words")]
    pub(in crate::platforms::alpha) primary_status_reasons: Vec<String>,
    pub(in crate::platforms::alpha) policy_summary: Option<PolicySummary>,
}

#[derive(Debug, Deserialize)]
pub(in crate::platforms::alpha) struct Ad {
    pub(in crate::platforms::alpha) id: Int64,
    /// Few kinds of ads have one.
    #[serde(default, deserialize_with = "text_or_none")]
    pub(in crate::platforms::alpha) name: Option<String>,
}

/// `AdGroupAdPolicySummary`
#[apply(Option<String> => #[serde(deserialize_with = "text_or_none")])]
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(in crate::platforms::alpha) struct PolicySummary {
    pub(in crate::platforms::alpha) review_status: Option<String>,
    pub(in crate::platforms::alpha) approval_status: Option<String>,
    pub(in crate::platforms::alpha) policy_topic_entries: Vec<PolicyTopicEntry>,
}

#[apply(Option<String> => #[serde(deserialize_with = "text_or_none")])]
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(in crate::platforms::alpha) struct PolicyTopicEntry {
    /// The set of topics is open and may change at any time.
    pub(in crate::platforms::alpha) topic: Option<String>,
    /// `PolicyTopicEntryTypeEnum.PolicyTopicEntryType`
    #[serde(rename = "type")]
    pub(in crate::platforms::alpha) kind: Option<String>,
}

/// A list of the names of enum values. A value without a name in the platform's own definition is a number, which is
/// kept.
pub(super) fn words<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    let list = Box::<RawValue>::deserialize(deserializer)?;
    let values: Vec<Box<RawValue>> = serde_json::from_str(list.get()).unwrap_or_default();
    Ok(values.iter().filter_map(|value| text_of(value)).collect())
}
