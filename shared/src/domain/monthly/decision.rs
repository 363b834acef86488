//! Decides on the next step of a monthly budget: a pure function of the remaining amount.

use super::{Ledger, Month};
use jiff::civil::Date;
use rust_decimal::{Decimal, RoundingStrategy};

/// Maximum daily budget, as a multiple of the even share of the month. So a campaign that starts late does not spend a
/// month in its last days, and an outage at the end of a month costs little.
const CATCH_UP: i64 = 2;

/// What a platform allows for a daily budget.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DailyBudgetRule {
    /// The most that a day spends, as a multiple of the highest daily budget in force on it.
    pub factor: Decimal,
    /// Smallest daily budget, as far as it is known.
    pub minimum: Option<Decimal>,
    /// Decimals of a budget.
    pub decimals: u32,
}

/// Whether a campaign runs, and who has paused it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunState {
    /// It may spend.
    Running,
    /// This service has paused it, and nobody has canceled the activation at the month's end.
    PausedByService,
    /// Somebody else has paused it, or the platform has.
    Paused,
}

/// The facts of a decision.
#[derive(Clone, Copy, Debug)]
pub struct Situation<'a> {
    /// The amount of a month.
    pub amount: Decimal,
    pub ledger: &'a Ledger,
    pub today: Date,
    /// The daily budget at the platform.
    pub daily: Decimal,
    pub run_state: RunState,
    pub report: ReportState,
    /// Whether the campaign keeps its budget and stays paused: the platform has refused the budget of the day, or the
    /// monthly budget is stopped.
    pub keeps_budget: bool,
}

/// Whether the report on the spend could be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReportState {
    Read,
    /// It could not be read for less than a day.
    Unread,
    /// It could not be read for a day or longer.
    Missing,
}

/// The next step of a campaign.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BudgetStep {
    /// Changes nothing.
    Keep,
    /// Sets another daily budget.
    Set(Decimal),
    /// Pauses it until the month ends.
    Pause,
    /// Activates it with this daily budget.
    Resume(Decimal),
}

/// The amount of the longest month with this daily budget.
pub fn longest_month_amount(daily: Decimal) -> Decimal {
    daily * Decimal::from(31)
}

impl DailyBudgetRule {
    /// The amount of a month whose even share is the smallest daily budget in every month.
    pub fn minimum_amount(&self) -> Option<Decimal> {
        self.minimum.map(longest_month_amount)
    }

    /// The smallest amount of a month, also where the platform publishes no minimum: each day has a budget.
    pub fn smallest_amount(&self) -> Decimal {
        longest_month_amount(self.minimum.unwrap_or_else(|| Decimal::new(1, self.decimals)))
    }

    /// The daily budget of a whole month.
    pub fn even_share(&self, amount: Decimal, month: Month) -> Decimal {
        self.round(amount / Decimal::from(month.days()))
    }

    /// The next step.
    pub fn decide(&self, situation: &Situation<'_>) -> BudgetStep {
        let Situation { daily, run_state, report, .. } = *situation;
        let allowed = self.daily_budget(situation);
        match run_state {
            RunState::PausedByService => match allowed {
                Some(budget) if self.may_run(situation) && !situation.keeps_budget => BudgetStep::Resume(budget),
                _ => BudgetStep::Keep,
            },
            RunState::Running if self.may_exceed(situation) => BudgetStep::Pause,
            RunState::Running => match allowed {
                None if report == ReportState::Unread => BudgetStep::Keep,
                None => BudgetStep::Pause,
                Some(budget) => set(budget, situation),
            },
            // Nothing is spent; whoever activates it finds the budget of the day.
            RunState::Paused => set(allowed.or(self.minimum).unwrap_or(daily), situation),
        }
    }

    /// Whether a paused campaign may run: by the report, enough remains.
    pub fn may_run(&self, situation: &Situation<'_>) -> bool {
        situation.report == ReportState::Read
            && self.daily_budget(situation).is_some_and(|budget| self.may_run_today(budget, situation))
    }

    /// The daily budget for now; `None` if the remaining amount allows none.
    pub fn daily_budget(&self, situation: &Situation<'_>) -> Option<Decimal> {
        self.target(situation).or_else(|| self.least(situation))
    }

