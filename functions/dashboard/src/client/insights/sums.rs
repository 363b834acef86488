//! Sums of numbers that a platform may not have, and ratios of such sums. All are exact; only what is shown of a ratio is
//! rounded.

use super::wire::Row;
use crate::pages::layout::grouped_digits;
use rust_decimal::Decimal;
use std::cmp::Ordering;

/// Decimals of the rate of clicks, in percent.
const RATE_DECIMALS: u32 = 2;
/// Decimals of a difference, in percent.
const CHANGE_DECIMALS: u32 = 1;

/// A sum. A part that the platform does not have makes it a lower bound.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Sum {
    /// `None` without any known part.
    pub(crate) known: Option<Decimal>,
    is_partial: bool,
}

/// The numbers of a day, or of all days.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Numbers {
    pub(crate) spend: Sum,
    pub(crate) impressions: Sum,
    pub(crate) clicks: Sum,
    pub(crate) conversions: Sum,
    pub(crate) conversion_value: Sum,
    /// The platform may still add conversions.
    pub(crate) is_open: bool,
}

impl Sum {
    /// Adds a part; `None` for one that the platform does not have.
    pub(crate) fn add(&mut self, part: Option<Decimal>) {
        match part.and_then(|part| self.known.unwrap_or_default().checked_add(part)) {
            Some(sum) => self.known = Some(sum),
            None => self.is_partial = true,
        }
    }

    fn merge(&mut self, other: Sum) {
        if let Some(part) = other.known {
            self.add(Some(part));
        }
        self.is_partial |= other.is_partial;
    }

    /// The sum, if every part is known.
    pub(crate) fn whole(self) -> Option<Decimal> {
        self.known.filter(|_| !self.is_partial)
    }

    /// Says that a part is missing.
    pub(crate) fn mark_partial(&mut self) {
        self.is_partial = true;
    }

    /// What the sum is, or is at least. `None` if that says nothing: without a known part, and for 0 beside unknown ones.
    pub(crate) fn shown(self) -> Option<Decimal> {
        self.known.filter(|known| !self.is_partial || !known.is_zero())
    }

    /// The sum for people: `at least 1,234.50`.
    pub(crate) fn text(self, show: impl Fn(Decimal) -> String) -> String {
        match self.shown().map(show) {
            Some(sum) if self.is_partial => format!("at least {sum}"),
            Some(sum) => sum,
            None => "–".to_owned(),
        }
    }
}

impl Numbers {
    /// Adds a campaign's numbers of a day.
    pub(super) fn add(&mut self, row: &Row) {
        let Row { campaign_id: _, date: _, spend, impressions, clicks, conversions, conversion_value, is_final } = row;
        self.spend.add(*spend);
        self.impressions.add(impressions.map(Decimal::from));
        self.clicks.add(clicks.map(Decimal::from));
        self.conversions.add(*conversions);
        self.conversion_value.add(*conversion_value);
        self.is_open |= !is_final;
    }

    /// Adds numbers of other campaigns or days.
    pub(crate) fn merge(&mut self, other: &Numbers) {
        let Numbers { spend, impressions, clicks, conversions, conversion_value, is_open } = other;
        self.spend.merge(*spend);
        self.impressions.merge(*impressions);
        self.clicks.merge(*clicks);
        self.conversions.merge(*conversions);
        self.conversion_value.merge(*conversion_value);
        self.is_open |= is_open;
    }

    /// The same without a part that is missing: each is a lower bound, and none has a ratio.
    pub(crate) fn as_lower_bounds(&self) -> Numbers {
        let mut bounds = self.clone();
        let Numbers { spend, impressions, clicks, conversions, conversion_value, is_open: _ } = &mut bounds;
        for sum in [spend, impressions, clicks, conversions, conversion_value] {
            sum.mark_partial();
        }
        bounds
    }

    /// Clicks for a hundred impressions (CTR).
    pub(crate) fn click_rate(&self) -> Option<Decimal> {
        self.clicks.whole()?.checked_mul(Decimal::ONE_HUNDRED)?.checked_div(self.impressions.whole()?)
    }

    /// Amount spent for a click (CPC).
    pub(crate) fn click_cost(&self) -> Option<Decimal> {
        self.spend.whole()?.checked_div(self.clicks.whole()?)
    }
}

/// A rate of clicks with its decimals.
pub(crate) fn shown_rate(rate: Decimal) -> Decimal {
    rounded(rate, RATE_DECIMALS)
}

/// The decimal with exactly so many decimals.
pub(crate) fn rounded(number: Decimal, decimals: u32) -> Decimal {
    let mut number = number.round_dp(decimals);
    number.rescale(decimals);
    number
}

