//! Times: start, end, and when a change applies.

use crate::domain::{BudgetPeriod, Platform};
use serde::{Deserialize, Serialize};
use std::fmt;

/// What a time must satisfy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum TimeRule {
    /// It is a time with an offset, or a date.
    Moment,
    /// The calendar has the day.
    CalendarDay,
    /// It is a time with an offset.
    Instant,
    /// It is a time with an offset, without a fraction of a second.
    WholeSecond,
    /// The end lies after the start.
    AfterStart,
    /// The start lies before the end, which the request does not move.
    BeforeEnd,
    /// It has not passed.
    Ahead,
    /// The start has not passed: a campaign that is to start now has none.
    AheadOrNone,
    /// The start is not before the current day of the ad account.
    FromToday,
    /// A budget of this period needs an end on the platform.
    EndRequired { period: BudgetPeriod, platform: Platform },
    /// It is a time for which a change can be scheduled.
    Schedulable,
    /// A monthly budget changes at once.
    NotWithMonth,
    /// Events are kept for 30 days.
    Kept,
}

impl fmt::Display for TimeRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            TimeRule::Moment => "must be RFC 3339 with an offset (2026-12-01T09:00:00Z) or a date (2026-12-01)",
            TimeRule::CalendarDay => "is not a day of the calendar",
            TimeRule::Instant => "must be a time with an offset, such as 2026-12-01T09:00:00Z",
            TimeRule::WholeSecond => {
                "must be a whole second with an offset, such as 2026-12-01T09:00:00Z; encode a + as %2B"
            }
            TimeRule::AfterStart => "must be after start_at",
            TimeRule::BeforeEnd => "must be before end_at",
            TimeRule::Ahead => "must not have passed",
            TimeRule::AheadOrNone => "must not have passed; leave it out to start now",
            TimeRule::FromToday => "must not be before the current day",
            TimeRule::EndRequired { period, platform } => {
                let (period, name) = (period.as_str(), platform.display_name());
                return write!(f, "is required with a {period} budget on {name}");
            }
            TimeRule::Schedulable => "must be at least a minute and at most a year ahead",
            TimeRule::NotWithMonth => {
                "must not be sent with a MONTHLY budget, or with the budget of a campaign that has one, which changes at \
                 once: send the request at that time"
            }
            TimeRule::Kept => "must not be more than 30 days ago: events are kept for so long",
        })
    }
}
