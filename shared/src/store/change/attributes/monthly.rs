//! The attribute of a monthly budget in the record of a campaign.

use super::{RequesterAttribute, corrupt_record};
use crate::domain::MonthlyBudget;
use crate::domain::monthly::Ledger;
use crate::error::Error;
use crate::store::change::record::change;
use jiff::Timestamp;
use jiff::civil::Date;
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use uuid::Uuid;

/// Amounts are texts, because a number of DynamoDB may lose digits.
#[skip_serializing_none]
#[derive(Serialize, Deserialize)]
pub(in crate::store::change) struct MonthlyBudgetAttribute {
    amount: String,
    requested_by: RequesterAttribute,
    request: Uuid,
    begun_at: Option<Timestamp>,
    daily: String,
    day: Date,
    reported: String,
    certain: String,
    before: String,
    high: String,
    spent: String,
    read_at: Option<Timestamp>,
    step: Option<String>,
    resume: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    overtaken: Vec<String>,
    closed_until: Option<Timestamp>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    is_halted: bool,
}

impl From<&MonthlyBudget> for MonthlyBudgetAttribute {
    fn from(monthly: &MonthlyBudget) -> MonthlyBudgetAttribute {
        let MonthlyBudget {
            amount,
            requested_by,
            request,
            begun_at,
            daily,
            ledger,
            step,
            resume,
            overtaken,
            closed_until,
            is_halted,
            due_at: _,
        } = monthly;
        let Ledger { day, reported, certain, before, high, spent, read_at } = ledger;
        MonthlyBudgetAttribute {
            amount: amount.to_string(),
            requested_by: requested_by.into(),
            request: *request,
            begun_at: Some(*begun_at),
            daily: daily.to_string(),
            day: *day,
            reported: reported.to_string(),
            certain: certain.to_string(),
            before: before.to_string(),
            high: high.to_string(),
            spent: spent.to_string(),
            read_at: *read_at,
            step: step.map(|id| id.to_string()),
            resume: resume.map(|id| id.to_string()),
            overtaken: overtaken.iter().map(ToString::to_string).collect(),
            closed_until: *closed_until,
            is_halted: *is_halted,
        }
    }
}

impl MonthlyBudgetAttribute {
    /// The monthly budget, which is due at a time of its own attribute.
    pub(in crate::store::change) fn parse(self, due_at: Timestamp) -> Result<MonthlyBudget, Error> {
        let ledger = Ledger {
            day: self.day,
            reported: decimal(&self.reported)?,
            certain: decimal(&self.certain)?,
            before: decimal(&self.before)?,
            high: decimal(&self.high)?,
            spent: decimal(&self.spent)?,
            read_at: self.read_at,
        };
        Ok(MonthlyBudget {
            amount: decimal(&self.amount)?,
            requested_by: self.requested_by.parse()?,
            request: self.request,
            begun_at: self.begun_at.unwrap_or_default(),
            daily: decimal(&self.daily)?,
            ledger,
            step: self.step.map(change).transpose()?,
            resume: self.resume.map(change).transpose()?,
            overtaken: self.overtaken.into_iter().map(change).collect::<Result<_, _>>()?,
            closed_until: self.closed_until,
            is_halted: self.is_halted,
            due_at,
        })
    }
}

fn decimal(text: &str) -> Result<Decimal, Error> {
    Decimal::from_str_exact(text).map_err(|_| corrupt_record())
}
