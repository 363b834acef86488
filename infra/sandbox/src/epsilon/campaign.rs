//! Campaigns and their JSON forms.
//!
//! Pinterest API v5 reference: `CampaignResponse`, `EntityStatus`, `CampaignSummaryStatus`.

use super::currency::CURRENCIES;
use crate::delivery::{DeliveredDays, total_spend};
use crate::money;
use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// The status that the advertiser set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Status {
    Active,
    Paused,
    Archived,
    Draft,
    DeletedDraft,
}

/// The `summary_status` of everything in an account that the platform has switched off.
pub(crate) const DISABLED: &str = "ADVERTISER_DISABLED";

const STATUSES: &[(&str, Status)] = &[
    ("ACTIVE", Status::Active),
    ("PAUSED", Status::Paused),
    ("ARCHIVED", Status::Archived),
    ("DRAFT", Status::Draft),
    ("DELETED_DRAFT", Status::DeletedDraft),
];

impl Status {
    pub(crate) fn parse(name: &str) -> Option<Self> {
        STATUSES.iter().find(|(known, _)| *known == name).map(|(_, status)| *status)
    }

    pub(crate) fn as_str(self) -> &'static str {
        STATUSES.iter().find(|(_, status)| *status == self).map_or("", |(name, _)| name)
    }

    /// Whether no update is allowed any more.
    pub(crate) fn is_final(self) -> bool {
        matches!(self, Self::Archived | Self::DeletedDraft)
    }
}

/// A campaign. Times are in Unix seconds, money is in micros of the account's currency.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Campaign {
    pub(crate) id: i64,
    pub(crate) name: String,
    pub(crate) objective: String,
    pub(crate) status: Status,
    /// Campaign budget optimization: the campaign has the budget, not its ad groups.
    pub(crate) optimized: bool,
    pub(crate) flexible: bool,
    /// Daily and lifetime spend cap.
    pub(crate) daily: Option<i64>,
    pub(crate) lifetime: Option<i64>,
    pub(crate) start: Option<i64>,
    pub(crate) end: Option<i64>,
    pub(crate) created: i64,
    pub(crate) updated: i64,
    /// The delivery per UTC date.
    pub(crate) days: DeliveredDays,
}

impl Campaign {
    pub(crate) fn json(&self, account: i64, summary_status: &str) -> Value {
        json!({
            "id": self.id.to_string(),
            "ad_account_id": account.to_string(),
            "name": self.name,
            "status": self.status.as_str(),
            "objective_type": self.objective,
            "is_campaign_budget_optimization": self.optimized,
            "is_flexible_daily_budgets": self.flexible,
            "daily_spend_cap": self.daily,
            "lifetime_spend_cap": self.lifetime,
            "start_time": self.start,
            "end_time": self.end,
            "order_line_id": null,
            "tracking_urls": null,
            "created_time": self.created,
            "updated_time": self.updated,
            "summary_status": summary_status,
            "type": "campaign",
        })
    }

    /// The campaign in the form of `GET /_sandbox/campaigns`.
    pub(crate) fn summary(&self, platform: &str, account: i64, currency: &str, summary_status: &str) -> Value {
        let budget = self.daily.or(self.lifetime);
        let period = self.daily.map(|_| "DAILY").or(self.lifetime.map(|_| "LIFETIME"));
        let instant = |second: Option<i64>| Timestamp::from_second(second?).ok();
        json!({
            "platform": platform,
            "account": account.to_string(),
            "id": self.id.to_string(),
            "name": self.name,
            "status": self.status.as_str(),
            "created": Timestamp::from_second(self.created).ok(),
            "summary_status": summary_status,
            "objective": self.objective,
            "start_at": instant(self.start),
            "end_at": instant(self.end),
            "currency": currency,
            "budget_period": period,
            "budget": budget.map(|micros| money::format(CURRENCIES, micros, currency)),
            "spent": money::format(CURRENCIES, total_spend(&self.days), currency),
        })
    }

    /// The platform's `summary_status`. An active campaign counts as running without ads, too. Recorded campaigns of a
    /// disabled account say that although they are paused.
    pub(crate) fn summary_status(&self, is_disabled: bool, now: i64) -> &'static str {
        match self.status {
            Status::Active | Status::Paused if is_disabled => DISABLED,
            Status::Active => self.dates_word(now),
            other => other.as_str(),
        }
    }

    /// The word for what runs between the dates of the campaign.
    pub(crate) fn dates_word(&self, now: i64) -> &'static str {
        if self.end.is_some_and(|end| end <= now) {
            return "COMPLETED";
        }
        if self.start.is_some_and(|start| start > now) { "NOT_STARTED" } else { "RUNNING" }
    }
}

/// Parses an id in a path, a query or a body: up to 18 digits.
pub(crate) fn parse_id(text: &str) -> Option<i64> {
    let is_id = (1..=18).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
    if is_id { text.parse().ok() } else { None }
}

/// The date in UTC.
pub(crate) fn utc_date(now: Timestamp) -> Date {
    now.to_zoned(TimeZone::UTC).date()
}
