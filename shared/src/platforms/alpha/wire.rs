//! Messages of the Google Ads API v26 as its reference has them, cut to the fields that are used here.
//!
//! Over REST they are canonical proto3 JSON (Google Ads API: JSON mappings): lower camel case, 64-bit integers as
//! strings, enums by name, field masks as comma-separated text. Unknown fields are ignored, and enums stay text, because
//! the platform may know values that this version does not. A field of an unknown form is read as none, so that the row
//! is not lost.

mod campaign;
mod errors;

use crate::platforms::rows::{text_or_none, value_or_none};
pub(super) use campaign::*;
pub(super) use errors::*;
use serde::de::{self, IgnoredAny, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::RawValue;
use std::fmt;

/// A 64-bit integer: a string in JSON. A JSON integer is read too, a fraction never.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Int64(pub(super) i64);

impl Serialize for Int64 {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for Int64 {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Int64, D::Error> {
        deserializer.deserialize_any(Int64Visitor)
    }
}

struct Int64Visitor;

impl Visitor<'_> for Int64Visitor {
    type Value = Int64;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a 64-bit integer")
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Int64, E> {
        text.parse().map(Int64).map_err(E::custom)
    }

    fn visit_i64<E: de::Error>(self, number: i64) -> Result<Int64, E> {
        Ok(Int64(number))
    }

    fn visit_u64<E: de::Error>(self, number: u64) -> Result<Int64, E> {
        i64::try_from(number).map(Int64).map_err(E::custom)
    }
}

/// <https://developers.google.com/google-ads/api/reference/rpc/v26/CampaignBudget>
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct CampaignBudget {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) resource_name: Option<String>,
    /// For DAILY, in micros of the account's currency.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) amount_micros: Option<Int64>,
    /// For CUSTOM_PERIOD, in micros of the account's currency.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) total_amount_micros: Option<Int64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) period: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) delivery_method: Option<String>,
    /// True when left out of a create.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) explicitly_shared: Option<bool>,
    /// The number of campaigns that use it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) reference_count: Option<Int64>,
}

/// <https://developers.google.com/google-ads/api/reference/rpc/v26/Customer> and
/// <https://developers.google.com/google-ads/api/reference/rpc/v26/CustomerClient>, which name these alike.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Customer {
    #[serde(deserialize_with = "value_or_none")]
    pub(super) id: Option<Int64>,
    #[serde(deserialize_with = "text_or_none")]
    pub(super) descriptive_name: Option<String>,
    #[serde(deserialize_with = "text_or_none")]
    pub(super) currency_code: Option<String>,
    #[serde(deserialize_with = "text_or_none")]
    pub(super) time_zone: Option<String>,
    #[serde(deserialize_with = "text_or_none")]
    pub(super) status: Option<String>,
    #[serde(deserialize_with = "is_true")]
    pub(super) manager: bool,
    /// Only of a client.
    #[serde(deserialize_with = "is_true")]
    pub(super) hidden: bool,
}

fn is_true<'de, D: Deserializer<'de>>(deserializer: D) -> Result<bool, D::Error> {
    let value = Box::<RawValue>::deserialize(deserializer)?;
    Ok(value.get().trim_matches('"') == "true")
}

/// <https://developers.google.com/google-ads/api/reference/rpc/v26/Metrics>
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Metrics {
    #[serde(deserialize_with = "value_or_none")]
    pub(super) cost_micros: Option<Int64>,
}

/// <https://developers.google.com/google-ads/api/reference/rpc/v26/GoogleAdsRow>
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct GoogleAdsRow {
    #[serde(deserialize_with = "value_or_none")]
    pub(super) campaign: Option<Campaign>,
    /// Read whole or not at all: a budget with an unreadable field has no amount.
    #[serde(deserialize_with = "value_or_none")]
    pub(super) campaign_budget: Option<CampaignBudget>,
    #[serde(deserialize_with = "value_or_none")]
    pub(super) customer: Option<Customer>,
    #[serde(deserialize_with = "value_or_none")]
    pub(super) customer_client: Option<Customer>,
    #[serde(deserialize_with = "value_or_none")]
    pub(super) metrics: Option<Metrics>,
}

