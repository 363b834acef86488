//! The attribute of a monthly budget in the record of a campaign.

use super::StoredRequester;
use crate::domain::monthly::Ledger;
use crate::domain::{AmountAsText, ChangeId, MonthlyBudget, Reference, Requester};
use jiff::Timestamp;
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};
use serde_with::{serde_as, skip_serializing_none};
use uuid::Uuid;

#[derive(Serialize, Deserialize)]
pub(in crate::store::change) struct StoredMonthlyBudget(
    #[serde(with = "MonthlyBudgetAttributes")] pub(in crate::store::change) MonthlyBudget,
);

#[serde_as]
#[skip_serializing_none]
#[derive(Serialize, Deserialize)]
#[serde(remote = "MonthlyBudget")]
struct MonthlyBudgetAttributes {
    #[serde_as(as = "AmountAsText")]
    amount: Decimal,
    #[serde(with = "StoredRequester")]
    requested_by: Requester,
    request: Uuid,
    reference: Option<Reference>,
    #[serde(default)]
    begun_at: Timestamp,
    #[serde_as(as = "AmountAsText")]
    daily: Decimal,
    #[serde(flatten)]
    ledger: Ledger,
    step: Option<ChangeId>,
    resume: Option<ChangeId>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    overtaken: Vec<ChangeId>,
    closed_until: Option<Timestamp>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    is_halted: bool,
    /// An attribute of the record.
    #[serde(skip)]
    due_at: Timestamp,
}
