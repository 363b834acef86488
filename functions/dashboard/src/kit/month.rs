//! How far the month of a monthly budget is spent. This service holds such a budget by a daily one at the platform.

use crate::kit::money;
use jiff::Timestamp;
use rust_decimal::{Decimal, RoundingStrategy};
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
    /// Its daily budget.
    pub(crate) daily: Option<Decimal>,
}

/// What becomes of a campaign that its monthly budget has paused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AfterPause {
    /// This service activates it within minutes.
    Runs,
    /// Its amount was raised, and the next look of maintenance decides whether today allows it to run.
    Decided,
    /// It rests until the month ends.
    Rests,
}

/// The month of a budget in this currency.
pub(crate) fn words(month: MonthSpend, currency: Currency) -> MonthWords {
    let MonthSpend { amount, spent, remaining, daily_now, month: of, is_halted } = month;
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

/// What becomes of a campaign whose month is spent. It goes on at the next look of maintenance if its activation is due or was
/// just made. It also goes on if its amount was raised after the activation was planned, and enough is left: the activation at
/// the end of the month has the even share of the amount that maintenance saw last.
pub(crate) fn after_pause(
    month: MonthSpend,
    (platform, currency): (Platform, Currency),
    resumption: Resumption,
    now: Timestamp,
) -> AfterPause {
    let MonthSpend { amount, remaining, daily_now, month, .. } = month;
    let rule = adapter(platform).daily_budget_rule(currency);
    let is_raised = resumption.daily.is_some_and(|daily| daily < rule.even_share(amount, month.next()));
    // Today and the day before may have spent all that the platform allows.
    let at_most = daily_now.checked_mul(rule.factor).and_then(|most| most.checked_mul(Decimal::TWO));
    let is_enough = at_most.is_some_and(|at_most| at_most <= remaining);
    if resumption.at <= now || is_raised && is_enough {
        AfterPause::Runs
    } else if is_raised && !remaining.is_zero() {
        AfterPause::Decided
    } else {
        AfterPause::Rests
    }
}

/// The badge of a campaign that its monthly budget has paused: `Month spent, restarts 1 Dec`. A person may have canceled its
/// activation, so that it does not go on.
pub(crate) fn spent_badge(month: MonthSpend, goes_on: bool) -> String {
    if goes_on {
        format!("Month spent, restarts {}", month.month.next().first().strftime("%-d %b"))
    } else {
        "Month spent".to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::civil::date;
    use shared::domain::monthly::Month;

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
        }
    }

    #[test]
    fn a_spent_month_says_when_its_campaign_goes_on() {
        assert_eq!(spent_badge(month("3000"), true), "Month spent, restarts 1 Dec");
        assert_eq!(spent_badge(month("3000"), false), "Month spent", "a person has canceled its activation");
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
    fn a_raised_month_goes_on_within_minutes_if_enough_is_left() {
        let now: Timestamp = "2026-11-20T12:00:00Z".parse().unwrap();
        let next: Timestamp = "2026-12-01T00:00:00Z".parse().unwrap();
        let after = |amount: &str, remaining: &str, at, daily: &str| {
            let (amount, remaining) = (decimal(amount), decimal(remaining));
            let month = MonthSpend { amount, remaining, ..month("3000") };
            let place = (Platform::Alpha, Currency::from_code("USD").unwrap());
            after_pause(month, place, Resumption { at, daily: Some(decimal(daily)) }, now)
        };
        assert_eq!(after("15000", "12000", next, "96.77"), AfterPause::Runs, "planned for 3,000");
        assert_eq!(
            after("15000", "12000", next, "483.87"),
            AfterPause::Rests,
            "maintenance has looked, and left it paused"
        );
        assert_eq!(after("3100", "100", next, "96.77"), AfterPause::Decided, "a day may spend more than what is left");
        assert_eq!(after("3100", "0", next, "96.77"), AfterPause::Rests, "all of it is spent");
        assert_eq!(after("15000", "12000", now, "483.87"), AfterPause::Runs, "it is due");
        assert_eq!(after("3000", "2900", next, "96.77"), AfterPause::Rests, "nobody has raised it");
    }
}