/// The budget of a row in any form.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct BudgetOfRow {
    pub(super) campaign_budget: Option<IgnoredAny>,
}

/// <https://developers.google.com/google-ads/api/reference/rpc/v26/SearchGoogleAdsRequest>
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SearchGoogleAdsRequest<'a> {
    pub(super) query: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) page_token: Option<&'a str>,
}

/// <https://developers.google.com/google-ads/api/reference/rpc/v26/SearchGoogleAdsResponse>
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SearchGoogleAdsResponse {
    /// Absent when nothing matched. Rows are kept as received.
    #[serde(default)]
    pub(super) results: Vec<Box<RawValue>>,
    /// Absent on the last page.
    pub(super) next_page_token: Option<String>,
    /// The selected fields; present also when nothing matched.
    pub(super) field_mask: Option<IgnoredAny>,
}

/// <https://developers.google.com/google-ads/api/reference/rpc/v26/ListAccessibleCustomersResponse>
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ListAccessibleCustomersResponse {
    #[serde(default)]
    pub(super) resource_names: Vec<String>,
}

/// One change of a resource, <https://developers.google.com/google-ads/api/reference/rpc/v26/CampaignOperation>
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub(super) enum Operation<R> {
    /// Creates it.
    Create { create: R },
    /// Changes the fields that the mask names.
    Update {
        update: R,
        #[serde(rename = "updateMask")]
        update_mask: String,
    },
    /// Removes it, by resource name.
    Remove { remove: String },
}

/// <https://developers.google.com/google-ads/api/reference/rpc/v26/MutateOperation>
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) enum MutateOperation {
    CampaignBudgetOperation(Operation<CampaignBudget>),
    CampaignOperation(Operation<Campaign>),
}

/// <https://developers.google.com/google-ads/api/reference/rpc/v26/ResponseContentTypeEnum.ResponseContentType>
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub(super) enum ResponseContentType {
    /// The mutated resource comes back with the fields that can be set.
    MutableResource,
}

/// <https://developers.google.com/google-ads/api/reference/rpc/v26/MutateGoogleAdsRequest>
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct MutateGoogleAdsRequest {
    pub(super) mutate_operations: Vec<MutateOperation>,
    pub(super) response_content_type: ResponseContentType,
}

/// <https://developers.google.com/google-ads/api/reference/rpc/v26/MutateCampaignsRequest> and
/// <https://developers.google.com/google-ads/api/reference/rpc/v26/MutateCampaignBudgetsRequest>
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct MutateRequest<'a, R> {
    pub(super) operations: [&'a Operation<R>; 1],
    pub(super) response_content_type: ResponseContentType,
}

/// <https://developers.google.com/google-ads/api/reference/rpc/v26/MutateCampaignResult> and
/// <https://developers.google.com/google-ads/api/reference/rpc/v26/MutateCampaignBudgetResult>
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct MutateResult {
    pub(super) resource_name: String,
    /// The resource as it now is, as received; not after a removal.
    pub(super) campaign: Option<Box<RawValue>>,
    /// The resource as it now is, as received.
    pub(super) campaign_budget: Option<Box<RawValue>>,
}

/// <https://developers.google.com/google-ads/api/reference/rpc/v26/MutateOperationResponse>
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct MutateOperationResponse {
    pub(super) campaign_budget_result: Option<MutateResult>,
    pub(super) campaign_result: Option<MutateResult>,
}

/// <https://developers.google.com/google-ads/api/reference/rpc/v26/MutateGoogleAdsResponse>
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct MutateGoogleAdsResponse {
    /// Absent where nothing was changed.
    #[serde(default)]
    pub(super) mutate_operation_responses: Vec<MutateOperationResponse>,
}

/// <https://developers.google.com/google-ads/api/reference/rpc/v26/MutateCampaignsResponse>
#[derive(Debug, Deserialize)]
pub(super) struct MutateResponse {
    /// Absent where nothing was changed.
    #[serde(default)]
    pub(super) results: Vec<MutateResult>,
}
