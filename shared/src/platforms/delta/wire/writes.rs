//! The bodies that create and change a campaign.

use super::{Money, RunSchedule};
use serde::Serialize;
use std::collections::BTreeMap;

/// A new campaign (Create and manage campaigns: campaign schema). The campaign group and the associated entity are added
/// once they are known.
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
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(in crate::platforms::delta) pacing_strategy: Option<&'static str>,
    pub(in crate::platforms::delta) status: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(in crate::platforms::delta) daily_budget: Option<Money>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(in crate::platforms::delta) total_budget: Option<Money>,
    pub(in crate::platforms::delta) run_schedule: RunSchedule,
    pub(in crate::platforms::delta) locale: Locale<'a>,
    pub(in crate::platforms::delta) targeting_criteria: TargetingCriteria,
    pub(in crate::platforms::delta) offsite_delivery_enabled: bool,
    pub(in crate::platforms::delta) political_intent: &'a str,
}

/// Country and language of the ads.
#[derive(Debug, Serialize)]
pub(in crate::platforms::delta) struct Locale<'a> {
    pub(in crate::platforms::delta) country: &'a str,
    pub(in crate::platforms::delta) language: &'a str,
}

/// The audience of a campaign: all of the conditions hold.
#[derive(Debug, Serialize)]
pub(in crate::platforms::delta) struct TargetingCriteria {
    pub(in crate::platforms::delta) include: AllOf,
}

/// All of these hold.
#[derive(Debug, Serialize)]
pub(in crate::platforms::delta) struct AllOf {
    pub(in crate::platforms::delta) and: Vec<AnyOf>,
}

/// One of these holds: values by facet.
#[derive(Debug, Serialize)]
pub(in crate::platforms::delta) struct AnyOf {
    pub(in crate::platforms::delta) or: BTreeMap<&'static str, Vec<String>>,
}

/// A partial update (Rest.li protocol: partial update): only the fields that are named change.
#[derive(Debug, Serialize)]
pub(in crate::platforms::delta) struct PartialUpdate<'a> {
    pub(in crate::platforms::delta) patch: Patch<'a>,
}

/// The changes of a partial update.
#[derive(Debug, Serialize)]
pub(in crate::platforms::delta) struct Patch<'a> {
    #[serde(rename = "$set")]
    pub(in crate::platforms::delta) set: &'a CampaignFields,
}

/// The fields of a campaign that can be changed.
#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(in crate::platforms::delta) struct CampaignFields {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(in crate::platforms::delta) name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(in crate::platforms::delta) status: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(in crate::platforms::delta) daily_budget: Option<Money>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(in crate::platforms::delta) total_budget: Option<Money>,
}
