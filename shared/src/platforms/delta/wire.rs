//! Messages of the LinkedIn Marketing API as its pages have them, cut to the fields that are used here.
//!
//! Ids are JSON numbers, times are milliseconds since the epoch, amounts are decimal strings in major units. Unknown
//! fields are passed over, and enums stay text, because the platform may know values that this version does not.

mod errors;

pub(super) use errors::*;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use std::collections::BTreeMap;

/// What stands before the number in the name of an ad account.
pub(super) const ACCOUNT_URN: &str = "urn:li:sponsoredAccount:";
/// What stands before the number in the name of a campaign group.
pub(super) const GROUP_URN: &str = "urn:li:sponsoredCampaignGroup:";
/// What stands before the number in the name of a campaign.
pub(super) const CAMPAIGN_URN: &str = "urn:li:sponsoredCampaign:";

/// An answer of a search.
///
/// <https://learn.microsoft.com/en-us/linkedin/marketing/integrations/ads/cursor-based-pagination>
#[derive(Debug, Deserialize)]
pub(super) struct Page {
    /// Kept as received.
    pub(super) elements: Vec<Box<RawValue>>,
    /// Always there: a page without it is broken, and not the last.
    pub(super) metadata: Option<Metadata>,
}

/// How a search goes on.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Metadata {
    /// Absent on the last page.
    pub(super) next_page_token: Option<String>,
}

/// <https://learn.microsoft.com/en-us/linkedin/marketing/integrations/ads/account-structure/create-and-manage-accounts>
#[derive(Debug, Deserialize)]
pub(super) struct Account {
    pub(super) id: i64,
    #[serde(default)]
    pub(super) name: String,
    pub(super) currency: Option<String>,
    pub(super) status: Option<String>,
}

/// <https://learn.microsoft.com/en-us/linkedin/marketing/integrations/ads/account-structure/create-and-manage-campaign-groups>
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Group {
    pub(super) id: i64,
    #[serde(default)]
    pub(super) name: String,
    pub(super) status: Option<String>,
    pub(super) run_schedule: Option<RunSchedule>,
}

/// A group that shall be made.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct NewGroup<'a> {
    pub(super) account: String,
    pub(super) name: &'a str,
    pub(super) status: &'static str,
    pub(super) run_schedule: RunSchedule,
}

/// From when to when something runs, in milliseconds since the epoch.
#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
pub(super) struct RunSchedule {
    pub(super) start: i64,
    /// Absent for no end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) end: Option<i64>,
}

/// An amount in major units as a decimal string, with its currency: this platform's unit of money.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Money {
    pub(super) amount: String,
    pub(super) currency_code: String,
}

/// <https://learn.microsoft.com/en-us/linkedin/marketing/integrations/ads/account-structure/create-and-manage-campaigns>
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Campaign {
    pub(super) id: i64,
    /// Name of the ad account.
    pub(super) account: Option<String>,
    #[serde(default)]
    pub(super) name: String,
    pub(super) status: Option<String>,
    pub(super) objective_type: Option<String>,
    pub(super) daily_budget: Option<Money>,
    pub(super) total_budget: Option<Money>,
    pub(super) run_schedule: Option<RunSchedule>,
    pub(super) change_audit_stamps: Option<ChangeAuditStamps>,
}

/// When something was made and last changed.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ChangeAuditStamps {
    pub(super) created: Option<AuditStamp>,
    pub(super) last_modified: Option<AuditStamp>,
}

/// A moment, in milliseconds since the epoch.
#[derive(Clone, Copy, Debug, Deserialize)]
pub(super) struct AuditStamp {
    pub(super) time: i64,
}

/// A campaign that shall be made (Create and manage campaigns: campaign schema).
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct NewCampaign {
    pub(super) account: String,
    pub(super) campaign_group: String,
    pub(super) name: String,
    #[serde(rename = "type")]
    pub(super) kind: &'static str,
    pub(super) objective_type: &'static str,
    pub(super) cost_type: &'static str,
    pub(super) status: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) daily_budget: Option<Money>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) total_budget: Option<Money>,
    pub(super) run_schedule: RunSchedule,
    pub(super) locale: Locale,
    pub(super) targeting_criteria: TargetingCriteria,
    pub(super) offsite_delivery_enabled: bool,
    pub(super) political_intent: String,
}

/// Country and language of the ads.
#[derive(Debug, Serialize)]
pub(super) struct Locale {
    pub(super) country: String,
    pub(super) language: String,
}

/// Whom a campaign is aimed at: all of the conditions.
#[derive(Debug, Serialize)]
pub(super) struct TargetingCriteria {
    pub(super) include: AllOf,
}

/// All of these hold.
#[derive(Debug, Serialize)]
pub(super) struct AllOf {
    pub(super) and: Vec<AnyOf>,
}

/// One of these holds: values by facet.
#[derive(Debug, Serialize)]
pub(super) struct AnyOf {
    pub(super) or: BTreeMap<&'static str, Vec<String>>,
}

/// A partial update (Rest.li protocol: partial update): only the fields that are named change.
#[derive(Debug, Serialize)]
pub(super) struct PartialUpdate<'a> {
    pub(super) patch: Patch<'a>,
}

/// What a partial update does.
#[derive(Debug, Serialize)]
pub(super) struct Patch<'a> {
    #[serde(rename = "$set")]
    pub(super) set: &'a CampaignFields,
}

/// The fields of a campaign that are changed here.
#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct CampaignFields {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) status: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) daily_budget: Option<Money>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) total_budget: Option<Money>,
}

/// <https://learn.microsoft.com/en-us/linkedin/marketing/integrations/ads-reporting/ads-reporting>
#[derive(Debug, Deserialize)]
pub(super) struct Report {
    pub(super) elements: Vec<ReportRow>,
}

/// What one campaign cost.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ReportRow {
    /// A decimal string, in the account's currency.
    pub(super) cost_in_local_currency: String,
    /// The campaign's name, alone.
    pub(super) pivot_values: Vec<String>,
}
