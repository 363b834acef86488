//! Campaigns: what one is and how it reads.
//!
//! Reddit Ads API v3 reference: "Get Campaign", its `configured_status` and `effective_status`.

use std::collections::BTreeMap;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::accounts::iso;
use super::money;

/// Properties that every answer has, null when nothing was set; `use_catalog` is false then.
const SHOWN: &[&str] = &[
    "name",
    "objective",
    "configured_status",
    "is_campaign_budget_optimization",
    "goal_type",
    "goal_value",
    "start_time",
    "end_time",
    "bid_strategy",
    "bid_type",
    "bid_value",
    "conversion_pixel_id",
    "optimization_goal",
    "view_through_conversion_type",
    "app_id",
    "spend_cap",
    "funding_instrument_id",
    "special_ad_categories",
    "invoice_label",
    "schedule",
    "use_catalog",
];

/// One campaign. Times are Unix seconds, money is micros of the account's currency.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Campaign {
    pub(crate) id: i64,
    /// What the advertiser set, in the form in which it is shown.
    pub(crate) fields: Map<String, Value>,
    pub(crate) created: i64,
    pub(crate) modified: i64,
    /// When it was archived.
    #[serde(default)]
    pub(crate) archived: Option<i64>,
    /// What it has cost, by the second in which an hour begins.
    #[serde(default)]
    pub(crate) spent: BTreeMap<i64, i64>,
}

impl Campaign {
    /// A text that was set.
    pub(crate) fn text(&self, name: &str) -> Option<&str> {
        self.fields.get(name)?.as_str()
    }

    pub(crate) fn number(&self, name: &str) -> Option<i64> {
        self.fields.get(name)?.as_i64()
    }

    /// A moment that was set, in Unix seconds.
    pub(crate) fn time(&self, name: &str) -> Option<i64> {
        Some(self.text(name)?.parse::<Timestamp>().ok()?.as_second())
    }

    /// Whether something else than null was set.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.fields.get(name).is_some_and(|value| !value.is_null())
    }

    /// Campaign budget optimization: the budget is the campaign's, not its ad groups'.
    pub(crate) fn optimized(&self) -> bool {
        self.fields.get("is_campaign_budget_optimization") == Some(&Value::Bool(true))
    }

    pub(crate) fn status(&self) -> &str {
        self.text("configured_status").unwrap_or_default()
    }

    /// What it cost in the hours from one second up to another.
    pub(crate) fn spent_between(&self, from: i64, to: i64) -> Option<i64> {
        let hours = self.spent.iter().filter(|(hour, _)| (from..to).contains(*hour));
        hours.map(|(_, micros)| *micros).reduce(i64::saturating_add)
    }

    pub(crate) fn json(&self, account: &str, now: i64) -> Value {
        let mut shown = json!({
            "id": self.id.to_string(),
            "ad_account_id": account,
            "effective_status": self.effective(now),
            "created_at": iso(self.created),
            "modified_at": iso(self.modified),
        });
        if let Some(shown) = shown.as_object_mut() {
            let field = |name: &&str| ((*name).to_owned(), self.fields.get(*name).cloned().unwrap_or_default());
            shown.extend(SHOWN.iter().map(field));
            // A boolean even when it was never set.
            shown.insert("use_catalog".to_owned(), json!(self.fields.get("use_catalog") == Some(&Value::Bool(true))));
        }
        shown
    }

    /// As people see it at the control address.
    pub(crate) fn card(&self, platform: &str, account: &str, currency: &str, now: i64) -> Value {
        let period = match self.text("goal_type") {
            Some("DAILY_SPEND") => Some("DAILY"),
            Some(_) => Some("LIFETIME"),
            None => None,
        };
        let spent = self.spent.values().fold(0_i64, |sum, micros| sum.saturating_add(*micros));
        json!({
            "platform": platform,
            "account": account,
            "id": self.id.to_string(),
            "name": self.text("name"),
            "status": self.status(),
            "created": iso(self.created),
            "effective_status": self.effective(now),
            "objective": self.text("objective"),
            "start": self.text("start_time"),
            "end": self.text("end_time"),
            "currency": currency,
            "budget_period": period,
            "budget": self.number("goal_value").map(|micros| money::decimal(micros, currency)),
            "spent": money::decimal(spent, currency),
        })
    }

    /// An active campaign counts as such though it has no ads here.
    fn effective(&self, now: i64) -> &str {
        let over = self.time("end_time").is_some_and(|end| end <= now);
        if over && self.status() == "ACTIVE" { "COMPLETED" } else { self.status() }
    }
}