    /// The daily budget of today, if it is not below the minimum: the remaining amount, divided among the remaining
    /// days.
    fn target(&self, situation: &Situation<'_>) -> Option<Decimal> {
        let Situation { amount, ledger, today, .. } = *situation;
        let month = Month::of(today);
        let share = (amount - ledger.reported) / Decimal::from(month.days_from(today));
        let catch_up = amount * Decimal::from(CATCH_UP) / Decimal::from(month.days());
        let budget = self.round(share.min(catch_up).min(self.most(situation)));
        let minimum = self.minimum.unwrap_or_default();
        (budget > Decimal::ZERO && budget >= minimum).then_some(budget)
    }

    /// The smallest daily budget, if the remaining amount allows it today.
    fn least(&self, situation: &Situation<'_>) -> Option<Decimal> {
        self.minimum.filter(|minimum| *minimum <= self.most(situation))
    }

    /// The largest daily budget that cannot spend more than the remaining amount, whatever the platform overspends. It
    /// is still in force when the next day of the month begins, so the amount must suffice for a second day.
    fn most(&self, situation: &Situation<'_>) -> Decimal {
        let Situation { ledger, today, daily, run_state, .. } = *situation;
        let remaining = certain(situation) / self.factor;
        if Month::of(today).days_from(today) == 1 {
            return remaining;
        }
        let high = if run_state == RunState::Running { daily.max(ledger.high) } else { ledger.high };
        (remaining / Decimal::TWO).min(remaining - high)
    }

    /// Whether the budgets that were in force today may spend more than the remaining amount.
    fn may_exceed(&self, situation: &Situation<'_>) -> bool {
        let Situation { ledger, daily, .. } = *situation;
        is_spent(situation) || self.factor * daily.max(ledger.high) > certain(situation)
    }

    /// Whether the remaining amount allows this budget today. The day may have spent all that its highest budget
    /// allows, or more, although the campaign is paused and the report does not show it yet.
    fn may_run_today(&self, budget: Decimal, situation: &Situation<'_>) -> bool {
        let ledger = situation.ledger;
        let most = (self.factor * budget.max(ledger.high)).max(ledger.spent_today());
        !is_spent(situation) && most <= certain(situation)
    }

    fn round(&self, amount: Decimal) -> Decimal {
        amount.round_dp_with_strategy(self.decimals, RoundingStrategy::ToZero).normalize()
    }
}

/// Whether the days of the month have spent the amount, today included.
fn is_spent(situation: &Situation<'_>) -> bool {
    situation.amount - situation.ledger.reported <= situation.ledger.spent_today()
}

/// The amount that certainly remained before today.
fn certain(situation: &Situation<'_>) -> Decimal {
    situation.amount - situation.ledger.certain
}

/// Without a report the last budget stays; after a day it is lowered, and never raised. A refused budget is not tried
/// again on the same day.
fn set(budget: Decimal, situation: &Situation<'_>) -> BudgetStep {
    let may_set = match situation.report {
        ReportState::Read => budget != situation.daily,
        ReportState::Unread => false,
        ReportState::Missing => budget < situation.daily,
    };
    if may_set && !situation.keeps_budget { BudgetStep::Set(budget) } else { BudgetStep::Keep }
}

#[cfg(test)]
mod tests {
    use super::super::{MonthReport, begin_of};
    use super::*;
    use jiff::civil::date;
    use jiff::tz::TimeZone;

    fn rule() -> DailyBudgetRule {
        DailyBudgetRule { factor: "1.5".parse().unwrap(), minimum: Some(5.into()), decimals: 2 }
    }

    fn ledger(day: i8, reported: i64, daily: i64) -> Ledger {
        Ledger {
            reported: reported.into(),
            certain: reported.into(),
            spent: reported.into(),
            ..Ledger::begin(date(2026, 11, day), daily.into(), daily.into())
        }
    }

