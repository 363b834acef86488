//! Ad accounts ("customers") and what is in them.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::budget::Budget;
use super::campaign::Campaign;
use super::quirks::UNDECLARED;
use crate::account::AccountSummary;

/// A value of a field, before it is JSON.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Cell {
    Int(i64),
    Text(String),
    Bool(bool),
}

impl Cell {
    pub(crate) fn text(text: impl Into<String>) -> Self {
        Self::Text(text.into())
    }

    /// 64-bit integers are texts in proto3 JSON.
    pub(crate) fn json(&self) -> Value {
        match self {
            Self::Int(number) => json!(number.to_string()),
            Self::Text(text) => json!(text),
            Self::Bool(flag) => json!(flag),
        }
    }
}

/// One ad account.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Account {
    /// Ten digits.
    pub(crate) id: i64,
    pub(crate) name: String,
    pub(crate) currency: String,
    pub(crate) time_zone: String,
    /// Holds accounts instead of campaigns.
    pub(crate) manager: bool,
    /// The manager above it.
    pub(crate) parent: Option<i64>,
    pub(crate) campaigns: BTreeMap<i64, Campaign>,
    pub(crate) budgets: BTreeMap<i64, Budget>,
}

/// The manager that the accounts of the first day are under.
const MANAGER: i64 = 1_002_003_999;

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
    pub(crate) fn cell(&self, field: &str) -> Option<Cell> {
        Some(match field {
            "resource_name" => Cell::Text(self.resource_name()),
            "id" => Cell::Int(self.id),
            "descriptive_name" => Cell::text(&self.name),
            "currency_code" => Cell::text(&self.currency),
            "time_zone" => Cell::text(&self.time_zone),
            "manager" => Cell::Bool(self.manager),
            "test_account" => Cell::Bool(false),
            _ => return None,
        })
    }

    /// A field of `customer_client`, as seen from the account `top`.
    pub(crate) fn client_cell(&self, field: &str, top: &Self) -> Option<Cell> {
        Some(match field {
            "resource_name" => Cell::Text(format!("{}/customerClients/{}", top.resource_name(), self.id)),
            "client_customer" => Cell::Text(self.resource_name()),
            "level" => Cell::Int(i64::from(self.id != top.id)),
            "hidden" => Cell::Bool(false),
            shared => return self.cell(shared),
        })
    }

    /// What all its campaigns have cost.
    pub(crate) fn cost_micros(&self) -> i64 {
        self.campaigns.values().fold(0, |sum, campaign| sum.saturating_add(campaign.cost_micros))
    }

    pub(crate) fn card(&self) -> AccountSummary {
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

/// The accounts that are there on the first day, in the order of the consent page.
pub(crate) fn first_day() -> Vec<Account> {
    let own = [
        (1_002_003_001, "Harbour Coffee", "USD", "America/New_York"),
        (1_002_003_002, "Harbour Coffee Japan", "JPY", "Asia/Tokyo"),
        (1_002_003_003, "Harbour Coffee Kuwait", "KWD", "Asia/Kuwait"),
        (1_002_003_004, "Harbour Coffee Germany", "EUR", "Europe/Berlin"),
    ];
    let mut accounts: Vec<Account> = own
        .into_iter()
        .map(|(id, name, currency, zone)| {
            let account = Account::new(id, name, currency, zone);
            Account { parent: Some(MANAGER), ..account }
        })
        .collect();
    let manager = Account::new(MANAGER, "Harbour Coffee Group", "USD", "America/New_York");
    accounts.push(Account { manager: true, ..manager });
    accounts
}
