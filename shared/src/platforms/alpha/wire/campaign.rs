//! A campaign, as it is read and written.

use super::Int64;
use crate::platforms::rows::{text_or_none, value_or_none};
use serde::{Deserialize, Serialize};

/// A message without fields: the bidding strategies are chosen by being there.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub(in crate::platforms::alpha) struct Empty {}

/// <https://developers.google.com/google-ads/api/reference/rpc/v26/Campaign>
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub(in crate::platforms::alpha) struct Campaign {
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "text_or_none")]
    pub(in crate::platforms::alpha) resource_name: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "value_or_none")]
    pub(in crate::platforms::alpha) id: Option<Int64>,
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "text_or_none")]
    pub(in crate::platforms::alpha) name: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "text_or_none")]
    pub(in crate::platforms::alpha) status: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "text_or_none")]
    pub(in crate::platforms::alpha) primary_status: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "text_or_none")]
    pub(in crate::platforms::alpha) experiment_type: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "text_or_none")]
    pub(in crate::platforms::alpha) advertising_channel_type: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "text_or_none")]
    pub(in crate::platforms::alpha) bidding_strategy_type: Option<String>,
    /// Resource name of the budget.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "text_or_none")]
    pub(in crate::platforms::alpha) campaign_budget: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none", skip_deserializing)]
    pub(in crate::platforms::alpha) network_settings: Option<NetworkSettings>,
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "text_or_none")]
    pub(in crate::platforms::alpha) contains_eu_political_advertising: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none", skip_deserializing)]
    pub(in crate::platforms::alpha) target_spend: Option<Empty>,
    #[serde(skip_serializing_if = "Option::is_none", skip_deserializing)]
    pub(in crate::platforms::alpha) maximize_conversions: Option<Empty>,
    #[serde(skip_serializing_if = "Option::is_none", skip_deserializing)]
    pub(in crate::platforms::alpha) maximize_conversion_value: Option<Empty>,
    #[serde(skip_serializing_if = "Option::is_none", skip_deserializing)]
    pub(in crate::platforms::alpha) manual_cpm: Option<Empty>,
    /// `yyyy-MM-dd HH:mm:ss` in the account's time zone.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "text_or_none")]
    pub(in crate::platforms::alpha) start_date_time: Option<String>,
    /// `yyyy-MM-dd HH:mm:ss` in the account's time zone.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "text_or_none")]
    pub(in crate::platforms::alpha) end_date_time: Option<String>,
}

/// <https://developers.google.com/google-ads/api/reference/rpc/v26/Campaign.NetworkSettings>, which is only written
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(in crate::platforms::alpha) struct NetworkSettings {
    /// Google's own search.
    pub(in crate::platforms::alpha) target_google_search: bool,
    /// Search partners.
    pub(in crate::platforms::alpha) target_search_network: bool,
    /// The Display Network.
    pub(in crate::platforms::alpha) target_content_network: bool,
    /// A partner network for a few advertisers.
    pub(in crate::platforms::alpha) target_partner_search_network: bool,
}
