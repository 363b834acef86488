//! How far the month of a monthly budget is spent. This service holds such a budget by a daily one at the platform.

use crate::kit::money;
use jiff::Timestamp;
use jiff::civil::Date;
use rust_decimal::{Decimal, RoundingStrategy};
use shared::domain::monthly::{Ledger, Month};
use shared::domain::{Currency, MonthSpend, Platform};
use shared::platforms::adapter;

const MOVES: &str = "which this service sets so that the month stays within its amount";
const DOUBLE: &str = "twice an even share of the month, the most that this service gives a day";
const WHOLE_DAY: &str = "It is for the whole day, with what today has spent already";
const STOPPED: &str = "which stands still, because the API key that asked for the amount was stopped. It moves again once you \
                       activate the campaign or set its monthly budget";

/// The month for people.
pub(crate) struct MonthWords {
    /// `November 2026`
    pub(crate) name: String,
    /// `1,234.50 USD of 3,000.00 USD, 1,765.50 USD left`
    pub(crate) spent: String,
    pub(crate) share: Option<MonthShare>,
    /// The daily budget at the platform, and what this service does with it.
    pub(crate) daily: String,
}

/// How much of a month's amount is spent.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct MonthShare {
    /// In percent, for people.
    pub(crate) text: String,
    /// The value of a bar, which ends at 100.
    pub(crate) bar: u64,
    /// Whether more than the amount is spent.
    pub(crate) is_over: bool,
}

/// The activation with which a campaign goes on that its monthly budget has paused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Resumption {
    pub(crate) at: Timestamp,
}

/// The month of a budget in this currency.
pub(crate) fn words(month: MonthSpend, currency: Currency) -> MonthWords {
    let MonthSpend { amount, spent, remaining, daily_now, month: of, is_halted, ledger: _, due_at: _ } = month;
    let moves = if is_double(month, currency) { DOUBLE } else { MOVES };
    let why = if is_halted { STOPPED.to_owned() } else { format!("{moves}. {WHOLE_DAY}") };
    let [amount, spent, remaining, daily] =
        [amount, spent, remaining, daily_now].map(|number| money::in_currency(number, currency));
    MonthWords {
        name: of.first().strftime("%B %Y").to_string(),
        spent: format!("{spent} of {amount}, {remaining} left"),
        share: share(month.spent, month.amount),
        daily: format!("{daily}, {why}"),
    }
}

/// Whether the daily budget is the most that this service gives a day.
fn is_double(MonthSpend { amount, daily_now, month, .. }: MonthSpend, currency: Currency) -> bool {
    let double = amount.checked_mul(Decimal::TWO).and_then(|two| two.checked_div(Decimal::from(month.days())));
    let rounded = double.map(|it| it.round_dp_with_strategy(currency.decimals(), RoundingStrategy::ToZero));
    rounded == Some(daily_now)
}

/// How much of an amount is spent.
pub(crate) fn share(spent: Decimal, amount: Decimal) -> Option<MonthShare> {
    let (text, bar) = money::percent(spent, amount)?;
    Some(MonthShare { text, bar, is_over: spent > amount })
}

/// Whether this service activates a campaign within minutes whose month is spent: its activation is due or was just made, or
/// maintenance is about to look, as after a raise, and finds that the amount restarts it.
pub(crate) fn restarts_soon(
    month: MonthSpend,
    place: (Platform, Currency),
    resumption: Resumption,
    now: Timestamp,
) -> bool {
    resumption.at <= now || month.due_at <= now && restarts_with(month.amount, month, place)
}

/// Whether this amount restarts a campaign whose month is spent, by the last look of maintenance.
pub(crate) fn restarts_with(
    amount: Decimal,
    MonthSpend { ledger, .. }: MonthSpend,
    (platform, currency): (Platform, Currency),
) -> bool {
    adapter(platform).daily_budget_rule(currency).restarts(amount, &ledger, ledger.day)
}

/// The smallest amount of a month with which a campaign whose month is spent restarts today, as far as its reports tell.
/// `spent` is what the platform has reported since maintenance looked, where that is more.
pub(crate) fn restart_amount(
    MonthSpend { ledger, .. }: MonthSpend,
    (platform, currency): (Platform, Currency),
    today: Date,
    spent: Option<Decimal>,
) -> Option<Decimal> {
    let spent = spent.map_or(ledger.spent, |spent| spent.max(ledger.spent));
    let rule = adapter(platform).daily_budget_rule(currency);
    rule.restart_amount(&Ledger { spent, ..ledger }, today)
}

/// The badge of a campaign that its monthly budget has paused.
pub(crate) const SPENT: &str = "Month spent";

