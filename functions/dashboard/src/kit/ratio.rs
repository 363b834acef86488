//! Ratios and differences. They are made of exact numbers, and rounded once, where they are shown.

use crate::kit::text::grouped_digits;
use rust_decimal::Decimal;
use std::cmp::Ordering;

/// Decimals of the rate of clicks, in percent.
pub(crate) const RATE_DECIMALS: u32 = 2;
/// Decimals of an amount for a click, if the currency has fewer.
const MIN_COST_DECIMALS: u32 = 2;
/// Decimals of a difference, in percent.
const CHANGE_DECIMALS: u32 = 1;

/// A rate of clicks with its decimals.
pub(crate) fn shown_rate(rate: Decimal) -> Decimal {
    rounded(rate, RATE_DECIMALS)
}

/// The cost of a click with its decimals: at least two, also in yen.
pub(crate) fn shown_cost(cost: Decimal, currency: &str) -> Decimal {
    rounded(cost, cost_decimals(currency))
}

/// The decimals of the cost of a click.
pub(crate) fn cost_decimals(currency: &str) -> u32 {
    crate::kit::money::decimals(currency).max(MIN_COST_DECIMALS)
}

/// The decimal with exactly so many decimals.
fn rounded(number: Decimal, decimals: u32) -> Decimal {
    let mut number = number.round_dp(decimals);
    number.rescale(decimals);
    number
}

/// The difference in percent; `None` from zero.
pub(crate) fn percent(now: Decimal, before: Decimal) -> Option<Decimal> {
    now.checked_sub(before)?.checked_mul(Decimal::ONE_HUNDRED)?.checked_div(before)
}

/// The difference in percent with its decimals; `None` for a number that is not known, and from zero.
pub(crate) fn shown_change(now: Option<Decimal>, before: Option<Decimal>) -> Option<Decimal> {
    let before = before.filter(|before| *before > Decimal::ZERO)?;
    Some(rounded(percent(now?, before)?, CHANGE_DECIMALS))
}

/// The difference in percent for people: `+12.5%`. A number that is not known, and a difference from zero, is a dash.
pub(crate) fn change(now: Option<Decimal>, before: Option<Decimal>) -> String {
    let Some(percent) = shown_change(now, before) else { return "–".to_owned() };
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

    #[test]
    fn a_ratio_is_rounded_once() {
        let third = Decimal::ONE / Decimal::from(3);
        assert_eq!(
            (shown_rate(third).to_string(), shown_rate(Decimal::ONE).to_string()),
            ("0.33".into(), "1.00".into())
        );
        let cost = |currency| shown_cost(third, currency).to_string();
        assert_eq!([cost("USD"), cost("JPY"), cost("KWD")], ["0.33", "0.33", "0.333"]);
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
