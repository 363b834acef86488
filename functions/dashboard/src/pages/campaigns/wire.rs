//! Campaigns as the API shows them, and their values in words.

use super::month::Pacing;
use super::saved::decimal;
use crate::client::accounts::ConnectionError;
use crate::client::api::Pagination;
use crate::kit::money;
use jiff::Timestamp;
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use shared::domain::{Goal, Platform};
use shared::platforms::adapter;

/// The goals of the create form: the value, and what it says.
pub(super) const GOALS: &[(&str, &str)] = &[
    ("WEBSITE_TRAFFIC", "Website traffic"),
    ("BRAND_AWARENESS", "Brand awareness"),
    ("REACH", "Reach"),
    ("LEADS", "Leads"),
    ("SALES", "Sales"),
    ("APP_PROMOTION", "App promotion"),
];
/// The budget period that this service holds. Only the enveloped shape has it.
pub(crate) const MONTHLY: &str = "MONTHLY";
/// The budget periods of the create form.
pub(super) const PERIODS: &[(&str, &str)] = &[("DAILY", "A day"), (MONTHLY, "A month"), ("LIFETIME", "The whole run")];

/// Whether a platform has no campaigns with a goal of the form.
pub(super) fn lacks_goal(platform: Platform, goal: &str) -> bool {
    let known = match goal {
        "WEBSITE_TRAFFIC" => Goal::WebsiteTraffic,
        "BRAND_AWARENESS" => Goal::BrandAwareness,
        "REACH" => Goal::Reach,
        "LEADS" => Goal::Leads,
        "SALES" => Goal::Sales,
        "APP_PROMOTION" => Goal::AppPromotion,
        _ => return false,
    };
    !adapter(platform).facts().capabilities.goals.contains(&known)
}

/// A page of a list of campaigns in the enveloped shape.
#[derive(Deserialize)]
pub(crate) struct CampaignList {
    pub(crate) unified: Vec<Campaign>,
    pub(crate) pagination: Pagination,
    /// Accounts that could not be read.
    #[serde(default)]
    pub(crate) errors: Vec<ConnectionError>,
}

/// A campaign in the enveloped shape. What a list does not show is not kept with it.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub(crate) struct Campaign {
    pub(crate) id: String,
    pub(crate) platform: String,
    pub(crate) organization_id: String,
    pub(crate) name: String,
    pub(crate) status: String,
    pub(crate) goal: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) budget_amount: Option<Box<RawValue>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) budget_period: Option<String>,
    /// How far the month of a monthly budget is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) pacing: Option<Pacing>,
    pub(crate) currency: String,
    #[serde(skip_serializing)]
    pub(super) total_spend_amount: Option<Box<RawValue>>,
    #[serde(skip_serializing)]
    pub(super) start_at: Option<Timestamp>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) end_at: Option<Timestamp>,
    /// `service` or `platform`.
    #[serde(skip_serializing)]
    pub(super) start_held_by: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) end_held_by: Option<String>,
    #[serde(skip_serializing)]
    pub(super) created_at: Option<Timestamp>,
    #[serde(skip_serializing)]
    pub(super) updated_at: Option<Timestamp>,
}

/// The response about one campaign.
#[derive(Deserialize)]
pub(super) struct OneCampaign {
    pub(super) data: Campaign,
}

impl Campaign {
    /// The status for people. This shape shows a campaign past its platform's end as ACTIVE. One that is active past an
    /// end that this service holds still runs.
    pub(crate) fn status_word(&self, now: Timestamp) -> &'static str {
        let is_held = self.end_held_by.as_deref() == Some("service");
        let is_over = !is_held && self.end_at.is_some_and(|end| end <= now);
        if self.status == "ACTIVE" && is_over { "Ended" } else { status_word(&self.status) }
    }

    /// Whether it runs.
    pub(super) fn is_active(&self, now: Timestamp) -> bool {
        self.status_word(now) == "Active"
    }

    /// The class of the status badge.
    pub(crate) fn tone(&self, now: Timestamp) -> &'static str {
        match self.status_word(now) {
            "Active" => "good",
            "Being deleted" => "bad",
            _ => "plain",
        }
    }

    /// The status that the button of the campaign sets, and the text of the button. A removed campaign has none.
    pub(crate) fn next_status(&self) -> Option<(&'static str, &'static str)> {
        match self.status.as_str() {
            "ARCHIVED" | "SCHEDULED_FOR_DELETION" => None,
            "PAUSED" | "DRAFT" => Some(("ACTIVE", "Activate")),
            _ => Some(("PAUSED", "Pause")),
        }
    }

    /// The amount of the budget; `None` without one.
    pub(super) fn amount(&self) -> Option<Decimal> {
        self.budget_amount.as_deref().and_then(decimal)
    }

    /// The budget for people.
    pub(crate) fn budget(&self) -> String {
        money::budget(self.budget_amount.as_deref(), &self.currency, self.budget_period.as_deref())
    }
}

/// A status of either shape for people.
pub(super) fn status_word(status: &str) -> &'static str {
    match status {
        "ACTIVE" => "Active",
        "PAUSED" => "Paused",
        "ENDED" => "Ended",
        "DRAFT" => "Draft",
        "ARCHIVED" | "REMOVED" => "Deleted",
        "SCHEDULED_FOR_DELETION" => "Being deleted",
        _ => "Unknown",
    }
}

/// A goal for people.
pub(super) fn goal_word(goal: &str) -> &'static str {
    GOALS.iter().find(|(known, _)| *known == goal).map_or("Another goal", |(_, text)| text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn campaign(status: &str, end_at: Option<&str>) -> Campaign {
        let json = serde_json::json!({
            "id": "alpha_1_2", "platform": "ALPHA", "organization_id": "1", "name": "Spring", "status": status,
            "goal": "LEADS", "budget_period": "DAILY", "currency": "USD", "end_at": end_at, "raw": { "a": 1 },
        });
        let text = json.to_string().replacen('{', r#"{"budget_amount":12345678901234567890.25,"#, 1);
        serde_json::from_str(&text).unwrap()
    }

    #[test]
    fn a_budget_keeps_its_digits() {
        assert_eq!(campaign("PAUSED", None).budget(), "12,345,678,901,234,567,890.25 USD a day");
    }

    #[test]
    fn an_active_campaign_past_its_end_has_ended() {
        let now = "2026-12-01T09:00:00Z".parse().unwrap();
        assert_eq!(campaign("ACTIVE", None).status_word(now), "Active");
        assert_eq!(campaign("ACTIVE", Some("2026-12-01T09:00:01Z")).status_word(now), "Active");
        assert_eq!(campaign("ACTIVE", Some("2026-12-01T09:00:00Z")).status_word(now), "Ended");
        assert_eq!(campaign("PAUSED", Some("2026-12-01T09:00:00Z")).status_word(now), "Paused");
        let held =
            Campaign { end_held_by: Some("service".to_owned()), ..campaign("ACTIVE", Some("2026-12-01T09:00:00Z")) };
        assert_eq!(held.status_word(now), "Active", "nothing but our pause ends it");
    }

    #[test]
    fn a_removed_campaign_has_no_button() {
        assert_eq!(campaign("ACTIVE", None).next_status(), Some(("PAUSED", "Pause")));
        assert_eq!(campaign("DRAFT", None).next_status(), Some(("ACTIVE", "Activate")));
        assert_eq!(campaign("ARCHIVED", None).next_status(), None);
    }
}
