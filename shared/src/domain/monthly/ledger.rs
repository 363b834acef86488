//! The spend of a campaign in a month: as reported, and at most.

use super::{Month, begin_of, day_in};
use crate::domain::AmountAsText;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};
use serde_with::{serde_as, skip_serializing_none};

/// A report shows the whole spend of a day this long after the day's end. Where the clocks were put forward, two
/// midnights are less than that apart.
const WHOLE_AFTER: SignedDuration = SignedDuration::from_hours(24);

/// A report on the days of a month up to the one on which it was read.
#[derive(Clone, Copy, Debug)]
pub struct MonthReport<'a> {
    pub rows: &'a [(Date, Decimal)],
    pub read_at: Timestamp,
    /// The time zone of its days.
    pub zone: &'a TimeZone,
}

impl MonthReport<'_> {
    fn sum(&self, from: Date, to: Date) -> Decimal {
        self.rows.iter().filter(|(day, _)| (from..=to).contains(day)).map(|(_, spend)| *spend).sum()
    }

    /// Whether it shows the whole spend of the day before the last whole one.
    fn is_whole_before(&self, yesterday: Date) -> bool {
        begin_of(yesterday, self.zone).is_none_or(|ended| self.read_at.duration_since(ended) >= WHOLE_AFTER)
    }
}

/// The known spend of a month. Amounts are in the account's currency.
#[serde_as]
#[skip_serializing_none]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ledger {
    /// The days of its month before this one are counted.
    pub day: Date,
    /// Spend of those days, as reported.
    #[serde_as(as = "AmountAsText")]
    pub reported: Decimal,
    /// The most that those days may turn out to have spent: the report on the last of them may not be complete.
    #[serde_as(as = "AmountAsText")]
    pub certain: Decimal,
    /// The highest daily budget in force on the day before.
    #[serde_as(as = "AmountAsText")]
    pub before: Decimal,
    /// The highest daily budget in force on the day.
    #[serde_as(as = "AmountAsText")]
    pub high: Decimal,
    /// Spend of the month with the day itself, as reported.
    #[serde_as(as = "AmountAsText")]
    pub spent: Decimal,
    /// The last report that was read; `None` before the first one.
    pub read_at: Option<Timestamp>,
}

impl Ledger {
    /// Nothing counted yet. `before` is the budget that the campaign had on earlier days.
    pub fn begin(day: Date, before: Decimal, daily: Decimal) -> Ledger {
        let zero = Decimal::ZERO;
        Ledger { day, reported: zero, certain: zero, before, high: daily, spent: zero, read_at: None }
    }

    /// The month that it counts.
    pub fn month(&self) -> Month {
        Month::of(self.day)
    }

    /// The spend of the day itself, as reported.
    pub fn spent_today(&self) -> Decimal {
        (self.spent - self.reported).max(Decimal::ZERO)
    }

    /// Counts the reported days. `daily` is the budget in force, or 0 while the campaign is known to be paused. The
    /// last whole day may be incomplete: it counts with the report or with the most that its budget allows, whichever
    /// is more. If the day before it ended less than 24 hours ago, that day may be incomplete too: then the total never
    /// falls below the earlier certain total.
    #[must_use]
    pub fn with_report(&self, report: &MonthReport<'_>, daily: Decimal, factor: Decimal) -> Ledger {
        let today = day_in(report.zone, report.read_at);
        let first = Month::of(today).first();
        let rolled = self.rolled(today, daily);
        let spent = report.sum(first, today);
        let reported = spent - report.sum(today, today);
        let yesterday = today.yesterday().ok().filter(|yesterday| *yesterday >= first);
        let unreported = yesterday.map_or(Decimal::ZERO, |day| factor * rolled.before - report.sum(day, day));
        let at_most = reported + unreported.max(Decimal::ZERO);
        let certain = match yesterday {
            Some(yesterday) if !report.is_whole_before(yesterday) => {
                at_most.max(self.without_report(today, daily, factor).certain)
            }
            _ => at_most,
        };
        Ledger { reported, certain, spent, read_at: Some(report.read_at), ..rolled }
    }

    /// Counts the days without a report, each with the most that its budget allows.
    #[must_use]
    pub fn without_report(&self, today: Date, daily: Decimal, factor: Decimal) -> Ledger {
        let rolled = self.rolled(today, daily);
        let month = Month::of(today);
        let is_same = self.month() == month;
        let from = if is_same { self.day } else { month.first() };
        let unknown = Decimal::from(from.until(today).map_or(0, |span| span.get_days()).max(0));
        let extra = unknown * factor * rolled.before;
        let (reported, certain) = if is_same { (self.reported, self.certain) } else { (Decimal::ZERO, Decimal::ZERO) };
        let spent = if is_same { self.spent } else { Decimal::ZERO };
        Ledger { reported: reported + extra, certain: certain + extra, spent, ..rolled }
    }

