//! Campaigns: what one is and how its fields read.
//!
//! Marketing API: Campaign reference. Money reads as text, counted as the currency is.
//!
//! `start_time` and `stop_time` are those of the ad sets, and here are none: the first reads as the time of creation, the
//! second is absent.

use std::collections::BTreeMap;

use jiff::Timestamp;
use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::accounts::Account;
use super::times;

/// Values of `status`, `configured_status` and `effective_status`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Status {
    Active,
    Paused,
    Archived,
    Deleted,
}

impl Status {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Active => "ACTIVE",
            Self::Paused => "PAUSED",
            Self::Archived => "ARCHIVED",
            Self::Deleted => "DELETED",
        }
    }

    pub(crate) fn named(name: &str) -> Option<Self> {
        [Self::Active, Self::Paused, Self::Archived, Self::Deleted].into_iter().find(|one| one.name() == name)
    }

    /// Whether lists show it when nobody asks for a status.
    pub(crate) fn is_listed(self) -> bool {
        matches!(self, Self::Active | Self::Paused)
    }
}

/// The budget that the ad sets of a campaign share.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Budget {
    Daily(u64),
    Lifetime(u64),
}

impl Budget {
    pub(crate) fn amount(self) -> u64 {
        match self {
            Self::Daily(amount) | Self::Lifetime(amount) => amount,
        }
    }

    /// The parameter that sets it.
    pub(crate) fn parameter(self) -> &'static str {
        match self {
            Self::Daily(_) => "daily_budget",
            Self::Lifetime(_) => "lifetime_budget",
        }
    }
}

/// One campaign.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Campaign {
    pub(crate) id: u64,
    pub(crate) name: String,
    pub(crate) objective: String,
    pub(crate) status: Status,
    pub(crate) special_ad_categories: Vec<String>,
    pub(crate) budget: Option<Budget>,
    pub(crate) bid_strategy: Option<String>,
    pub(crate) buying_type: String,
    pub(crate) shares_ad_set_budgets: bool,
    pub(crate) created: Timestamp,
    pub(crate) updated: Timestamp,
    /// What each day of the account's calendar has cost.
    pub(crate) spent: BTreeMap<Date, u64>,
}

/// Fields that can be asked for; those without a value are left out of answers.
pub(crate) const FIELDS: &[&str] = &[
    "id",
    "account_id",
    "name",
    "objective",
    "status",
    "configured_status",
    "effective_status",
    "daily_budget",
    "lifetime_budget",
    "budget_remaining",
    "bid_strategy",
    "buying_type",
    "is_adset_budget_sharing_enabled",
    "special_ad_categories",
    "special_ad_category",
    "start_time",
    "stop_time",
    "created_time",
    "updated_time",
    "special_ad_category_country",
    "spend_cap",
    "pacing_type",
    "promoted_object",
    "smart_promotion_type",
    "source_campaign_id",
    "issues_info",
    "adlabels",
];

impl Campaign {
    /// What the days from one to another have cost, both included.
    pub(crate) fn spent_in(&self, since: Option<Date>, until: Option<Date>) -> u64 {
        let within = |day: &Date| since.is_none_or(|since| *day >= since) && until.is_none_or(|until| *day <= until);
        let days = self.spent.iter().filter(|(day, _)| within(day));
        days.fold(0, |sum, (_, amount)| sum.saturating_add(*amount))
    }

    /// The value of a field.
    pub(crate) fn field(&self, name: &str, account: &Account) -> Option<Value> {
        let time = |time: Timestamp| json!(times::show(time, &account.time_zone));
        Some(match name {
            "id" => json!(self.id.to_string()),
            "account_id" => json!(account.id.to_string()),
            "name" => json!(self.name),
            "objective" => json!(self.objective),
            "status" | "configured_status" | "effective_status" => json!(self.status.name()),
            "daily_budget" | "lifetime_budget" => self.budget_field(name)?,
            "budget_remaining" => json!(self.budget_remaining().to_string()),
            "bid_strategy" => json!(self.bid_strategy.as_ref()?),
            "buying_type" => json!(self.buying_type),
            "is_adset_budget_sharing_enabled" => json!(self.shares_ad_set_budgets),
            "special_ad_categories" => json!(self.special_ad_categories),
            "special_ad_category" => json!(self.special_ad_categories.first().map_or("NONE", String::as_str)),
            "start_time" | "created_time" => time(self.created),
            "updated_time" => time(self.updated),
            _ => return None,
        })
    }

    /// The budget that is set; the other one reads "0", and both are absent when none is set.
    fn budget_field(&self, name: &str) -> Option<Value> {
        let budget = self.budget?;
        let amount = if budget.parameter() == name { budget.amount() } else { 0 };
        Some(json!(amount.to_string()))
    }

    fn budget_remaining(&self) -> u64 {
        match self.budget {
            None => 0,
            Some(Budget::Daily(amount)) => amount,
            Some(Budget::Lifetime(amount)) => amount.saturating_sub(self.spent_in(None, None)),
        }
    }
}
