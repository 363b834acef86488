//! Campaigns and their fields.
//!
//! Marketing API: Campaign reference. Amounts are strings in units of the currency's offset.
//!
//! `start_time` and `stop_time` derive from ad sets, which the sandbox does not have: `start_time` is the time of
//! creation, `stop_time` is absent.

use super::account::Account;
use super::{currency, times};
use crate::delivery::{DeliveredDays, total_spend};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// `status` and `configured_status`, which are always equal here.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Status {
    Active,
    Paused,
    Archived,
    Deleted,
}

impl Status {
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Active => "ACTIVE",
            Self::Paused => "PAUSED",
            Self::Archived => "ARCHIVED",
            Self::Deleted => "DELETED",
        }
    }

    pub(crate) fn parse(text: &str) -> Option<Self> {
        [Self::Active, Self::Paused, Self::Archived, Self::Deleted].into_iter().find(|one| one.as_str() == text)
    }

    /// Whether lists without a status filter include it.
    pub(crate) fn is_listed_by_default(self) -> bool {
        matches!(self, Self::Active | Self::Paused)
    }
}

/// The budget of a campaign, shared by its ad sets.
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
    #[serde(default)]
    pub(crate) special_ad_category_country: Vec<String>,
    pub(crate) budget: Option<Budget>,
    pub(crate) bid_strategy: Option<String>,
    pub(crate) buying_type: String,
    pub(crate) shares_ad_set_budgets: bool,
    pub(crate) created: Timestamp,
    pub(crate) updated: Timestamp,
    /// Days in the account's time zone.
    pub(crate) delivered: DeliveredDays,
}

/// Fields that a call can select. Responses omit those without a value.
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
    /// Spend in micros.
    pub(crate) fn spend(&self) -> i64 {
        total_spend(&self.delivered)
    }

    /// The value of a field. Times are in the time zone of the account.
    pub(crate) fn field(&self, name: &str, account: &Account) -> Option<Value> {
        let time = |time: Timestamp| json!(times::format(time, &account.time_zone));
        Some(match name {
            "id" => json!(self.id.to_string()),
            "account_id" => json!(account.id.to_string()),
            "name" => json!(self.name),
            "objective" => json!(self.objective),
            "status" | "configured_status" => json!(self.status.as_str()),
            "daily_budget" | "lifetime_budget" => self.budget_field(name)?,
            "budget_remaining" => json!(self.budget_remaining(&account.currency).to_string()),
            "bid_strategy" => json!(self.bid_strategy.as_ref()?),
            "buying_type" => json!(self.buying_type),
            "is_adset_budget_sharing_enabled" => json!(self.shares_ad_set_budgets),
            "special_ad_categories" => json!(self.special_ad_categories),
            "special_ad_category" => json!(self.special_ad_categories.first().map_or("NONE", String::as_str)),
            "special_ad_category_country" if !self.special_ad_category_country.is_empty() => {
                json!(self.special_ad_category_country)
            }
            "start_time" | "created_time" => time(self.created),
            "updated_time" => time(self.updated),
            _ => return None,
        })
    }

    /// The unused kind of budget is "0". Without a budget both are absent.
    fn budget_field(&self, name: &str) -> Option<Value> {
        let budget = self.budget?;
        let amount = if budget.parameter() == name { budget.amount() } else { 0 };
        Some(json!(amount.to_string()))
    }

    fn budget_remaining(&self, currency: &str) -> u64 {
        match self.budget {
            None => 0,
            Some(Budget::Daily(amount)) => amount,
            Some(Budget::Lifetime(amount)) => amount.saturating_sub(currency::units(self.spend(), currency)),
        }
    }
}
