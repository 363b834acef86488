//! Sums of numbers that a platform may not have, and ratios of such sums. All are exact; only ratios are rounded.

use super::wire::Row;
use rust_decimal::Decimal;

/// Decimals of the rate of clicks, in percent.
const RATE_DECIMALS: u32 = 2;

/// A sum. A part that the platform does not have makes it a lower bound.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Sum {
    /// `None` without any known part.
    pub(super) known: Option<Decimal>,
    is_partial: bool,
}

/// The numbers of a day, or of all days.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Numbers {
    pub(super) spend: Sum,
    pub(super) impressions: Sum,
    pub(super) clicks: Sum,
    pub(super) conversions: Sum,
    pub(super) conversion_value: Sum,
    /// The platform may still change them.
    pub(super) is_open: bool,
}

impl Sum {
    fn add(&mut self, part: Option<Decimal>) {
        match part.and_then(|part| self.known.unwrap_or_default().checked_add(part)) {
            Some(sum) => self.known = Some(sum),
            None => self.is_partial = true,
        }
    }

    /// The sum, if every part is known.
    fn whole(self) -> Option<Decimal> {
        self.known.filter(|_| !self.is_partial)
    }

    /// The sum for people.
    pub(super) fn text(self, show: impl Fn(Decimal) -> String) -> String {
        match self.known.map(show) {
            Some(sum) if self.is_partial => format!("at least {sum}"),
            Some(sum) => sum,
            None => "–".to_owned(),
        }
    }
}

impl Numbers {
    /// Adds a campaign's numbers of a day.
    pub(super) fn add(&mut self, row: &Row) {
        let Row { date: _, spend, impressions, clicks, conversions, conversion_value, is_final } = row;
        self.spend.add(*spend);
        self.impressions.add(impressions.map(Decimal::from));
        self.clicks.add(clicks.map(Decimal::from));
        self.conversions.add(*conversions);
        self.conversion_value.add(*conversion_value);
        self.is_open |= !is_final;
    }

    /// Clicks for a hundred impressions (CTR), rounded.
    pub(super) fn click_rate(&self) -> Option<Decimal> {
        ratio(self.clicks.whole()?.checked_mul(Decimal::ONE_HUNDRED)?, self.impressions, RATE_DECIMALS)
    }

    /// Amount spent for a click (CPC), rounded.
    pub(super) fn click_cost(&self, decimals: u32) -> Option<Decimal> {
        ratio(self.spend.whole()?, self.clicks, decimals)
    }
}

/// A ratio with exactly so many decimals; `None` if the divisor is zero or not known.
fn ratio(dividend: Decimal, divisor: Sum, decimals: u32) -> Option<Decimal> {
    let mut ratio = dividend.checked_div(divisor.whole()?)?.round_dp(decimals);
    ratio.rescale(decimals);
    Some(ratio)
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
        assert_eq!((numbers.click_rate(), numbers.click_cost(2)), (None, None));
        assert_eq!(text(Sum::default()), "–");
    }

    #[test]
    fn ratios_are_made_of_sums_and_rounded_once() {
        let two = numbers(&[r#""spend":1,"impressions":100,"clicks":1"#, r#""spend":1,"impressions":900,"clicks":2"#]);
        assert_eq!(two.click_rate(), Some(Decimal::new(30, 2)));
        assert_eq!(two.click_cost(2).map(|cost| cost.to_string()).as_deref(), Some("0.67"));
        let none = numbers(&[r#""spend":1,"impressions":0,"clicks":0"#]);
        assert_eq!((none.click_rate(), none.click_cost(2)), (None, None), "no division by zero");
    }

    #[test]
    fn numbers_too_large_to_add_are_a_lower_bound() {
        let most = format!(r#""spend":{}"#, Decimal::MAX);
        assert_eq!(text(numbers(&[&most, &most]).spend), format!("at least {}", Decimal::MAX));
    }
}
