//! What a campaign has spent in a month: as reported, and at most.

use super::Month;
use jiff::Timestamp;
use jiff::civil::Date;
use rust_decimal::Decimal;

/// What is known of the spend in a month. Amounts are in the account's currency.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ledger {
    /// The days of its month before this one are counted.
    pub day: Date,
    /// Spend of those days, as reported.
    pub reported: Decimal,
    /// The most that those days may turn out to have spent: the report on the last of them may not be complete.
    pub certain: Decimal,
    /// The highest daily budget in force on the day before.
    pub before: Decimal,
    /// The highest daily budget in force on the day.
    pub high: Decimal,
    /// Spend of the month with the day itself, as reported.
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

    /// Counts what a report says about the days of the month. `daily` is the budget in force, 0 while the campaign is known
    /// to be paused. The last whole day of the report may not be complete, so that day counts with what the platform may
    /// have spent by its budget, if that is more.
    #[must_use]
    pub fn with_report(
        &self,
        rows: &[(Date, Decimal)],
        today: Date,
        daily: Decimal,
        factor: Decimal,
        at: Timestamp,
    ) -> Ledger {
        let rolled = self.rolled(today, daily);
        let first = Month::of(today).first();
        let sum = |from: Date, to: Date| -> Decimal {
            rows.iter().filter(|(day, _)| (from..=to).contains(day)).map(|(_, spend)| *spend).sum()
        };
        let spent = sum(first, today);
        let reported = spent - sum(today, today);
        let yesterday = today.yesterday().ok().filter(|yesterday| *yesterday >= first);
        let late = yesterday.map_or(Decimal::ZERO, |day| factor * rolled.before - sum(day, day));
        Ledger { reported, certain: reported + late.max(Decimal::ZERO), spent, read_at: Some(at), ..rolled }
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
        match self.day < today {
            true => Ledger { day: today, before: high, high: daily, ..self.clone() },
            false => Ledger { high, ..self.clone() },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::civil::date;

    const NOW: Timestamp = Timestamp::UNIX_EPOCH;

    fn rows(spends: &[(i8, i64)]) -> Vec<(Date, Decimal)> {
        spends.iter().map(|(day, spend)| (date(2026, 11, *day), Decimal::from(*spend))).collect()
    }

    #[test]
    fn the_last_whole_day_counts_with_what_its_budget_allows() {
        let ledger = Ledger::begin(date(2026, 11, 9), Decimal::ZERO, 10.into());
        let rows = rows(&[(7, 5), (8, 12), (9, 4), (10, 1)]);
        let ledger = ledger.with_report(&rows, date(2026, 11, 10), 8.into(), 2.into(), NOW);
        assert_eq!((ledger.reported, ledger.certain, ledger.spent), (21.into(), 37.into(), 22.into()));
        assert_eq!((ledger.before, ledger.high, ledger.spent_today()), (10.into(), 8.into(), 1.into()));
        let again = ledger.with_report(&rows, date(2026, 11, 10), 9.into(), 2.into(), NOW);
        assert_eq!((again.before, again.high, again.certain), (10.into(), 9.into(), 37.into()), "the same day");
    }

    #[test]
    fn days_without_a_report_count_in_full_until_one_is_read() {
        let ledger = Ledger::begin(date(2026, 11, 9), Decimal::ZERO, 10.into());
        let blind = ledger.without_report(date(2026, 11, 11), 10.into(), 2.into());
        assert_eq!((blind.reported, blind.certain), (40.into(), 40.into()));
        let again = blind.without_report(date(2026, 11, 11), 10.into(), 2.into());
        assert_eq!(again, blind, "twice on a day");
        let read = blind.with_report(&rows(&[(9, 3), (10, 20)]), date(2026, 11, 11), 10.into(), 2.into(), NOW);
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
