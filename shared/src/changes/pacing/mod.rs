//! Monthly budgets that the service holds, because no platform's campaigns have them: a daily budget at the platform,
//! which maintenance moves so that a month spends its amount (docs/pacing.md).

mod budget;
mod look;
mod run;
#[cfg(test)]
mod simulation;
mod stay;
mod steps;

pub use budget::{daily_budget, monthly_draft, pacing_zone, require_amount, require_open};
pub use run::{Paced, pace};
pub use stay::{Overruled, overruled_by_pause, without};
pub(super) use stay::{cancel_resumption, halt_month, take_over};
