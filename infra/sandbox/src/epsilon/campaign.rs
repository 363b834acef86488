//! Campaigns: what one is and how it reads.
//!
//! Pinterest API v5 reference: `CampaignResponse`, `EntityStatus`, `CampaignSummaryStatus`.

use std::collections::BTreeMap;

use jiff::Timestamp;
use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::money;

/// What the advertiser set it to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Status {
    Active,
    Paused,
    Archived,
    Draft,
    DeletedDraft,
}

const STATUSES: &[(&str, Status)] = &[
    ("ACTIVE", Status::Active),
    ("PAUSED", Status::Paused),
    ("ARCHIVED", Status::Archived),
    ("DRAFT", Status::Draft),
    ("DELETED_DRAFT", Status::DeletedDraft),
];

impl Status {
    pub(crate) fn named(name: &str) -> Option<Self> {
        STATUSES.iter().find(|(known, _)| *known == name).map(|(_, status)| *status)
    }

    pub(crate) fn name(self) -> &'static str {
        STATUSES.iter().find(|(_, status)| *status == self).map_or("", |(name, _)| name)
    }

    /// Whether nothing leads out of it.
    pub(crate) fn is_final(self) -> bool {
        matches!(self, Self::Archived | Self::DeletedDraft)
    }
}

/// One campaign. Times are Unix seconds, money is micros of the account's currency.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Campaign {
    pub(crate) id: i64,
    pub(crate) name: String,
    pub(crate) objective: String,
    pub(crate) status: Status,
    /// Campaign budget optimization: the budget is the campaign's, not its ad groups'.
    pub(crate) optimized: bool,
    pub(crate) flexible: bool,
    pub(crate) daily: Option<i64>,
    pub(crate) lifetime: Option<i64>,
    pub(crate) start: Option<i64>,
    pub(crate) end: Option<i64>,
    pub(crate) created: i64,
    pub(crate) updated: i64,
    /// What it has cost, by day of UTC.
    #[serde(default)]
    pub(crate) spent: BTreeMap<Date, i64>,
}

impl Campaign {
    /// What it cost from one day to another, both included; `None` when there is nothing.
    pub(crate) fn spent_between(&self, first: Date, last: Date) -> Option<i64> {
        let days = self.spent.iter().filter(|(day, _)| (first..=last).contains(*day));
        days.map(|(_, micros)| *micros).reduce(i64::saturating_add)
    }

    pub(crate) fn json(&self, account: i64, now: i64) -> Value {
        json!({
            "id": self.id.to_string(),
            "ad_account_id": account.to_string(),
            "name": self.name,
            "status": self.status.name(),
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
            "summary_status": self.summary(now),
            "type": "campaign",
        })
    }

    /// As people see it at the control address.
    pub(crate) fn card(&self, platform: &str, account: i64, currency: &str, now: i64) -> Value {
        let budget = self.daily.or(self.lifetime);
        let period = self.daily.map(|_| "DAILY").or(self.lifetime.map(|_| "LIFETIME"));
        let spent = self.spent.values().fold(0_i64, |sum, micros| sum.saturating_add(*micros));
        json!({
            "platform": platform,
            "account": account.to_string(),
            "id": self.id.to_string(),
            "name": self.name,
            "status": self.status.name(),
            "created": Timestamp::from_second(self.created).ok(),
            "summary_status": self.summary(now),
            "objective": self.objective,
            "start": self.start,
            "end": self.end,
            "currency": currency,
            "budget_period": period,
            "budget": budget.map(|micros| money::decimal(micros, currency)),
            "spent": money::decimal(spent, currency),
        })
    }

    /// An active campaign counts as running though it has no ads here.
    fn summary(&self, now: i64) -> &'static str {
        match self.status {
            Status::Active if self.end.is_some_and(|end| end <= now) => "COMPLETED",
            Status::Active if self.start.is_some_and(|start| start > now) => "NOT_STARTED",
            Status::Active => "RUNNING",
            other => other.name(),
        }
    }
}
