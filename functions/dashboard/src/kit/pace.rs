//! How fast a campaign spends: what it has spent today in percent of its daily budget. Today is that of the platform's
//! reports. Only a daily budget has a pace: one of a month or of the whole run says nothing about a day.

use crate::kit::text::grouped;
use crate::kit::total::Total;
use rust_decimal::Decimal;
use shared::domain::{BudgetPeriod, Platform};
use shared::platforms::adapter;

const FULL: u64 = 100;

/// The pace of a campaign.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Pace {
    /// The spend of today in percent of the daily budget.
    pub(crate) share: Decimal,
    /// Whether a part of the spend is not known, so that the share may be larger.
    is_lower_bound: bool,
    /// Whether the spend is above the budget. A platform's rules may allow that on a single day.
    pub(crate) is_too_fast: bool,
}

impl Pace {
    /// The pace of this spend. `None` for a budget that is not of a day, and for spend of which nothing is known.
    pub(crate) fn of(today: Total, budget: Option<Decimal>, period: Option<BudgetPeriod>) -> Option<Pace> {
        let (spent, budget) = (today.value_to_show()?, budget?);
        if period != Some(BudgetPeriod::Daily) || spent < Decimal::ZERO {
            return None;
        }
        let share = spent.checked_mul(Decimal::ONE_HUNDRED)?.checked_div(budget)?;
        Some(Pace { share, is_lower_bound: today.exact().is_none(), is_too_fast: spent > budget })
    }

    /// The share for people: `182%`, `at least 182%`. One that is rounded to 100 and above it is `over 100%`.
    pub(crate) fn text(self) -> String {
        let begin = match (self.percent(), self.is_too_fast) {
            (FULL, true) => "over ",
            _ if self.is_lower_bound => "at least ",
            _ => "",
        };
        format!("{begin}{}%", grouped(self.percent()))
    }

    /// The value of a bar that ends at 100.
    pub(crate) fn bar(self) -> u64 {
        self.percent().min(FULL)
    }

    fn percent(self) -> u64 {
        self.share.round().try_into().unwrap_or(u64::MAX)
    }
}

/// How much a platform may spend on a day by its rules, for people: `Google Ads may spend up to 2 times the daily budget on
/// a day.` It says so where this pace is beyond them.
pub(crate) fn rule_words(platform: Platform, pace: Option<Pace>) -> String {
    let hundredths = adapter(platform).facts().capabilities.daily_spend.hundredths;
    let factor = Decimal::new(hundredths, 2).normalize();
    let is_beyond = pace.is_some_and(|pace| pace.share > Decimal::from(hundredths));
    let beyond = if is_beyond { ": this is beyond it" } else { "" };
    format!("{} may spend up to {factor} times the daily budget on a day{beyond}.", platform.display_name())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decimal(text: &str) -> Decimal {
        Decimal::from_str_exact(text).unwrap()
    }

    /// The pace of this spend with a daily budget of 200.
    fn pace(spent: Total) -> Option<Pace> {
        Pace::of(spent, Some(decimal("200")), Some(BudgetPeriod::Daily))
    }

    #[test]
    fn spend_above_the_daily_budget_is_too_fast() {
        for (spent, text, bar, is_too_fast) in [
            ("0", "0%", 0, false),
            ("96", "48%", 48, false),
            ("200", "100%", 100, false),
            ("200.01", "over 100%", 100, true),
            ("364.91", "182%", 100, true),
            ("12345", "6,172%", 100, true),
        ] {
            let pace = pace(Total::of(Some(decimal(spent)))).unwrap();
            assert_eq!((pace.text().as_str(), pace.bar(), pace.is_too_fast), (text, bar, is_too_fast), "{spent}");
        }
    }

    #[test]
    fn a_part_that_is_not_known_makes_at_least() {
        let part = |spent| pace(Total::of(Some(decimal(spent))).lower_bound());
        assert_eq!(part("364.91").map(Pace::text).as_deref(), Some("at least 182%"));
        assert_eq!(part("50").map(|pace| (pace.text(), pace.is_too_fast)), Some(("at least 25%".to_owned(), false)));
        assert_eq!((part("0"), pace(Total::UNKNOWN), pace(Total::EMPTY)), (None, None, None), "it says nothing");
    }

    #[test]
    fn only_a_daily_budget_has_a_pace() {
        let spent = Total::of(Some(Decimal::TEN));
        for period in [None, Some(BudgetPeriod::Monthly), Some(BudgetPeriod::Total), Some(BudgetPeriod::Lifetime)] {
            assert_eq!(Pace::of(spent, Some(Decimal::ONE), period), None, "{period:?}");
        }
        assert_eq!(Pace::of(spent, None, Some(BudgetPeriod::Daily)), None);
        assert_eq!(Pace::of(spent, Some(Decimal::ZERO), Some(BudgetPeriod::Daily)), None);
        assert_eq!(pace(Total::of(Some(decimal("-5")))), None, "a correction");
    }

    #[test]
    fn each_platform_has_its_rule() {
        let rule_words = |platform| super::rule_words(platform, pace(Total::of(Some(decimal("364.91")))));
        assert_eq!(rule_words(Platform::Alpha), "Google Ads may spend up to 2 times the daily budget on a day.");
        assert_eq!(
            rule_words(Platform::Zeta),
            "Reddit may spend up to 1.2 times the daily budget on a day: this is beyond it."
        );
    }
}
