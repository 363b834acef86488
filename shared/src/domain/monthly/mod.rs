//! Monthly budgets that the service holds: it adjusts the daily budget at the platform so that a month spends its
//! amount.

mod decision;
mod ledger;
mod month;
mod restart;

pub use decision::{BudgetStep, DailyBudgetRule, ReportState, RunState, Situation, longest_month_amount};
pub use ledger::{Ledger, MonthReport};
pub use month::{Month, begin_of, day_in};

use super::{ChangeId, ChangeOrigin, Reference, Requester};
use jiff::Timestamp;
use rust_decimal::Decimal;
use uuid::Uuid;

/// The monthly budget of a campaign, and how far its month is spent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MonthlyBudget {
    /// The amount of a month, in major units of the account's currency.
    pub amount: Decimal,
    /// Who asked for the amount, and in which request.
    pub requested_by: Requester,
    pub request: Uuid,
    /// The reference of that request. Its steps have it too.
    pub reference: Option<Reference>,
    /// When the campaign has got it.
    pub begun_at: Timestamp,
    /// The daily budget at the platform at the last review.
    pub daily: Decimal,
    pub ledger: Ledger,
    /// The latest step.
    pub step: Option<ChangeId>,
    /// The activation that ends a pause by this service; nobody activates the campaign before its time.
    pub resume: Option<ChangeId>,
    /// Activations that were under way when somebody paused the campaign. They are not tried again, and may have set the
    /// budget at the platform.
    pub overtaken: Vec<ChangeId>,
    /// The end of the month whose amount is spent.
    pub closed_until: Option<Timestamp>,
    /// Whether it is stopped: the key that asked for the amount is stopped, and the campaign ran because of it.
    pub is_halted: bool,
    /// The time of the next review.
    pub due_at: Timestamp,
}

impl MonthlyBudget {
    /// A new one, due at once.
    pub fn new(amount: Decimal, origin: ChangeOrigin, ledger: Ledger, now: Timestamp) -> MonthlyBudget {
        let ChangeOrigin { request, requested_by, reference, key_digest: _ } = origin;
        MonthlyBudget {
            amount,
            requested_by,
            request,
            reference,
            begun_at: now,
            daily: ledger.high,
            ledger,
            step: None,
            resume: None,
            overtaken: Vec::new(),
            closed_until: None,
            is_halted: false,
            due_at: now,
        }
    }

    /// The request that the budget follows from. Its steps are not what the request itself has stored, so they do not have
    /// its key.
    pub fn origin(&self) -> ChangeOrigin {
        ChangeOrigin { reference: self.reference.clone(), ..ChangeOrigin::new(self.request, self.requested_by.clone()) }
    }

    /// The remaining amount of the month by the last report.
    pub fn remaining(&self) -> Decimal {
        (self.amount - self.ledger.spent).max(Decimal::ZERO)
    }

    /// The same budget in the name of a new requester, who sets its amount or activates the campaign of a stopped
    /// budget. Due at once.
    #[must_use]
    pub fn taken_over(self, origin: ChangeOrigin, now: Timestamp) -> MonthlyBudget {
        let ChangeOrigin { request, requested_by, reference, key_digest: _ } = origin;
        MonthlyBudget { requested_by, request, reference, is_halted: false, due_at: now, ..self }
    }

    /// Whether the amount of the month is spent, so that nobody activates the campaign.
    pub fn is_closed(&self, now: Timestamp) -> bool {
        self.closed_until.is_some_and(|until| now < until)
    }
}
