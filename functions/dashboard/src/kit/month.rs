//! How far the month of a monthly budget is spent. This service holds such a budget by a daily one at the platform.

use crate::kit::money;
use shared::domain::{Currency, MonthSpend};

const MOVES: &str = "which this service sets so that the month stays within its amount";
const STOPPED: &str = "which stands still, because the API key that asked for the amount was stopped. It moves again once you \
                       activate the campaign or set its monthly budget";

/// The month for people.
pub(crate) struct MonthWords {
    /// `November 2026`
    pub(crate) name: String,
    /// `1,234.50 USD of 3,000.00 USD, 1,765.50 USD left`
    pub(crate) spent: String,
    /// The spend in percent of the amount: for people, and of the bar.
    pub(crate) percent: Option<(String, u64)>,
    /// The daily budget at the platform, and what this service does with it.
    pub(crate) daily: String,
}

/// The month of a budget in this currency.
pub(crate) fn words(month: MonthSpend, currency: Currency) -> MonthWords {
    let MonthSpend { amount, spent, remaining, daily_now, month: of, is_halted } = month;
    let [amount, spent, remaining, daily] =
        [amount, spent, remaining, daily_now].map(|number| money::in_currency(number, currency));
    MonthWords {
        name: of.first().strftime("%B %Y").to_string(),
        spent: format!("{spent} of {amount}, {remaining} left"),
        percent: percent(month),
        daily: format!("{daily}, {}", if is_halted { STOPPED } else { MOVES }),
    }
}

/// The spend of the month in percent of its amount: for people, and of the bar.
pub(crate) fn percent(month: MonthSpend) -> Option<(String, u64)> {
    money::percent(month.spent, month.amount)
}

/// The badge of a campaign that its monthly budget has paused: `Month spent, goes on 1 Dec`. A person may have canceled its
/// activation, so that it does not go on.
pub(crate) fn spent_badge(month: MonthSpend, goes_on: bool) -> String {
    if goes_on {
        format!("Month spent, goes on {}", month.month.next().first().strftime("%-d %b"))
    } else {
        "Month spent".to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::civil::date;
    use rust_decimal::Decimal;
    use shared::domain::monthly::Month;

    /// The month of a budget of 3,000 with this spend.
    fn month(spent: &str) -> MonthSpend {
        let decimal = |text| Decimal::from_str_exact(text).unwrap();
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
        assert_eq!(spent_badge(month("3000"), true), "Month spent, goes on 1 Dec");
        assert_eq!(spent_badge(month("3000"), false), "Month spent", "a person has canceled its activation");
    }

    #[test]
    fn a_month_is_told_with_what_is_left() {
        let words = words(month("1234.5"), Currency::from_code("USD").unwrap());
        assert_eq!(words.name, "November 2026");
        assert_eq!(words.daily, format!("97.04 USD, {MOVES}"));
        assert_eq!(words.spent, "1,234.50 USD of 3,000.00 USD, 1,765.50 USD left");
        assert_eq!(words.percent, Some(("41%".to_owned(), 41)));
        assert_eq!(percent(month("3100")), Some(("103%".to_owned(), 100)));
    }
}