/// The difference in percent; `None` from zero.
pub(crate) fn percent(now: Decimal, before: Decimal) -> Option<Decimal> {
    now.checked_sub(before)?.checked_mul(Decimal::ONE_HUNDRED)?.checked_div(before)
}

/// The difference in percent for people: `+12.5%`. A number that is not known, and a difference from zero, is a dash.
pub(crate) fn change(now: Option<Decimal>, before: Option<Decimal>) -> String {
    let before = before.filter(|before| *before > Decimal::ZERO);
    let Some(percent) = now.zip(before).and_then(|(now, before)| percent(now, before)) else { return "–".to_owned() };
    let percent = rounded(percent, CHANGE_DECIMALS);
    let digits = grouped_digits(&percent.abs().to_string());
    match percent.cmp(&Decimal::ZERO) {
        Ordering::Less => format!("−{digits}%"),
        Ordering::Equal => format!("{digits}%"),
        Ordering::Greater => format!("+{digits}%"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(rows: &[&str]) -> Numbers {
        let mut numbers = Numbers::default();
        for row in rows {
            let row = format!(r#"{{"date":"2026-11-22","is_final":true,{row}}}"#);
            numbers.add(&serde_json::from_str(&row).unwrap());
        }
        numbers
    }

    fn text(sum: Sum) -> String {
        sum.text(|sum| sum.to_string())
    }

    #[test]
    fn sums_are_exact() {
        let ten = numbers(&[r#""spend":0.1,"impressions":9007199254740993,"clicks":1"#; 10]);
        assert_eq!((text(ten.spend).as_str(), text(ten.impressions).as_str()), ("1.0", "90071992547409930"));
    }

    #[test]
    fn an_unknown_part_makes_a_lower_bound_and_no_ratio() {
        let numbers = numbers(&[
            r#""spend":5,"impressions":100,"clicks":4,"conversions":null"#,
            r#""spend":null,"impressions":100,"clicks":null,"conversions":null"#,
        ]);
        assert_eq!((text(numbers.spend).as_str(), text(numbers.conversions).as_str()), ("at least 5", "–"));
        assert_eq!((numbers.click_rate(), numbers.click_cost()), (None, None));
        assert_eq!(text(Sum::default()), "–");
        let nothing = self::numbers(&[r#""spend":0,"clicks":null"#, r#""spend":null,"clicks":null"#]);
        assert_eq!(text(nothing.spend), "–", "at least nothing says nothing");
    }

    #[test]
    fn ratios_are_made_of_sums_and_rounded_once() {
        let two = numbers(&[r#""spend":1,"impressions":100,"clicks":1"#, r#""spend":1,"impressions":900,"clicks":2"#]);
        assert_eq!(two.click_rate().map(shown_rate).map(|rate| rate.to_string()).as_deref(), Some("0.30"));
        assert_eq!(two.click_cost().map(|cost| rounded(cost, 2).to_string()).as_deref(), Some("0.67"));
        let none = numbers(&[r#""spend":1,"impressions":0,"clicks":0"#]);
        assert_eq!((none.click_rate(), none.click_cost()), (None, None), "no division by zero");
    }

    #[test]
    fn numbers_too_large_to_add_are_a_lower_bound() {
        let most = format!(r#""spend":{}"#, Decimal::MAX);
        assert_eq!(text(numbers(&[&most, &most]).spend), format!("at least {}", Decimal::MAX));
    }

    #[test]
    fn merged_sums_are_those_of_all_rows() {
        let one = r#""spend":0.1,"impressions":5,"clicks":null"#;
        let two = r#""spend":0.2,"impressions":6,"clicks":3"#;
        let mut merged = numbers(&[one]);
        merged.merge(&numbers(&[two]));
        merged.merge(&Numbers::default());
        assert_eq!(merged, numbers(&[one, two]));
        assert_eq!(text(merged.clicks), "at least 3");
    }

    #[test]
    fn a_difference_is_exact_and_unknown_stays_unknown() {
        let decimal = |text: &str| Decimal::from_str_exact(text).ok();
        for (now, before, shown) in [
            ("112.5", "100", "+12.5%"),
            ("97", "100", "−3.0%"),
            ("0", "100", "−100.0%"),
            ("5", "5", "0.0%"),
            ("100.01", "100", "0.0%"),
            ("0.3", "0.1", "+200.0%"),
            ("2000", "1", "+199,900.0%"),
            ("5", "0", "–"),
            ("", "5", "–"),
            ("5", "", "–"),
            ("79228162514264337593543950335", "0.0000001", "–"),
        ] {
            assert_eq!(change(decimal(now), decimal(before)), shown, "{now} after {before}");
        }
    }
}
