//! Simulates months on each platform, with platforms that spend as much as they may.

use crate::domain::monthly::{
    BudgetStep, DailyBudgetRule, Ledger, Month, MonthReport, ReportState, RunState, Situation, begin_of,
};
use crate::domain::{Currency, Platform};
use crate::platforms::adapter;
use jiff::civil::{Date, date};
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan};
use rust_decimal::Decimal;

/// The amount of a month.
const AMOUNT: Decimal = Decimal::from_parts(3_100, 0, 0, false, 0);

fn usd() -> Currency {
    Currency::from_code("USD").unwrap()
}

/// What goes wrong in a month.
#[derive(Clone, Copy, Debug, Default)]
struct Trouble {
    name: &'static str,
    /// Hours until a report tells of spend.
    late: i32,
    /// Days in a row without a readable report, at the end of each month.
    blind_days: i32,
    /// Days in a row without maintenance, at the end of each month and the start of the next.
    down_days: i32,
    /// Percent that a day's report grows by, two days later.
    restated: i64,
    /// Whether the platform acknowledges every second write and does not make it.
    loses_writes: bool,
    /// The day of January on which the campaign begins.
    starts: i8,
}

/// Nothing goes wrong.
const NONE: Trouble =
    Trouble { name: "none", late: 0, blind_days: 0, down_days: 0, restated: 0, loses_writes: false, starts: 1 };

/// Reports tell a day 24 hours after its end.
const LATE: Trouble = Trouble { name: "24 h late", late: 24, ..NONE };

/// Zones whose clocks are put forward, with the month in which they are. That day has 23 hours.
const FORWARD: [(&str, i8); 4] =
    [("America/New_York", 3), ("Europe/Berlin", 3), ("Africa/Cairo", 4), ("Pacific/Auckland", 9)];

const TROUBLES: [Trouble; 10] = [
    NONE,
    Trouble { name: "12 h late", late: 12, ..NONE },
    LATE,
    Trouble { name: "begins on the 20th", starts: 20, ..LATE },
    Trouble { name: "no report for 3 days", late: 12, blind_days: 3, ..NONE },
    Trouble { name: "no report for 10 days", late: 12, blind_days: 10, ..NONE },
    Trouble { name: "restated by 5 %", late: 12, restated: 5, ..NONE },
    Trouble { name: "down for 1 day", late: 12, down_days: 1, ..NONE },
    Trouble { name: "down for 2 days", late: 12, down_days: 2, ..NONE },
    Trouble { name: "every second lost", late: 12, loses_writes: true, ..NONE },
];

/// How a platform spends a day's budget.
#[derive(Clone, Copy, Debug)]
enum Appetite {
    /// As much as it may.
    All,
    /// The budget itself.
    Even,
    /// A share of what it may, another each day.
    Random(u64),
}

impl Appetite {
    fn share(&mut self, factor: Decimal) -> Decimal {
        match self {
            Appetite::All => Decimal::ONE,
            Appetite::Even => Decimal::ONE / factor,
            Appetite::Random(state) => {
                *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                Decimal::new(i64::try_from((*state >> 33) % 101).unwrap(), 2)
            }
        }
    }
}

/// A campaign whose months are simulated.
struct World {
    rule: DailyBudgetRule,
    trouble: Trouble,
    appetite: Appetite,
    zone: TimeZone,
    spends: Vec<(Date, Decimal)>,
    daily: Decimal,
    is_paused: bool,
    is_closed: bool,
    /// Whether the platform has lost the last write.
    has_lost_one: bool,
    ledger: Ledger,
}

