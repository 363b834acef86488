//! How far the month of a monthly budget is spent, in both shapes.

use super::wire::Number;
use crate::domain::MonthSpend;
use serde::Serialize;

/// Absent for a budget that the platform holds.
#[derive(Serialize)]
pub(super) struct WirePacing {
    amount: Number,
    spent: Number,
    remaining: Number,
    daily_now: Number,
    month: String,
}

impl From<MonthSpend> for WirePacing {
    fn from(MonthSpend { amount, spent, remaining, daily_now, month }: MonthSpend) -> WirePacing {
        WirePacing {
            amount: Number(amount),
            spent: Number(spent),
            remaining: Number(remaining),
            daily_now: Number(daily_now),
            month: month.name(),
        }
    }
}
