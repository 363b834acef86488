//! The bodies that create and change campaigns and campaign groups.

use serde::Serialize;
use serde_with::skip_serializing_none;
use std::collections::BTreeMap;

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(in crate::platforms::delta) struct NewGroup<'a> {
    pub(in crate::platforms::delta) account: String,
    pub(in crate::platforms::delta) name: &'a str,
    pub(in crate::platforms::delta) status: &'static str,
    pub(in crate::platforms::delta) run_schedule: RunSchedule,
}

/// A new campaign (Create and manage campaigns: campaign schema). The campaign group and the associated entity are
/// added once they are known.
#[skip_serializing_none]
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(in crate::platforms::delta) struct NewCampaign<'a> {
    pub(in crate::platforms::delta) account: String,
    pub(in crate::platforms::delta) name: &'a str,
    #[serde(rename = "type")]
    pub(in crate::platforms::delta) kind: &'static str,
    pub(in crate::platforms::delta) objective_type: &'static str,
    pub(in crate::platforms::delta) cost_type: &'static str,
    pub(in crate::platforms::delta) optimization_target_type: &'static str,
    pub(in crate::platforms::delta) pacing_strategy: Option<&'static str>,
    pub(in crate::platforms::delta) status: &'static str,
    #[serde(flatten)]
    pub(in crate::platforms::delta) budget: Budget,
    pub(in crate::platforms::delta) run_schedule: RunSchedule,
    pub(in crate::platforms::delta) locale: Locale,
    pub(in crate::platforms::delta) targeting_criteria: TargetingCriteria,
    pub(in crate::platforms::delta) offsite_delivery_enabled: bool,
    pub(in crate::platforms::delta) political_intent: &'static str,
}

/// A field with a budget, under the name of its period.
#[derive(Debug, Serialize)]
pub(in crate::platforms::delta) enum Budget {
    #[serde(rename = "dailyBudget")]
    Daily(Money),
    #[serde(rename = "totalBudget")]
    Total(Money),
}

/// The amount has all decimals of its currency.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(in crate::platforms::delta) struct Money {
    pub(in crate::platforms::delta) amount: String,
    pub(in crate::platforms::delta) currency_code: String,
}

#[skip_serializing_none]
#[derive(Clone, Copy, Debug, Serialize)]
pub(in crate::platforms::delta) struct RunSchedule {
    pub(in crate::platforms::delta) start: i64,
    /// Absent for no end.
    pub(in crate::platforms::delta) end: Option<i64>,
}

#[derive(Clone, Copy, Debug, Serialize)]
pub(in crate::platforms::delta) struct Locale {
    pub(in crate::platforms::delta) country: &'static str,
    pub(in crate::platforms::delta) language: &'static str,
}

/// The audience of a campaign.
#[derive(Debug, Serialize)]
pub(in crate::platforms::delta) struct TargetingCriteria {
    pub(in crate::platforms::delta) include: AllOf,
}

#[derive(Debug, Serialize)]
pub(in crate::platforms::delta) struct AllOf {
    pub(in crate::platforms::delta) and: [AnyOf; 2],
}

/// Values by facet.
#[derive(Debug, Serialize)]
pub(in crate::platforms::delta) struct AnyOf {
    pub(in crate::platforms::delta) or: BTreeMap<&'static str, [String; 1]>,
}

/// A partial update (Rest.li protocol: partial update): only the fields that are named change.
#[derive(Debug, Serialize)]
pub(in crate::platforms::delta) struct PartialUpdate<'a> {
    pub(in crate::platforms::delta) patch: Patch<'a>,
}

#[derive(Debug, Serialize)]
pub(in crate::platforms::delta) struct Patch<'a> {
    #[serde(rename = "$set")]
    pub(in crate::platforms::delta) set: &'a CampaignFields,
}

/// The fields of a campaign that can be changed.
#[skip_serializing_none]
#[derive(Debug, Default, Serialize)]
pub(in crate::platforms::delta) struct CampaignFields {
    pub(in crate::platforms::delta) name: Option<String>,
    pub(in crate::platforms::delta) status: Option<&'static str>,
    #[serde(flatten)]
    pub(in crate::platforms::delta) budget: Option<Budget>,
    /// Set as a whole: the platform requires the start, and no end means none.
    #[serde(rename = "runSchedule")]
    pub(in crate::platforms::delta) run_schedule: Option<RunSchedule>,
}