impl World {
    fn new(platform: Platform, trouble: Trouble, appetite: Appetite, zone: &str, first: Date) -> World {
        let rule = adapter(platform).daily_budget_rule(usd());
        let zero = Decimal::ZERO;
        let ledger = Ledger::begin(first, zero, zero);
        let zone = TimeZone::get(zone).unwrap();
        let mut world = World {
            rule,
            trouble,
            appetite,
            zone,
            spends: vec![],
            daily: zero,
            is_paused: false,
            is_closed: false,
            has_lost_one: false,
            ledger,
        };
        let step = rule.decide(&world.situation(first, ReportState::Read));
        let BudgetStep::Set(daily) = step else { panic!("a create has a daily budget: {step:?}") };
        world.daily = daily;
        world.ledger = Ledger::begin(first, zero, daily);
        world
    }

    fn situation(&self, today: Date, report: ReportState) -> Situation<'_> {
        let run_state = if self.is_paused { RunState::PausedByService } else { RunState::Running };
        Situation {
            amount: AMOUNT,
            ledger: &self.ledger,
            today,
            daily: self.daily,
            run_state,
            report,
            keeps_budget: false,
        }
    }

    /// What the report says at a moment.
    fn report(&self, now: Timestamp) -> Vec<(Date, Decimal)> {
        let month = self.spends.len().saturating_sub(31);
        let known = now - self.trouble.late.hours();
        let report = |(day, spend): &(Date, Decimal)| {
            let ended = begin_of(day.tomorrow().unwrap(), &self.zone).unwrap();
            let is_restated = ended + 48.hours() <= now;
            let whole = Decimal::new(100 + self.trouble.restated, 2);
            let reported = if is_restated { *spend } else { *spend / whole };
            (*day, if ended <= known { reported } else { Decimal::ZERO })
        };
        self.spends[month..].iter().map(report).collect()
    }

    /// Lets the platform spend a day after the midnight at which the service has looked.
    fn day(&mut self, today: Date) {
        let midnight = begin_of(today, &self.zone).unwrap();
        let month = Month::of(today);
        let days_left = month.days_from(today);
        let is_down = days_left <= self.trouble.down_days
            || i32::from(today.day()) <= self.trouble.down_days && today.month() > 1;
        // The budget of the day before is in force until the service has looked.
        let before = if self.is_paused { Decimal::ZERO } else { self.daily };
        if today.day() == 1 && self.is_closed && !is_down {
            (self.is_paused, self.is_closed) = (false, false);
            self.daily = self.rule.even_share(AMOUNT, month);
        }
        if !is_down {
            self.adjust(today, midnight, days_left <= self.trouble.blind_days);
        }
        let in_force = if self.is_paused { Decimal::ZERO } else { self.daily };
        let most = self.rule.factor * before.max(in_force);
        let spend = most * self.appetite.share(self.rule.factor);
        self.spends.push((today, spend));
    }

    fn adjust(&mut self, today: Date, now: Timestamp, is_blind: bool) {
        let factor = self.rule.factor;
        let report = if is_blind { ReportState::Missing } else { ReportState::Read };
        let in_force = if self.is_paused { Decimal::ZERO } else { self.daily };
        self.ledger = if is_blind {
            self.ledger.without_report(today, in_force, factor)
        } else {
            let read = MonthReport { rows: &self.report(now), read_at: now, zone: &self.zone };
            self.ledger.with_report(&read, in_force, factor)
        };
        let step = self.rule.decide(&self.situation(today, report));
        self.has_lost_one = self.trouble.loses_writes && step != BudgetStep::Keep && !self.has_lost_one;
        if self.has_lost_one {
            return;
        }
        match step {
            BudgetStep::Keep => {}
            BudgetStep::Set(daily) => self.daily = daily,
            BudgetStep::Pause => (self.is_paused, self.is_closed) = (true, true),
            BudgetStep::Resume(daily) => (self.is_paused, self.daily) = (false, daily),
        }
    }

    /// The largest part of the amount that a month has spent beyond it, and the smallest that it has spent.
    fn year(mut self) -> (Decimal, Decimal) {
        let mut day = self.ledger.day;
        while day.year() == 2026 {
            self.day(day);
            day = day.tomorrow().unwrap();
        }
        let months = (1..=12).map(|month| -> Decimal {
            self.spends.iter().filter(|(day, _)| day.month() == month).map(|(_, spend)| *spend).sum()
        });
        let parts: Vec<Decimal> = months.map(|spent| spent / AMOUNT).collect();
        let most = parts.iter().max().unwrap() - Decimal::ONE;
        (most.max(Decimal::ZERO), *parts.iter().skip(1).min().unwrap())
    }
}

