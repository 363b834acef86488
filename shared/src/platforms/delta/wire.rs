//! Messages of the LinkedIn Marketing API as its pages have them, cut to the fields that are used here.
//!
//! Ids are JSON numbers, times are milliseconds since the epoch, amounts are decimal strings in major units. Unknown
//! fields are ignored, and enums stay text, because the platform may add values. An optional field of an unexpected form
//! is read as absent, so that it costs neither the row nor the page.

mod errors;
mod writes;

use crate::platforms::rows::{integer, integer_or_none, text_or_none, value_or_none};
pub(super) use errors::*;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
pub(super) use writes::*;

/// Prefix of the URN of an ad account.
pub(super) const ACCOUNT_URN: &str = "urn:li:sponsoredAccount:";
/// Prefix of the URN of a campaign group.
pub(super) const GROUP_URN: &str = "urn:li:sponsoredCampaignGroup:";
/// Prefix of the URN of a campaign.
pub(super) const CAMPAIGN_URN: &str = "urn:li:sponsoredCampaign:";

/// An answer of a search.
///
/// <https://learn.microsoft.com/en-us/linkedin/marketing/integrations/ads/cursor-based-pagination>
#[derive(Debug, Deserialize)]
pub(super) struct Page {
    /// Kept as received.
    pub(super) elements: Vec<Box<RawValue>>,
    /// Always there, also on the last page.
    pub(super) metadata: Option<Metadata>,
}

/// The continuation of a search.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Metadata {
    /// Absent on the last page.
    pub(super) next_page_token: Option<String>,
}

/// <https://learn.microsoft.com/en-us/linkedin/marketing/integrations/ads/account-structure/create-and-manage-accounts>
#[derive(Debug, Deserialize)]
pub(super) struct Account {
    #[serde(deserialize_with = "integer")]
    pub(super) id: i64,
    #[serde(default, deserialize_with = "text_or_none")]
    pub(super) name: Option<String>,
    #[serde(default, deserialize_with = "text_or_none")]
    pub(super) currency: Option<String>,
    #[serde(default, deserialize_with = "text_or_none")]
    pub(super) status: Option<String>,
}

/// The page or person that an ad account advertises for.
///
/// <https://learn.microsoft.com/en-us/linkedin/marketing/integrations/ads/account-structure/create-and-manage-accounts>
#[derive(Debug, Deserialize)]
pub(super) struct AccountReference {
    /// `urn:li:organization:2414183`; an account need not have one.
    #[serde(default, deserialize_with = "value_or_none")]
    pub(super) reference: Option<String>,
}

/// <https://learn.microsoft.com/en-us/linkedin/marketing/integrations/ads/account-structure/create-and-manage-campaign-groups>
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Group {
    #[serde(deserialize_with = "integer")]
    pub(super) id: i64,
    #[serde(default, deserialize_with = "text_or_none")]
    pub(super) name: Option<String>,
    #[serde(default, deserialize_with = "text_or_none")]
    pub(super) status: Option<String>,
    #[serde(default, deserialize_with = "value_or_none")]
    pub(super) run_schedule: Option<ReadSchedule>,
}

/// A new campaign group.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct NewGroup<'a> {
    pub(super) account: String,
    pub(super) name: &'a str,
    pub(super) status: &'static str,
    pub(super) run_schedule: RunSchedule,
}

/// Start and end in milliseconds since the epoch, as far as they can be read.
#[derive(Clone, Copy, Debug, Deserialize)]
pub(super) struct ReadSchedule {
    #[serde(default, deserialize_with = "integer_or_none")]
    pub(super) start: Option<i64>,
    #[serde(default, deserialize_with = "integer_or_none")]
    pub(super) end: Option<i64>,
}

/// Start and end in milliseconds since the epoch.
#[derive(Clone, Copy, Debug, Serialize)]
pub(super) struct RunSchedule {
    pub(super) start: i64,
    /// Absent for no end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) end: Option<i64>,
}

/// An amount in major units as a decimal string, with its currency.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Money {
    pub(super) amount: String,
    pub(super) currency_code: String,
}

/// An amount of money, as far as it can be read.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ReadMoney {
    pub(super) amount: Option<Box<RawValue>>,
    pub(super) currency_code: Option<String>,
}

/// <https://learn.microsoft.com/en-us/linkedin/marketing/integrations/ads/account-structure/create-and-manage-campaigns>
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Campaign {
    #[serde(deserialize_with = "integer")]
    pub(super) id: i64,
    /// URN of the ad account.
    pub(super) account: Option<String>,
    #[serde(default, deserialize_with = "text_or_none")]
    pub(super) name: Option<String>,
    #[serde(default, deserialize_with = "text_or_none")]
    pub(super) status: Option<String>,
    #[serde(default, deserialize_with = "text_or_none")]
    pub(super) objective_type: Option<String>,
    /// A [`ReadMoney`], read separately: which of the two budgets is there counts even where its amount cannot be read.
    pub(super) daily_budget: Option<Box<RawValue>>,
    pub(super) total_budget: Option<Box<RawValue>>,
    #[serde(default, deserialize_with = "value_or_none")]
    pub(super) run_schedule: Option<ReadSchedule>,
    #[serde(default, deserialize_with = "value_or_none")]
    pub(super) change_audit_stamps: Option<ChangeAuditStamps>,
}

/// The times of the creation and of the last change.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ChangeAuditStamps {
    #[serde(default, deserialize_with = "value_or_none")]
    pub(super) created: Option<AuditStamp>,
    #[serde(default, deserialize_with = "value_or_none")]
    pub(super) last_modified: Option<AuditStamp>,
}

/// A time in milliseconds since the epoch.
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

/// The cost of one campaign.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ReportRow {
    /// A decimal number in the account's currency, mostly as text.
    pub(super) cost_in_local_currency: Option<Box<RawValue>>,
    /// The campaign's URN, alone.
    pub(super) pivot_values: Vec<String>,
}
