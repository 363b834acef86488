//! Monthly budgets that the service holds, because no platform's campaigns have them: a daily budget at the platform,
//! which maintenance moves so that a month spends its amount (docs/monthly-budgets.md).

mod budget;
mod facts;
mod halt;
mod run;
#[cfg(test)]
mod simulation;
mod steps;

pub use budget::require_amount;
pub(super) use budget::{daily_budget, month_zone, monthly_draft, require_open};
pub(super) use halt::halt_monthly_budget;
pub(super) use halt::{OverruledChanges, without_overruled};
pub use run::{Adjustment, adjust_daily_budget};
