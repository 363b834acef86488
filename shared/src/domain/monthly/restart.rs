//! The amount with which a campaign whose month is spent restarts today: the decision of maintenance, asked of amounts.

use super::{BudgetStep, DailyBudgetRule, Ledger, ReportState, RunState, Situation};
use jiff::civil::Date;
use rust_decimal::{Decimal, RoundingStrategy};

/// From the smallest amount of a month to more than any account spends.
const MOST_DOUBLINGS: usize = 60;

impl DailyBudgetRule {
    /// Whether a campaign that this service has paused restarts today with this amount of a month. A day after that of the
    /// ledger is one without a report yet, so it counts with the most that it may have spent.
    pub fn restarts(&self, amount: Decimal, ledger: &Ledger, today: Date) -> bool {
        let ledger = &ledger.without_report(today, Decimal::ZERO, self.factor);
        let (daily, run_state, report) = (Decimal::ZERO, RunState::PausedByService, ReportState::Read);
        let situation = &Situation { amount, ledger, today, daily, run_state, report, keeps_budget: false };
        matches!(self.decide(situation), BudgetStep::Resume(_))
    }

    /// The smallest amount of a month with which it does; `None` if no amount does. More restarts it too.
    pub fn restart_amount(&self, ledger: &Ledger, today: Date) -> Option<Decimal> {
        let (mut low, mut high) = (Decimal::ZERO, self.smallest_amount());
        for _ in 0..MOST_DOUBLINGS {
            if self.restarts(high, ledger, today) {
                return Some(self.smallest_between((low, high), ledger, today));
            }
            (low, high) = (high, high.checked_mul(Decimal::TWO)?);
        }
        None
    }

    /// The smallest amount above `low`, which does not restart the campaign, and up to `high`, which does.
    fn smallest_between(&self, (mut low, mut high): (Decimal, Decimal), ledger: &Ledger, today: Date) -> Decimal {
        loop {
            let middle = (low + high) / Decimal::TWO;
            let middle = middle.round_dp_with_strategy(self.decimals, RoundingStrategy::ToZero);
            if middle <= low {
                return high.normalize();
            }
            if self.restarts(middle, ledger, today) { high = middle } else { low = middle }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::civil::date;

    fn decimal(text: &str) -> Decimal {
        text.parse().unwrap()
    }

    fn rule(factor: &str, minimum: Option<i64>, decimals: u32) -> DailyBudgetRule {
        DailyBudgetRule { factor: decimal(factor), minimum: minimum.map(Decimal::from), decimals }
    }

    /// A day of November on which the campaign has spent 60 of a budget of 100, after days that spent this much.
    fn ledger(day: i8, reported: i64) -> Ledger {
        let (reported, daily) = (Decimal::from(reported), Decimal::ONE_HUNDRED);
        let spent = reported + Decimal::from(60);
        Ledger { reported, certain: reported, spent, ..Ledger::begin(date(2026, 11, day), daily, daily) }
    }

    #[test]
    fn what_is_left_covers_the_most_that_today_may_still_cost() {
        let (strict, double) = (rule("1", Some(5), 2), rule("2", Some(1), 2));
        let of = |rule: &DailyBudgetRule, day, reported| {
            let ledger = ledger(day, reported);
            rule.restart_amount(&ledger, ledger.day).unwrap()
        };
        assert_eq!(of(&double, 30, 2_900), decimal("3100"), "twice the budget of the last day");
        assert_eq!(of(&double, 16, 2_900), decimal("3102"), "and the smallest budget of the day after");
        assert_eq!(of(&double, 1, 0), decimal("202"), "the first day");
        assert_eq!(of(&strict, 30, 2_900), decimal("3000"));
        assert_eq!(of(&rule("1.5", None, 0), 30, 2_900), decimal("3050"), "of a currency without decimals");
    }

    #[test]
    fn no_smaller_amount_restarts_it_and_every_larger_one_does() {
        for (factor, minimum, decimals) in [("1", Some(5), 2), ("1.2", None, 2), ("1.75", Some(1), 2), ("2", None, 0)] {
            let (rule, unit) = (rule(factor, minimum, decimals), Decimal::new(1, decimals));
            for (day, reported) in [(1, 0), (2, 90), (16, 1_234), (29, 2_900), (30, 2_999)] {
                let ledger = Ledger { certain: (reported + 33).into(), ..ledger(day, reported) };
                let least = rule.restart_amount(&ledger, ledger.day).unwrap();
                let restarts = |amount| rule.restarts(amount, &ledger, ledger.day);
                assert!(restarts(least) && !restarts(least - unit), "{factor} on {day}: {least}");
                assert!([1, 2, 17, 4_000].into_iter().all(|more| restarts(least + unit * Decimal::from(more))));
            }
        }
    }

    #[test]
    fn a_day_that_is_not_counted_yet_may_have_spent_all_that_its_budget_allows() {
        let rule = rule("2", Some(1), 2);
        let least = |today| rule.restart_amount(&ledger(28, 2_000), today).unwrap();
        assert_eq!((least(date(2026, 11, 28)), least(date(2026, 11, 29))), (decimal("2202"), decimal("2204")));
    }
}
