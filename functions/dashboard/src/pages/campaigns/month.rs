//! How far the month of a monthly budget is spent. This service holds such a budget by a daily one at the platform.

use super::saved::decimal;
use crate::kit::money;
use jiff::civil::Date;
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

const MOVES: &str = "which this service sets so that the month stays within its amount";
const STOPPED: &str = "which stands still, because the API key that asked for the amount was stopped. It moves again once you \
                       activate the campaign or set its monthly budget";

/// `pacing` of a campaign in the API.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub(crate) struct Pacing {
    pub(crate) amount: Box<RawValue>,
    spent: Box<RawValue>,
    remaining: Box<RawValue>,
    daily_now: Box<RawValue>,
    /// `2026-11`
    month: String,
    /// A kept reading from before this field does not tell.
    #[serde(default)]
    stopped: bool,
}

/// The month for people.
pub(super) struct Month {
    /// `November 2026`
    pub(super) name: String,
    /// `1,234.50 USD of 3,000.00 USD, 1,765.50 USD left`
    pub(super) spent: String,
    /// The spend in percent of the amount: for people, and of the bar.
    pub(super) percent: Option<(String, u64)>,
    /// The daily budget at the platform, and what this service does with it.
    pub(super) daily: String,
}

impl Pacing {
    /// The daily budget at the platform; `None` for a number that no decimal holds.
    pub(crate) fn daily(&self) -> Option<Decimal> {
        decimal(&self.daily_now)
    }

    /// The spend of the month in percent of its amount: for people, and of the bar.
    pub(super) fn percent(&self) -> Option<(String, u64)> {
        money::percent(decimal(&self.spent)?, decimal(&self.amount)?)
    }

    pub(super) fn words(&self, currency: &str) -> Month {
        let Pacing { amount, spent, remaining, daily_now, month, stopped } = self;
        let [amount, spent, remaining, daily] =
            [amount, spent, remaining, daily_now].map(|number| money::amount(number, currency));
        Month {
            name: name(month),
            spent: format!("{spent} of {amount}, {remaining} left"),
            percent: self.percent(),
            daily: format!("{daily}, {}", if *stopped { STOPPED } else { MOVES }),
        }
    }
}

/// A month for people, from its first day: `2026-11`.
fn name(month: &str) -> String {
    let first = format!("{month}-01").parse::<Date>();
    first.map_or_else(|_| month.to_owned(), |first| first.strftime("%B %Y").to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The month of a budget of 3,000 with this spend.
    fn pacing(spent: &str) -> Pacing {
        let json =
            format!(r#"{{"amount":3000,"spent":{spent},"remaining":1765.5,"daily_now":97.04,"month":"2026-11"}}"#);
        serde_json::from_str(&json).unwrap()
    }

    #[test]
    fn a_month_is_told_with_what_is_left() {
        let month = pacing("1234.5").words("USD");
        assert_eq!(month.name, "November 2026");
        assert_eq!(month.daily, format!("97.04 USD, {MOVES}"));
        assert_eq!(month.spent, "1,234.50 USD of 3,000.00 USD, 1,765.50 USD left");
        assert_eq!(month.percent, Some(("41%".to_owned(), 41)));
        assert_eq!(pacing("3100").percent(), Some(("103%".to_owned(), 100)));
    }
}
