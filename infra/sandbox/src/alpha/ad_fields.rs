//! The fields of `ad_group` and `ad_group_ad`.
//!
//! Google Ads API reference v26: `AdGroup`, `AdGroupAd`, `AdGroupAdPolicySummary`, `PolicyTopicEntry`. A campaign has
//! one ad group at most.

use super::campaign::Campaign;
use super::field_value::FieldValue;
use super::primary::Primary;
use crate::ads::{Ad, AdState};
use serde_json::json;

/// An ad, its campaign, and what Google concludes of both.
#[derive(Debug, Clone)]
pub(crate) struct AdRow<'a> {
    pub(crate) campaign: &'a Campaign,
    pub(crate) ad: Ad,
    pub(crate) primary: Primary,
}

impl AdRow<'_> {
    /// A field of `ad_group`.
    pub(crate) fn group_field(&self, name: &str, customer: i64) -> Option<FieldValue> {
        Some(match name {
            "resource_name" => FieldValue::Text(self.group_name(customer)),
            "id" => FieldValue::Int(number(self.ad.group)),
            "name" => FieldValue::Text(self.ad.group_name()),
            "status" => FieldValue::text("ENABLED"),
            _ => return None,
        })
    }

    /// A field of `ad_group_ad`.
    pub(crate) fn field(&self, name: &str, customer: i64) -> Option<FieldValue> {
        let Ad { id, group, state } = self.ad;
        Some(match name {
            "resource_name" => FieldValue::Text(format!("customers/{customer}/adGroupAds/{group}~{id}")),
            "ad_group" => FieldValue::Text(self.group_name(customer)),
            "ad.resource_name" => FieldValue::Text(format!("customers/{customer}/ads/{id}")),
            "ad.id" => FieldValue::Int(number(id)),
            "ad.name" => FieldValue::Text(self.ad.name()),
            "status" => FieldValue::text(if state == AdState::Paused { "PAUSED" } else { "ENABLED" }),
            "primary_status" => FieldValue::text(&self.primary.status),
            "primary_status_reasons" => FieldValue::words(&self.primary.reasons)?,
            "policy_summary.review_status" => FieldValue::text(match state {
                AdState::InReview => "REVIEW_IN_PROGRESS",
                AdState::Approved | AdState::Rejected | AdState::Paused => "REVIEWED",
            }),
            "policy_summary.approval_status" => FieldValue::text(match state {
                AdState::Approved | AdState::Paused => "APPROVED",
                AdState::Rejected => "DISAPPROVED",
                AdState::InReview => return None,
            }),
            "policy_summary.policy_topic_entries" if state == AdState::Rejected => {
                FieldValue::Json(json!([{ "type": "PROHIBITED", "topic": "MISLEADING_CLAIM" }]).to_string())
            }
            _ => return None,
        })
    }

    fn group_name(&self, customer: i64) -> String {
        format!("customers/{customer}/adGroups/{}", self.ad.group)
    }
}

fn number(id: u64) -> i64 {
    i64::try_from(id).unwrap_or(i64::MAX)
}