/// The part of the amount that a month may spend beyond it, as docs/monthly-budgets.md says: nothing, whatever reports up to a day
/// late leave out; what the last three days are restated by; and what a day may spend for each day without maintenance, and
/// for a lost write until the next day's.
fn documented_bound(rule: &DailyBudgetRule, trouble: &Trouble) -> Decimal {
    let a_day = rule.factor * Decimal::TWO / Decimal::from(28);
    let restated = Decimal::new(trouble.restated, 2) * Decimal::from(3);
    let days = trouble.down_days + i32::from(trouble.loses_writes);
    a_day * (restated + Decimal::from(days))
}

#[test]
fn no_month_spends_more_than_its_documented_bound() {
    println!("{:<10} {:<22} {:>8} {:>8} {:>8}", "platform", "trouble", "beyond", "bound", "least");
    for platform in Platform::ALL {
        for trouble in TROUBLES {
            let (mut beyond, mut least) = (Decimal::ZERO, Decimal::ONE);
            let zones = ["UTC", "America/New_York", "Africa/Cairo", "Pacific/Auckland"].into_iter().cycle();
            let appetites = [Appetite::All, Appetite::Even].into_iter().chain((1..=6).map(Appetite::Random));
            for (appetite, zone) in appetites.zip(zones) {
                let first = date(2026, 1, trouble.starts);
                let (most, spent) = World::new(platform, trouble, appetite, zone, first).year();
                beyond = beyond.max(most);
                if matches!(appetite, Appetite::Even) {
                    least = least.min(spent);
                }
            }
            let rule = adapter(platform).daily_budget_rule(usd());
            let bound = documented_bound(&rule, &trouble);
            let percent = |part: Decimal| format!("{:.2} %", (part * Decimal::ONE_HUNDRED).round_dp(2));
            let columns = (percent(beyond), percent(bound), percent(least));
            println!(
                "{:<10} {:<22} {:>8} {:>8} {:>8}",
                platform.as_str(),
                trouble.name,
                columns.0,
                columns.1,
                columns.2
            );
            assert!(beyond <= bound, "{platform}, {}: {beyond} beyond, bound {bound}", trouble.name);
        }
    }
}

#[test]
fn a_month_begun_late_spends_its_amount_and_not_more() {
    let mut world = World::new(Platform::Alpha, LATE, Appetite::All, "UTC", date(2026, 1, 20));
    (20..=31).for_each(|day| world.day(date(2026, 1, day)));
    let spends: Vec<Decimal> = world.spends.iter().map(|(_, spend)| *spend).collect();
    // Twice the daily budget of 200, which is at most twice the even share; then what is left for certain.
    let expected = [400, 400, 400, 400, 400, 400, 400, 300, 0, 0, 0, 0].map(Decimal::from);
    assert_eq!(spends, expected);
}

#[test]
fn a_day_of_23_hours_takes_no_month_beyond_its_amount() {
    for platform in Platform::ALL {
        for (zone, month) in FORWARD {
            for day in [1, 15, 20, 24] {
                for appetite in [Appetite::All, Appetite::Even, Appetite::Random(3), Appetite::Random(8)] {
                    let first = date(2026, month, day);
                    let (beyond, _) = World::new(platform, LATE, appetite, zone, first).year();
                    assert!(beyond.is_zero(), "{platform} in {zone}, begun on {first}, {appetite:?}: {beyond} beyond");
                }
            }
        }
    }
}
