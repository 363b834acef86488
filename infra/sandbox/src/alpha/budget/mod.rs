//! Campaign budgets and their fields.
//!
//! Google Ads API reference v26: `CampaignBudget`.

pub(crate) mod create;
pub(crate) mod rules;
pub(crate) mod update;

use super::field_value::FieldValue;
use super::resource_name::Resource;
use serde::{Deserialize, Serialize};

/// One budget.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Budget {
    pub(crate) id: i64,
    pub(crate) name: Option<String>,
    pub(crate) amount: Amount,
    pub(crate) shared: bool,
    pub(crate) removed: bool,
}

/// Micros of the account's currency. The period is immutable.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Amount {
    Daily(i64),
    Total(i64),
}

impl Amount {
    pub(crate) fn period(self) -> &'static str {
        match self {
            Self::Daily(_) => "DAILY",
            Self::Total(_) => "CUSTOM_PERIOD",
        }
    }

    pub(crate) fn micros(self) -> i64 {
        match self {
            Self::Daily(micros) | Self::Total(micros) => micros,
        }
    }
}

impl Budget {
    /// A field of `campaign_budget`, except `reference_count`.
    pub(crate) fn field(&self, name: &str, customer: i64) -> Option<FieldValue> {
        Some(match (name, self.amount) {
            ("resource_name", _) => FieldValue::Text(Resource::Budget.name(customer, self.id)),
            ("id", _) => FieldValue::Int(self.id),
            ("name", _) => FieldValue::Text(self.name.clone()?),
            ("amount_micros", Amount::Daily(micros)) => FieldValue::Int(micros),
            ("total_amount_micros", Amount::Total(micros)) => FieldValue::Int(micros),
            ("period", amount) => FieldValue::text(amount.period()),
            ("explicitly_shared", _) => FieldValue::Bool(self.shared),
            ("delivery_method" | "type", _) => FieldValue::text("STANDARD"),
            ("status", _) => FieldValue::text(if self.removed { "REMOVED" } else { "ENABLED" }),
            _ => return None,
        })
    }
}
