//! How far the month of a monthly budget is spent, in both shapes.

use super::wire::Number;
use crate::domain::MonthSpend;
use serde::Serialize;

/// Absent for a budget that the platform holds.
#[derive(Serialize)]
pub(super) struct WirePacing {
    spent: Number,
    remaining: Number,
    daily_now: Number,
    month: String,
}

impl From<MonthSpend> for WirePacing {
    fn from(MonthSpend { spent, remaining, daily_now, month }: MonthSpend) -> WirePacing {
        let (spent, remaining, daily_now) = (Number(spent), Number(remaining), Number(daily_now));
        WirePacing { spent, remaining, daily_now, month: month.name() }
    }
}
