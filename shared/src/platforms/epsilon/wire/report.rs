//! Messages of a report of campaigns.

use crate::platforms::rows::text_or_none;
use serde::Deserialize;
use serde_json::value::RawValue;

/// A row of a report, <https://developers.pinterest.com/docs/api/v5/campaigns-analytics/>. "If a column has no value, it
/// may not be returned." The numbers stay as received.
#[derive(Debug, Deserialize)]
pub(in crate::platforms::epsilon) struct Row {
    /// Seen as a number and as a string.
    #[serde(rename = "CAMPAIGN_ID", default, deserialize_with = "text_or_none")]
    pub(in crate::platforms::epsilon) campaign_id: Option<String>,
    /// The day; absent in a report without granularity.
    #[serde(rename = "DATE", default, deserialize_with = "text_or_none")]
    pub(in crate::platforms::epsilon) date: Option<String>,
    /// Micros of the account's currency, whatever the name says.
    #[serde(rename = "SPEND_IN_MICRO_DOLLAR")]
    pub(in crate::platforms::epsilon) spend: Option<Box<RawValue>>,
    /// Paid impressions; those of saved Pins are in `IMPRESSION_2`.
    #[serde(rename = "IMPRESSION_1")]
    pub(in crate::platforms::epsilon) impressions: Option<Box<RawValue>>,
    /// Paid Pin clicks; those of saved Pins are in `CLICKTHROUGH_2`.
    #[serde(rename = "CLICKTHROUGH_1")]
    pub(in crate::platforms::epsilon) clicks: Option<Box<RawValue>>,
    /// Conversions of every kind.
    #[serde(rename = "TOTAL_CONVERSIONS")]
    pub(in crate::platforms::epsilon) conversions: Option<Box<RawValue>>,
    /// Micros of the account's currency. There is no column with the value of all conversions.
    #[serde(rename = "TOTAL_CHECKOUT_VALUE_IN_MICRO_DOLLAR")]
    pub(in crate::platforms::epsilon) checkout_value: Option<Box<RawValue>>,
}