/// The day on which the next month begins: `1 Dec`.
pub(crate) fn first_of_next(month: Month) -> String {
    month.next().first().strftime("%-d %b").to_string()
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use jiff::civil::date;

    fn decimal(text: &str) -> Decimal {
        Decimal::from_str_exact(text).unwrap()
    }

    /// The month of a budget of 3,000 with this spend.
    fn month(spent: &str) -> MonthSpend {
        MonthSpend {
            amount: decimal("3000"),
            spent: decimal(spent),
            remaining: decimal("1765.5"),
            daily_now: decimal("97.04"),
            month: Month::of(date(2026, 11, 1)),
            is_halted: false,
            ledger: ledger(20, spent),
            due_at: Timestamp::MIN,
        }
    }

    /// A day of November with a daily budget of 97.04, of which 20 are spent.
    pub(crate) fn ledger(day: i8, spent: &str) -> Ledger {
        let (spent, daily) = (decimal(spent), decimal("97.04"));
        let reported = (spent - Decimal::from(20)).max(Decimal::ZERO);
        Ledger { reported, certain: reported, spent, ..Ledger::begin(date(2026, 11, day), daily, daily) }
    }

    #[test]
    fn a_month_is_told_with_what_is_left() {
        let words = self::words(month("1234.5"), Currency::from_code("USD").unwrap());
        assert_eq!(words.name, "November 2026");
        assert_eq!(words.spent, "1,234.50 USD of 3,000.00 USD, 1,765.50 USD left");
        assert_eq!(words.daily, format!("97.04 USD, {MOVES}. {WHOLE_DAY}"));
        // 71 of 5,900 are left, and today has spent most of its budget.
        let last = MonthSpend { amount: decimal("5900"), daily_now: decimal("393.33"), ..month("5829") };
        let last = self::words(last, Currency::from_code("CAD").unwrap());
        assert_eq!(last.daily, format!("393.33 CAD, {DOUBLE}. {WHOLE_DAY}"));
        let share = |spent: &str| share(decimal(spent), decimal("3000"));
        assert_eq!(words.share, Some(MonthShare { text: "41%".to_owned(), bar: 41, is_over: false }));
        assert_eq!(share("3100"), Some(MonthShare { text: "103%".to_owned(), bar: 100, is_over: true }));
        assert_eq!(share("3000").map(|share| share.is_over), Some(false));
    }

    #[test]
    fn a_raised_month_restarts_within_minutes_if_what_is_left_covers_the_day() {
        let now: Timestamp = "2026-11-20T12:00:00Z".parse().unwrap();
        let next: Timestamp = "2026-12-01T00:00:00Z".parse().unwrap();
        let place = (Platform::Alpha, Currency::from_code("USD").unwrap());
        let restarts = |amount: &str, at, due_at| {
            let month = MonthSpend { amount: decimal(amount), due_at, ..month("3000") };
            restarts_soon(month, place, Resumption { at }, now)
        };
        assert!(restarts("15000", next, now), "it was just raised");
        assert!(!restarts("15000", next, next), "maintenance has looked, and left it paused");
        assert!(!restarts("3100", next, now), "a day may spend more than what is left");
        assert!(restarts("3000", now, next), "its activation is due");
        assert!(!restarts("3000", next, now), "nobody has raised it");
    }

    #[test]
    fn the_amount_that_restarts_a_campaign_does_so_on_the_first_the_last_and_any_day() {
        let next: Timestamp = "2026-12-01T00:00:00Z".parse().unwrap();
        let place = (Platform::Alpha, Currency::from_code("USD").unwrap());
        for (day, spent) in [(1, "310"), (16, "3000"), (30, "3950")] {
            let month = MonthSpend { amount: decimal("310"), ledger: ledger(day, spent), ..month(spent) };
            let today = date(2026, 11, day);
            let least = restart_amount(month, place, today, None).unwrap();
            let restarts = |amount| {
                let month = MonthSpend { amount, ..month };
                restarts_soon(month, place, Resumption { at: next }, "2026-11-01T12:00:00Z".parse().unwrap())
            };
            assert!(restarts(least) && !restarts(least - Decimal::new(1, 2)), "{day}: {least}");
            let more = restart_amount(month, place, today, Some(decimal(spent) + Decimal::from(900))).unwrap();
            assert!(more > least, "the platform has reported more since: {more}");
        }
        let last =
            restart_amount(MonthSpend { ledger: ledger(30, "3950"), ..month("3950") }, place, date(2026, 11, 30), None);
        assert_eq!(last, Some(decimal("4124.08")), "3,930 before the day, which may spend twice 97.04");
    }
}