    fn situation(ledger: &Ledger, daily: i64) -> Situation<'_> {
        let (report, run_state) = (ReportState::Read, RunState::Running);
        Situation {
            amount: 3_000.into(),
            ledger,
            today: ledger.day,
            daily: daily.into(),
            run_state,
            report,
            keeps_budget: false,
        }
    }

    fn decide(day: i8, reported: i64, daily: i64) -> BudgetStep {
        rule().decide(&situation(&ledger(day, reported, daily), daily))
    }

    #[test]
    fn the_remaining_amount_is_divided_among_the_remaining_days() {
        assert_eq!(decide(1, 0, 100), BudgetStep::Keep);
        assert_eq!(decide(11, 500, 100), BudgetStep::Set(125.into()));
        assert_eq!(decide(11, 1_001, 100), BudgetStep::Set("99.95".parse().unwrap()), "rounded down");
    }

    #[test]
    fn a_late_start_does_not_spend_a_month_in_its_last_days() {
        assert_eq!(decide(25, 0, 100), BudgetStep::Set(200.into()));
    }

    #[test]
    fn the_last_days_leave_room_for_what_a_platform_may_overspend() {
        assert_eq!(decide(29, 2_700, 100), BudgetStep::Set(100.into()).or_keep(100));
        assert_eq!(decide(30, 2_850, 100), BudgetStep::Set(100.into()).or_keep(100));
        assert_eq!(decide(30, 2_910, 60), BudgetStep::Keep);
    }

    #[test]
    fn a_campaign_is_paused_when_its_day_may_exceed_the_remaining_amount() {
        assert_eq!(decide(20, 2_900, 100), BudgetStep::Pause);
        assert_eq!(decide(20, 3_000, 10), BudgetStep::Pause);
        // What is left allows less than the smallest budget.
        assert_eq!(decide(20, 2_988, 5), BudgetStep::Pause);
        assert_eq!(decide(20, 2_980, 6), BudgetStep::Set(5.into()));
    }

    #[test]
    fn what_somebody_else_has_paused_is_never_resumed() {
        let ledger = ledger(11, 500, 100);
        let paused = |run_state| rule().decide(&Situation { run_state, ..situation(&ledger, 100) });
        assert_eq!(paused(RunState::Paused), BudgetStep::Set(125.into()));
        assert_eq!(paused(RunState::PausedByService), BudgetStep::Resume(125.into()));
    }

    #[test]
    fn a_day_that_has_spent_the_month_is_not_resumed() {
        let resume = |spent: i64| {
            let ledger = Ledger { spent: (500 + spent).into(), ..ledger(11, 500, 100) };
            rule().decide(&Situation { run_state: RunState::PausedByService, ..situation(&ledger, 100) })
        };
        assert_eq!(resume(2_499), BudgetStep::Resume(125.into()));
        assert_eq!(resume(2_500), BudgetStep::Keep);
        assert_eq!(resume(4_000), BudgetStep::Keep);
    }

    #[test]
    fn a_paused_day_may_spend_its_highest_budget_until_it_is_reported() {
        let paused = |ledger: &Ledger| {
            let run_state = RunState::PausedByService;
            rule().decide(&Situation { amount: 700.into(), run_state, ..situation(ledger, 200) })
        };
        // 200 are left, and a day of 200 may spend 300. Its report says nothing yet.
        let day = ledger(11, 500, 200);
        assert_eq!(paused(&day), BudgetStep::Keep);
        // The day after: paused for all of it, and the day before is not reported yet.
        let look = |ledger: &Ledger, day: i8| {
            let (rows, zone) = (&[(date(2026, 11, 10), Decimal::from(500))], &TimeZone::UTC);
            let read_at = begin_of(date(2026, 11, day), zone).unwrap();
            ledger.with_report(&MonthReport { rows, read_at, zone }, Decimal::ZERO, "1.5".parse().unwrap())
        };
        let next = look(&day, 12);
        assert_eq!((next.before, next.high, next.certain), (200.into(), Decimal::ZERO, 800.into()));
        assert_eq!(paused(&next), BudgetStep::Keep);
        let last = look(&next, 13);
        assert_eq!(paused(&last), BudgetStep::Resume("11.11".parse().unwrap()), "it has spent nothing");
    }

    #[test]
    fn a_missing_report_keeps_the_budget_and_later_lowers_it() {
        let ledger = ledger(11, 1_500, 100);
        let blind = |report, daily: i64| rule().decide(&Situation { report, ..situation(&ledger, daily) });
        assert_eq!(blind(ReportState::Unread, 100), BudgetStep::Keep);
        assert_eq!(blind(ReportState::Missing, 100), BudgetStep::Set(75.into()));
        assert_eq!(blind(ReportState::Missing, 50), BudgetStep::Keep, "never raised");
        let refused = rule().decide(&Situation { keeps_budget: true, ..situation(&ledger, 100) });
        assert_eq!(refused, BudgetStep::Keep);
    }

    impl BudgetStep {
        fn or_keep(self, daily: i64) -> BudgetStep {
            if self == BudgetStep::Set(daily.into()) { BudgetStep::Keep } else { self }
        }
    }
}
