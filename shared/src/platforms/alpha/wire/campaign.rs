//! A campaign and its budget, as they are read and written.

use super::{Int64, words};
use crate::platforms::rows::{text_or_none, value_or_none};
use serde::{Deserialize, Serialize};
use serde_with::{apply, skip_serializing_none};

/// A message without fields: the bidding strategies are chosen by being there.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub(in crate::platforms::alpha) struct Empty {}

#[skip_serializing_none]
#[apply(
    Option<Int64> => #[serde(deserialize_with = "value_or_none")],
    Option<String> => #[serde(deserialize_with = "text_or_none")],
    Option<NetworkSettings> => #[serde(skip_deserializing)],
    Option<Empty> => #[serde(skip_deserializing)],
)]
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", default)]
pub(in crate::platforms::alpha) struct Campaign {
    pub(in crate::platforms::alpha) resource_name: Option<String>,
    pub(in crate::platforms::alpha) id: Option<Int64>,
    pub(in crate::platforms::alpha) name: Option<String>,
    pub(in crate::platforms::alpha) status: Option<String>,
    pub(in crate::platforms::alpha) primary_status: Option<String>,
    #[serde(skip_serializing, deserialize_with = "words")]
    pub(in crate::platforms::alpha) primary_status_reasons: Vec<String>,
    pub(in crate::platforms::alpha) experiment_type: Option<String>,
    pub(in crate::platforms::alpha) advertising_channel_type: Option<String>,
    pub(in crate::platforms::alpha) bidding_strategy_type: Option<String>,
    /// Resource name of the budget.
    pub(in crate::platforms::alpha) campaign_budget: Option<String>,
    pub(in crate::platforms::alpha) network_settings: Option<NetworkSettings>,
    pub(in crate::platforms::alpha) contains_eu_political_advertising: Option<String>,
    pub(in crate::platforms::alpha) target_spend: Option<Empty>,
    pub(in crate::platforms::alpha) maximize_conversions: Option<Empty>,
    pub(in crate::platforms::alpha) maximize_conversion_value: Option<Empty>,
    pub(in crate::platforms::alpha) manual_cpm: Option<Empty>,
    /// `yyyy-MM-dd HH:mm:ss` in the account's time zone, as `end_date_time` is.
    pub(in crate::platforms::alpha) start_date_time: Option<String>,
    pub(in crate::platforms::alpha) end_date_time: Option<String>,
}

/// `Campaign.NetworkSettings`, which is only written: Google's own search, search partners, the Display Network, and a
/// partner network for a few advertisers.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(in crate::platforms::alpha) struct NetworkSettings {
    pub(in crate::platforms::alpha) target_google_search: bool,
    pub(in crate::platforms::alpha) target_search_network: bool,
    pub(in crate::platforms::alpha) target_content_network: bool,
    pub(in crate::platforms::alpha) target_partner_search_network: bool,
}

#[skip_serializing_none]
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub(in crate::platforms::alpha) struct CampaignBudget {
    pub(in crate::platforms::alpha) resource_name: Option<String>,
    /// For DAILY; the total is for CUSTOM_PERIOD. Both are in micros of the account's currency.
    pub(in crate::platforms::alpha) amount_micros: Option<Int64>,
    pub(in crate::platforms::alpha) total_amount_micros: Option<Int64>,
    pub(in crate::platforms::alpha) period: Option<String>,
    pub(in crate::platforms::alpha) delivery_method: Option<String>,
    /// True when left out of a create.
    pub(in crate::platforms::alpha) explicitly_shared: Option<bool>,
    /// The number of campaigns that use it.
    pub(in crate::platforms::alpha) reference_count: Option<Int64>,
}
