//! Messages of the Google Ads API v26 as its reference has them, cut to the fields that are used here. Each has its
//! page below <https://developers.google.com/google-ads/api/reference/rpc/v26/>, under the same name if none is given.
//!
//! Over REST they are canonical proto3 JSON (Google Ads API: JSON mappings): lower camel case, 64-bit integers as
//! strings, enums by name, field masks as comma-separated text. Unknown fields are ignored, and enums stay text,
//! because the platform may know values that this version does not. A field of an unknown form is read as none, so that
//! the row is not lost.

mod ads;
mod campaign;
mod errors;
mod report;

use crate::platforms::rows::{text_or_none, value_or_none};
pub(super) use ads::*;
pub(super) use campaign::*;
pub(super) use errors::*;
pub(super) use report::*;
use serde::de::{Error as _, IgnoredAny};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::{RawValue, Value};
use serde_with::apply;

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
        let number = match Value::deserialize(deserializer)? {
            Value::String(text) => text.parse().ok(),
            Value::Number(number) => number.as_i64(),
            _ => None,
        };
        number.map(Int64).ok_or_else(|| D::Error::custom("not a 64-bit integer"))
    }
}

/// `Customer` and `CustomerClient`, which name these alike.
#[apply(
    Option<Int64> => #[serde(deserialize_with = "value_or_none")],
    Option<String> => #[serde(deserialize_with = "text_or_none")],
    bool => #[serde(deserialize_with = "is_true")],
)]
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Customer {
    pub(super) id: Option<Int64>,
    pub(super) descriptive_name: Option<String>,
    pub(super) currency_code: Option<String>,
    pub(super) time_zone: Option<String>,
    pub(super) status: Option<String>,
    pub(super) manager: bool,
    /// Only of a client.
    pub(super) hidden: bool,
}

fn is_true<'de, D: Deserializer<'de>>(deserializer: D) -> Result<bool, D::Error> {
    let value = Box::<RawValue>::deserialize(deserializer)?;
    Ok(value.get().trim_matches('"') == "true")
}

#[apply(Option => #[serde(deserialize_with = "value_or_none")])]
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct GoogleAdsRow {
    pub(super) campaign: Option<Campaign>,
    /// Read whole or not at all: a budget with an unreadable field has no amount.
    pub(super) campaign_budget: Option<CampaignBudget>,
    pub(super) customer: Option<Customer>,
    pub(super) customer_client: Option<Customer>,
    /// Read whole or not at all.
    pub(super) metrics: Option<Metrics>,
}

/// The budget of a [`GoogleAdsRow`]. Unreadable is not absent.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct BudgetOfRow {
    #[expect(dead_code, reason = "it only has to be readable")]
    campaign_budget: Option<CampaignBudget>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SearchGoogleAdsRequest<'a> {
    pub(super) query: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) page_token: Option<&'a str>,
}

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

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ListAccessibleCustomersResponse {
    #[serde(default)]
    pub(super) resource_names: Vec<String>,
}

/// One change of a resource: `CampaignOperation` or `CampaignBudgetOperation`. The mask names the fields of an update
/// that change; a removal names the resource.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged, rename_all_fields = "camelCase")]
pub(super) enum Operation<R> {
    Create { create: R },
    Update { update: R, update_mask: String },
    Remove { remove: String },
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) enum MutateOperation {
    CampaignBudgetOperation(Operation<CampaignBudget>),
    CampaignOperation(Operation<Campaign>),
}

/// The mutated resource comes back with the fields that can be set (`ResponseContentTypeEnum.ResponseContentType`).
const MUTABLE_RESOURCE: &str = "MUTABLE_RESOURCE";

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct MutateGoogleAdsRequest {
    mutate_operations: [MutateOperation; 2],
    response_content_type: &'static str,
}

impl MutateGoogleAdsRequest {
    /// Both changes in one request, which is applied whole or not at all.
    pub(super) fn of(budget: Operation<CampaignBudget>, campaign: Operation<Campaign>) -> MutateGoogleAdsRequest {
        let budget = MutateOperation::CampaignBudgetOperation(budget);
        let mutate_operations = [budget, MutateOperation::CampaignOperation(campaign)];
        MutateGoogleAdsRequest { mutate_operations, response_content_type: MUTABLE_RESOURCE }
    }
}

/// `MutateCampaignsRequest` and `MutateCampaignBudgetsRequest`.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct MutateRequest<'a, R> {
    operations: [&'a Operation<R>; 1],
    response_content_type: &'static str,
}

impl<R> MutateRequest<'_, R> {
    pub(super) fn of(operation: &Operation<R>) -> MutateRequest<'_, R> {
        MutateRequest { operations: [operation], response_content_type: MUTABLE_RESOURCE }
    }
}

/// `MutateCampaignResult` and `MutateCampaignBudgetResult`. The resource is as it now is, and as received.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct MutateResult {
    pub(super) resource_name: String,
    /// Absent after a removal.
    pub(super) campaign: Option<Box<RawValue>>,
    pub(super) campaign_budget: Option<Box<RawValue>>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct MutateOperationResponse {
    pub(super) campaign_budget_result: Option<MutateResult>,
    pub(super) campaign_result: Option<MutateResult>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct MutateGoogleAdsResponse {
    /// Absent where nothing was changed.
    #[serde(default)]
    pub(super) mutate_operation_responses: Vec<MutateOperationResponse>,
}

/// `MutateCampaignsResponse` and `MutateCampaignBudgetsResponse`.
#[derive(Debug, Deserialize)]
pub(super) struct MutateResponse {
    /// Absent where nothing was changed.
    #[serde(default)]
    pub(super) results: Vec<MutateResult>,
}
