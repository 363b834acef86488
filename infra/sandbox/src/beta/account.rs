//! Ad accounts and their fields.
//!
//! Marketing API: Ad Account reference.

use super::campaign::Campaign;
use super::quirks::BARE_190_ACCOUNT;
use super::{currency, times};
use crate::account::AccountSummary;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// One ad account.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Account {
    /// Most endpoints prefix it with `act_`.
    pub(crate) id: u64,
    pub(crate) name: String,
    pub(crate) currency: String,
    pub(crate) time_zone: String,
    /// In units of the currency's offset.
    pub(crate) min_daily_budget: u64,
    pub(crate) campaigns: BTreeMap<u64, Campaign>,
}

/// Fields that a call can select. Responses omit those without a value.
pub(crate) const FIELDS: &[&str] = &[
    "id",
    "account_id",
    "name",
    "currency",
    "timezone_name",
    "timezone_offset_hours_utc",
    "account_status",
    "disable_reason",
    "min_daily_budget",
    "amount_spent",
    "balance",
    "spend_cap",
    "owner",
    "user_tasks",
    "business",
    "business_name",
    "created_time",
    "funding_source",
    "timezone_id",
    "capabilities",
];

impl Account {
    pub(crate) fn new(id: u64, name: &str, currency: &str, time_zone: &str) -> Self {
        Self {
            id,
            name: name.to_owned(),
            currency: currency.to_owned(),
            time_zone: time_zone.to_owned(),
            min_daily_budget: currency::MIN_DAILY_BUDGET,
            campaigns: BTreeMap::new(),
        }
    }

    /// `act_1234567890`.
    pub(crate) fn act(&self) -> String {
        format!("act_{}", self.id)
    }

    /// The value of a field.
    pub(crate) fn field(&self, name: &str, now: Timestamp) -> Option<Value> {
        Some(match name {
            "id" => json!(self.act()),
            "account_id" => json!(self.id.to_string()),
            "name" => json!(self.name),
            "currency" => json!(self.currency),
            "timezone_name" => json!(self.time_zone),
            "timezone_offset_hours_utc" => json!(times::utc_offset_hours(now, &self.time_zone)),
            "min_daily_budget" => json!(self.min_daily_budget),
            "amount_spent" => json!(self.spent().to_string()),
            "balance" | "spend_cap" => json!("0"),
            "user_tasks" => json!(["DRAFT", "ANALYZE", "ADVERTISE", "MANAGE"]),
            _ => return None,
        })
    }

    /// The value of a field of one of its campaigns.
    pub(crate) fn campaign_field(&self, campaign: &Campaign, name: &str) -> Option<Value> {
        campaign.field(name, self)
    }

    fn spent(&self) -> u64 {
        let spend = self.campaigns.values().fold(0, |sum: i64, campaign| sum.saturating_add(campaign.spend()));
        currency::units(spend, &self.currency)
    }

    pub(crate) fn summary(&self) -> AccountSummary {
        AccountSummary {
            id: self.act(),
            name: self.name.clone(),
            currency: self.currency.clone(),
            time_zone: self.time_zone.clone(),
            marks: if self.id == BARE_190_ACCOUNT { vec!["quirk"] } else { Vec::new() },
        }
    }
}
