//! Monthly budgets that the service holds, because no platform's campaigns have them: a daily budget at the platform,
//! which maintenance moves so that a month spends its amount (docs/pacing.md).

mod budget;
mod look;
mod run;
#[cfg(test)]
mod simulation;
mod stay;
mod steps;

pub use budget::require_amount;
pub(super) use budget::{daily_budget, monthly_draft, pacing_zone, require_open};
pub use run::{Paced, pace};
pub(super) use stay::halt_month;
pub(super) use stay::{Overruled, without};
