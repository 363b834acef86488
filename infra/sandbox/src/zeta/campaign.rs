//! Campaigns and their JSON forms.
//!
//! Reddit Ads API v3 reference: "Get Campaign", its `configured_status` and `effective_status`.

use super::currency::CURRENCIES;
use super::time::to_iso8601;
use crate::ads::Ads;
use crate::delivery::{Delivery, total_spend};
use crate::money;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// Properties of every response. They are null if they were never set; `use_catalog` is false then.
const PROPERTIES: &[&str] = &[
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

/// The hours of a campaign, by the Unix second at which the hour starts.
pub(crate) type DeliveredHours = BTreeMap<i64, Delivery>;

/// A campaign. Times are in Unix seconds, money is in micros of the account's currency.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Campaign {
    pub(crate) id: i64,
    /// The properties that the advertiser set, in the form of the response.
    pub(crate) fields: Map<String, Value>,
    pub(crate) created: i64,
    pub(crate) modified: i64,
    pub(crate) archived: Option<i64>,
    /// The delivery per hour.
    pub(crate) hours: DeliveredHours,
}

impl Campaign {
    /// A text property.
    pub(crate) fn text(&self, name: &str) -> Option<&str> {
        self.fields.get(name)?.as_str()
    }

    pub(crate) fn number(&self, name: &str) -> Option<i64> {
        self.fields.get(name)?.as_i64()
    }

    /// A date-time property, in Unix seconds.
    pub(crate) fn time(&self, name: &str) -> Option<i64> {
        Some(self.text(name)?.parse::<Timestamp>().ok()?.as_second())
    }

    /// Whether a property is set and not null.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.fields.get(name).is_some_and(|value| !value.is_null())
    }

    /// Campaign budget optimization: the campaign has the budget, not its ad groups.
    pub(crate) fn has_budget_optimization(&self) -> bool {
        self.fields.get("is_campaign_budget_optimization") == Some(&Value::Bool(true))
    }

    pub(crate) fn status(&self) -> &str {
        self.text("configured_status").unwrap_or_default()
    }

    pub(crate) fn json(&self, account: &str, effective_status: &str) -> Value {
        let mut body = json!({
            "id": self.id.to_string(),
            "ad_account_id": account,
            "effective_status": effective_status,
            "created_at": to_iso8601(self.created),
            "modified_at": to_iso8601(self.modified),
        });
        if let Some(body) = body.as_object_mut() {
            let field = |name: &&str| ((*name).to_owned(), self.fields.get(*name).cloned().unwrap_or_default());
            body.extend(PROPERTIES.iter().map(field));
            // A boolean, even if it was never set.
            body.insert("use_catalog".to_owned(), json!(self.fields.get("use_catalog") == Some(&Value::Bool(true))));
        }
        body
    }

    /// The campaign in the form of `GET /_sandbox/campaigns`.
    pub(crate) fn summary(&self, platform: &str, account: &str, currency: &str, effective_status: &str) -> Value {
        let period = match self.text("goal_type") {
            Some("DAILY_SPEND") => Some("DAILY"),
            Some(_) => Some("LIFETIME"),
            None => None,
        };
        json!({
            "platform": platform,
            "account": account,
            "id": self.id.to_string(),
            "name": self.text("name"),
            "status": self.status(),
            "created": to_iso8601(self.created),
            "effective_status": effective_status,
            "objective": self.text("objective"),
            "start_at": self.text("start_time"),
            "end_at": self.text("end_time"),
            "currency": currency,
            "budget_period": period,
            "budget": self.number("goal_value").map(|micros| money::format(CURRENCIES, micros, currency)),
            "spent": money::format(CURRENCIES, total_spend(&self.hours), currency),
        })
    }

    /// The platform's `effective_status`. An active campaign counts as active without ads, too.
    pub(crate) fn effective_status(&self, ads: &Ads, now: i64) -> &str {
        let has_ended = self.time("end_time").is_some_and(|end| end <= now);
        match self.status() {
            "ACTIVE" if has_ended => "COMPLETED",
            // The only hold of campaigns that the platform has a word for.
            "ACTIVE" if ads.campaign_hold(&self.id.to_string()).is_some() => "PENDING_BILLING_INFO",
            status => status,
        }
    }
}

/// Parses the id of a campaign: digits without a leading zero.
pub(crate) fn parse_id(id: &str) -> Option<i64> {
    let is_id = !id.is_empty() && !id.starts_with('0') && id.bytes().all(|byte| byte.is_ascii_digit());
    if is_id { id.parse().ok() } else { None }
}
