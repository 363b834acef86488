//! Messages of the LinkedIn Marketing API as its pages have them, cut to the fields that are used here.
//!
//! Ids are JSON numbers, times are milliseconds since the epoch, amounts are decimal strings in major units. Unknown
//! fields are ignored, and enums stay text, because the platform may add values. An optional field of an unexpected
//! form is read as absent, so that it costs neither the row nor the page.

mod creatives;
mod writes;

use crate::platforms::rows::{integer, integer_or_none, text_or_none, value_or_none};
pub(super) use creatives::*;
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_with::apply;
pub(super) use writes::*;

/// Prefixes: a number follows.
pub(super) const GROUP_URN: &str = "urn:li:sponsoredCampaignGroup:";
pub(super) const CAMPAIGN_URN: &str = "urn:li:sponsoredCampaign:";

pub(super) fn account_urn(id: &str) -> String {
    format!("urn:li:sponsoredAccount:{id}")
}

/// A response of a search.
///
/// <https://learn.microsoft.com/en-us/linkedin/marketing/integrations/ads/cursor-based-pagination>
#[derive(Debug, Deserialize)]
pub(super) struct Page {
    /// Kept as received.
    pub(super) elements: Vec<Box<RawValue>>,
    /// Always there, also on the last page.
    pub(super) metadata: Option<Metadata>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Metadata {
    /// Absent on the last page.
    pub(super) next_page_token: Option<String>,
}

/// <https://learn.microsoft.com/en-us/linkedin/marketing/integrations/ads/account-structure/create-and-manage-accounts>
#[apply(Option => #[serde(default, deserialize_with = "text_or_none")])]
#[derive(Debug, Deserialize)]
pub(super) struct Account {
    #[serde(deserialize_with = "integer")]
    pub(super) id: i64,
    pub(super) name: Option<String>,
    pub(super) currency: Option<String>,
    pub(super) status: Option<String>,
}

/// The page or person that an [`Account`] advertises for.
#[derive(Debug, Deserialize)]
pub(super) struct AccountReference {
    /// `urn:li:organization:2414183`; an account need not have one.
    #[serde(default, deserialize_with = "value_or_none")]
    pub(super) reference: Option<String>,
}

/// <https://learn.microsoft.com/en-us/linkedin/marketing/integrations/ads/account-structure/create-and-manage-campaign-groups>
#[apply(Option<String> => #[serde(default, deserialize_with = "text_or_none")])]
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Group {
    #[serde(deserialize_with = "integer")]
    pub(super) id: i64,
    pub(super) name: Option<String>,
    pub(super) status: Option<String>,
    #[serde(default, deserialize_with = "value_or_none")]
    pub(super) run_schedule: Option<ReadSchedule>,
}

/// A schedule, as far as it can be read.
#[derive(Clone, Copy, Debug, Deserialize)]
pub(super) struct ReadSchedule {
    #[serde(default, deserialize_with = "integer_or_none")]
    pub(super) start: Option<i64>,
    #[serde(default, deserialize_with = "integer_or_none")]
    pub(super) end: Option<i64>,
}

/// An amount of money, as far as it can be read.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ReadMoney {
    pub(super) amount: Option<Box<RawValue>>,
    pub(super) currency_code: Option<String>,
}

/// <https://learn.microsoft.com/en-us/linkedin/marketing/integrations/ads/account-structure/create-and-manage-campaigns>
#[apply(Option<String> => #[serde(default, deserialize_with = "text_or_none")])]
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Campaign {
    #[serde(deserialize_with = "integer")]
    pub(super) id: i64,
    /// URN of the ad account. Unreadable is not absent.
    #[serde_with(skip_apply)]
    pub(super) account: Option<String>,
    pub(super) name: Option<String>,
    pub(super) status: Option<String>,
    pub(super) objective_type: Option<String>,
    #[serde(default, deserialize_with = "value_or_none")]
    pub(super) serving_statuses: Option<Vec<String>>,
    /// A [`ReadMoney`], read separately: which of the two budgets is there counts even where its amount cannot be read.
    pub(super) daily_budget: Option<Box<RawValue>>,
    pub(super) total_budget: Option<Box<RawValue>>,
    #[serde(default, deserialize_with = "value_or_none")]
    pub(super) run_schedule: Option<ReadSchedule>,
    #[serde(default, deserialize_with = "value_or_none")]
    pub(super) change_audit_stamps: Option<ChangeAuditStamps>,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ChangeAuditStamps {
    #[serde(default, deserialize_with = "value_or_none")]
    pub(super) created: Option<AuditStamp>,
    #[serde(default, deserialize_with = "value_or_none")]
    pub(super) last_modified: Option<AuditStamp>,
}

#[derive(Clone, Copy, Debug, Deserialize)]
pub(super) struct AuditStamp {
    #[serde(default, deserialize_with = "integer_or_none")]
    pub(super) time: Option<i64>,
}

/// <https://learn.microsoft.com/en-us/linkedin/marketing/integrations/ads-reporting/ads-reporting>
#[derive(Debug, Deserialize)]
pub(super) struct Report {
    pub(super) elements: Vec<ReportRow>,
}

/// The numbers of one campaign. Each may be absent, and is read separately.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ReportRow {
    /// The campaign's URN, alone.
    pub(super) pivot_values: Vec<String>,
    /// A [`DateRange`].
    pub(super) date_range: Option<Box<RawValue>>,
    /// A decimal number in the account's currency, mostly as text.
    pub(super) cost_in_local_currency: Option<Box<RawValue>>,
    pub(super) impressions: Option<Box<RawValue>>,
    /// Chargeable clicks.
    pub(super) clicks: Option<Box<RawValue>>,
    /// Conversions after a click and after a view.
    pub(super) external_website_conversions: Option<Box<RawValue>>,
    /// A decimal number in the account's currency, mostly as text.
    pub(super) conversion_value_in_local_currency: Option<Box<RawValue>>,
}

/// The days of a row, both included.
#[derive(Clone, Copy, Debug, Deserialize)]
pub(super) struct DateRange {
    pub(super) start: Day,
    pub(super) end: Option<Day>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub(super) struct Day {
    pub(super) year: i16,
    pub(super) month: i8,
    pub(super) day: i8,
}

/// The body of an error. Its fields differ by the service that refuses.
///
/// <https://learn.microsoft.com/en-us/linkedin/marketing/error-responses>
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ErrorBody {
    pub(super) message: Option<String>,
    /// Finer than the status: `65602`.
    pub(super) service_error_code: Option<i64>,
    /// `EXPIRED_ACCESS_TOKEN`.
    pub(super) code: Option<String>,
    /// Has several types. One of them is read.
    #[serde(default, deserialize_with = "value_or_none")]
    pub(super) error_details: Option<ErrorDetails>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ErrorDetails {
    #[serde(default)]
    pub(super) input_errors: Vec<InputError>,
}

#[derive(Debug, Deserialize)]
pub(super) struct InputError {
    pub(super) code: Option<String>,
    pub(super) description: Option<String>,
    pub(super) input: Option<Input>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Input {
    pub(super) input_path: Option<InputPath>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct InputPath {
    /// `/Campaign/totalBudget/amount`.
    pub(super) field_path: Option<String>,
}