    /// The same ledger on a later day, with the budgets in force.
    fn rolled(&self, today: Date, daily: Decimal) -> Ledger {
        let high = self.high.max(daily);
        if self.day < today {
            Ledger { day: today, before: high, high: daily, ..*self }
        } else {
            Ledger { high, ..*self }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::civil::date;

    fn rows(spends: &[(i8, i64)]) -> Vec<(Date, Decimal)> {
        spends.iter().map(|(day, spend)| (date(2026, 11, *day), Decimal::from(*spend))).collect()
    }

    /// The ledger after a look at midnight in UTC.
    fn looked(ledger: &Ledger, day: i8, rows: &[(Date, Decimal)], daily: i64) -> Ledger {
        let zone = &TimeZone::UTC;
        let read_at = begin_of(date(2026, 11, day), zone).unwrap();
        ledger.with_report(&MonthReport { rows, read_at, zone }, daily.into(), 2.into())
    }

    #[test]
    fn the_last_whole_day_counts_with_what_its_budget_allows() {
        let ledger = Ledger::begin(date(2026, 11, 9), Decimal::ZERO, 10.into());
        let rows = rows(&[(7, 5), (8, 12), (9, 4), (10, 1)]);
        let ledger = looked(&ledger, 10, &rows, 8);
        assert_eq!((ledger.reported, ledger.certain, ledger.spent), (21.into(), 37.into(), 22.into()));
        assert_eq!((ledger.before, ledger.high, ledger.spent_today()), (10.into(), 8.into(), 1.into()));
        let again = looked(&ledger, 10, &rows, 9);
        assert_eq!((again.before, again.high, again.certain), (10.into(), 9.into(), 37.into()), "the same day");
    }

    #[test]
    fn a_day_counts_in_full_until_24_hours_after_its_end() {
        // The clocks of Auckland are put forward on the 27th, which has 23 hours.
        let zone = &TimeZone::get("Pacific/Auckland").unwrap();
        let day = |day: i8| date(2026, 9, day);
        let midnight = |of: i8| begin_of(day(of), zone).unwrap();
        let read = |ledger: &Ledger, rows: &[(Date, Decimal)], read_at: Timestamp| {
            ledger.with_report(&MonthReport { rows, read_at, zone }, 10.into(), 2.into())
        };
        let ledger = Ledger::begin(day(26), 10.into(), 10.into());
        let before = read(&ledger, &[(day(25), 20.into())], midnight(27));
        assert_eq!((before.reported, before.certain), (20.into(), 40.into()));
        let late = read(&before, &[(day(25), 20.into())], midnight(28));
        assert_eq!((late.reported, late.certain), (20.into(), 60.into()), "neither the 26th nor the 27th is told");
        let again = read(&late, &[(day(25), 20.into())], midnight(28) + SignedDuration::from_mins(59));
        assert_eq!(again.certain, 60.into(), "the same hour");
        let whole = [(day(25), 20.into()), (day(26), 5.into())];
        let told = read(&again, &whole, midnight(28) + SignedDuration::from_hours(1));
        assert_eq!((told.reported, told.certain), (25.into(), 45.into()));
    }

    #[test]
    fn days_without_a_report_count_in_full_until_one_is_read() {
        let ledger = Ledger::begin(date(2026, 11, 9), Decimal::ZERO, 10.into());
        let blind = ledger.without_report(date(2026, 11, 11), 10.into(), 2.into());
        assert_eq!((blind.reported, blind.certain), (40.into(), 40.into()));
        let again = blind.without_report(date(2026, 11, 11), 10.into(), 2.into());
        assert_eq!(again, blind, "twice on a day");
        let read = looked(&blind, 11, &rows(&[(9, 3), (10, 20)]), 10);
        assert_eq!((read.reported, read.certain), (23.into(), 23.into()));
    }

    #[test]
    fn a_new_month_begins_with_nothing() {
        let ledger =
            Ledger { reported: 90.into(), certain: 95.into(), ..Ledger::begin(date(2026, 10, 31), 9.into(), 9.into()) };
        let first = ledger.without_report(date(2026, 11, 1), 9.into(), 2.into());
        assert_eq!((first.reported, first.certain, first.before), (Decimal::ZERO, Decimal::ZERO, 9.into()));
        let third = ledger.without_report(date(2026, 11, 3), 9.into(), 2.into());
        assert_eq!(third.certain, 36.into(), "two days of the new month");
    }
}
