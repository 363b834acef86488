//! Ad accounts, which Google calls customers.

use super::budget::Budget;
use super::campaign::Campaign;
use super::field_value::FieldValue;
use super::quirks::UNDECLARED;
use crate::account::AccountSummary;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// One ad account.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Account {
    /// Ten digits.
    pub(crate) id: i64,
    pub(crate) name: String,
    pub(crate) currency: String,
    pub(crate) time_zone: String,
    /// A manager holds accounts instead of campaigns.
    pub(crate) manager: bool,
    /// The manager of this account.
    pub(crate) parent: Option<i64>,
    pub(crate) campaigns: BTreeMap<i64, Campaign>,
    pub(crate) budgets: BTreeMap<i64, Budget>,
}

impl Account {
    pub(crate) fn new(id: i64, name: &str, currency: &str, time_zone: &str) -> Self {
        Self {
            id,
            name: name.to_owned(),
            currency: currency.to_owned(),
            time_zone: time_zone.to_owned(),
            manager: false,
            parent: None,
            campaigns: BTreeMap::new(),
            budgets: BTreeMap::new(),
        }
    }

    /// `customers/1234567890`.
    pub(crate) fn resource_name(&self) -> String {
        format!("customers/{}", self.id)
    }

    /// A field of `customer`.
    pub(crate) fn field(&self, name: &str) -> Option<FieldValue> {
        Some(match name {
            "resource_name" => FieldValue::Text(self.resource_name()),
            "id" => FieldValue::Int(self.id),
            "descriptive_name" => FieldValue::text(&self.name),
            "currency_code" => FieldValue::text(&self.currency),
            "time_zone" => FieldValue::text(&self.time_zone),
            "manager" => FieldValue::Bool(self.manager),
            "test_account" => FieldValue::Bool(false),
            _ => return None,
        })
    }

    /// A field of `customer_client`, as seen from the account `top`.
    pub(crate) fn client_field(&self, name: &str, top: &Self) -> Option<FieldValue> {
        Some(match name {
            "resource_name" => FieldValue::Text(format!("{}/customerClients/{}", top.resource_name(), self.id)),
            "client_customer" => FieldValue::Text(self.resource_name()),
            "level" => FieldValue::Int(i64::from(self.id != top.id)),
            "hidden" => FieldValue::Bool(false),
            shared => return self.field(shared),
        })
    }

    /// A field of `campaign_budget`, for one of the account's budgets.
    pub(crate) fn budget_field(&self, budget: &Budget, name: &str) -> Option<FieldValue> {
        match name {
            "reference_count" => Some(FieldValue::Int(self.campaigns_of_budget(budget.id))),
            name => budget.field(name, self.id),
        }
    }

    /// Number of campaigns that use a budget and are not removed.
    pub(crate) fn campaigns_of_budget(&self, budget: i64) -> i64 {
        let users = self.campaigns.values().filter(|campaign| campaign.budget == budget && !campaign.is_removed());
        i64::try_from(users.count()).unwrap_or(i64::MAX)
    }

    pub(crate) fn summary(&self) -> AccountSummary {
        AccountSummary {
            id: self.id.to_string(),
            name: self.name.clone(),
            currency: self.currency.clone(),
            time_zone: self.time_zone.clone(),
            marks: match self.id {
                UNDECLARED => vec!["quirk"],
                _ if self.manager => vec!["manager"],
                _ => Vec::new(),
            },
        }
    }
}
