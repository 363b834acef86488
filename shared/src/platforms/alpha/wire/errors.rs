//! Messages of failed calls (Google Ads API: Errors).

use super::Int64;
use crate::platforms::rows::{text_or_none, value_or_none};
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_with::apply;
use std::collections::BTreeMap;

/// The body of every failed call, <https://cloud.google.com/apis/design/errors#http_mapping>
#[derive(Debug, Deserialize)]
pub(in crate::platforms::alpha) struct ErrorBody {
    pub(in crate::platforms::alpha) error: Status,
}

/// <https://cloud.google.com/apis/design/errors#error_model>
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(in crate::platforms::alpha) struct Status {
    pub(in crate::platforms::alpha) message: String,
    /// The canonical code: `INVALID_ARGUMENT`.
    pub(in crate::platforms::alpha) status: Option<String>,
    /// Of several types; only one of them is read.
    pub(in crate::platforms::alpha) details: Vec<Box<RawValue>>,
}

/// Why Google's API gateway refuses a call, <https://cloud.google.com/apis/design/errors#error_info>
#[derive(Debug, Deserialize)]
pub(in crate::platforms::alpha) struct ErrorInfo {
    /// Ends in `google.rpc.ErrorInfo`.
    #[serde(rename = "@type")]
    pub(in crate::platforms::alpha) type_url: String,
    /// `SERVICE_DISABLED`.
    pub(in crate::platforms::alpha) reason: String,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(in crate::platforms::alpha) struct GoogleAdsFailure {
    /// Ends in `GoogleAdsFailure`, with the version before it.
    #[serde(rename = "@type")]
    pub(in crate::platforms::alpha) type_url: String,
    pub(in crate::platforms::alpha) errors: Vec<GoogleAdsError>,
    pub(in crate::platforms::alpha) request_id: Option<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(in crate::platforms::alpha) struct GoogleAdsError {
    /// One entry: the name of the enum, and its value.
    pub(in crate::platforms::alpha) error_code: BTreeMap<String, String>,
    pub(in crate::platforms::alpha) message: String,
    #[serde(deserialize_with = "value_or_none")]
    pub(in crate::platforms::alpha) location: Option<ErrorLocation>,
    #[serde(deserialize_with = "value_or_none")]
    pub(in crate::platforms::alpha) details: Option<ErrorDetails>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(in crate::platforms::alpha) struct ErrorLocation {
    pub(in crate::platforms::alpha) field_path_elements: Vec<FieldPathElement>,
}

/// `ErrorLocation.FieldPathElement`.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(in crate::platforms::alpha) struct FieldPathElement {
    /// Seen both as `amount_micros` and as `amountMicros`.
    pub(in crate::platforms::alpha) field_name: String,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(in crate::platforms::alpha) struct ErrorDetails {
    #[serde(default, deserialize_with = "value_or_none")]
    pub(in crate::platforms::alpha) quota_error_details: Option<QuotaErrorDetails>,
    #[serde(default, deserialize_with = "value_or_none")]
    pub(in crate::platforms::alpha) budget_per_day_minimum_error_details: Option<BudgetPerDayMinimumErrorDetails>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(in crate::platforms::alpha) struct QuotaErrorDetails {
    /// The holder of the share that is used up: `ACCOUNT`, or `DEVELOPER`, which is this service.
    #[serde(default, deserialize_with = "text_or_none")]
    pub(in crate::platforms::alpha) rate_scope: Option<String>,
    /// `30s`, `1.5s`.
    #[serde(default, deserialize_with = "text_or_none")]
    pub(in crate::platforms::alpha) retry_delay: Option<String>,
}

#[apply(
    Option<Int64> => #[serde(default, deserialize_with = "value_or_none")],
    Option<String> => #[serde(default, deserialize_with = "text_or_none")],
)]
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(in crate::platforms::alpha) struct BudgetPerDayMinimumErrorDetails {
    pub(in crate::platforms::alpha) currency_code: Option<String>,
    pub(in crate::platforms::alpha) minimum_budget_amount_micros: Option<Int64>,
    /// The same in the spelling of older versions; not verified on v26.
    #[serde(rename = "minimumBugdetAmountMicros")]
    pub(in crate::platforms::alpha) misspelt_minimum_amount_micros: Option<Int64>,
    pub(in crate::platforms::alpha) minimum_budget_total_amount_micros: Option<Int64>,
}
