//! Currencies and their amounts: decimal texts, counted in whole minor units.
//!
//! Ads reference: "Supported currencies". Only the minimum budgets in US dollars are documented; the platform
//! returns the others through "Ad Budget Pricing". The sandbox uses round amounts of similar value.

use crate::money;
pub(crate) use crate::money::micros;

/// Code, decimals, and the minimum daily budget in whole units.
const CURRENCIES: &[(&str, u32, i64)] = &[
    ("AED", 2, 40),
    ("ARS", 2, 10_000),
    ("AUD", 2, 15),
    ("BRL", 2, 50),
    ("CAD", 2, 15),
    ("CHF", 2, 10),
    ("CLP", 0, 9_000),
    ("CNY", 2, 70),
    ("COP", 2, 40_000),
    ("DKK", 2, 70),
    ("EGP", 2, 500),
    ("EUR", 2, 10),
    ("GBP", 2, 8),
    ("HKD", 2, 80),
    ("IDR", 2, 160_000),
    ("INR", 2, 800),
    ("JPY", 0, 1_000),
    ("KRW", 0, 13_000),
    ("MXN", 2, 180),
    ("MYR", 2, 45),
    ("NOK", 2, 100),
    ("NZD", 2, 17),
    ("PEN", 2, 38),
    ("PLN", 2, 40),
    ("SAR", 2, 38),
    ("SEK", 2, 100),
    ("SGD", 2, 14),
    ("THB", 2, 350),
    ("TRY", 2, 400),
    ("USD", 2, 10),
    ("ZAR", 2, 180),
];

/// The reason why a text is not an amount of a currency.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum AmountError {
    /// Not a decimal number, or negative.
    Format,
    /// More decimals than the currency has.
    TooManyDecimals,
    /// Larger than an `i64` of minor units.
    TooLarge,
}

fn row(code: &str) -> Option<(u32, i64)> {
    CURRENCIES.iter().find(|(known, _, _)| *known == code).map(|(_, decimals, minimum)| (*decimals, *minimum))
}

pub(crate) fn is_known(code: &str) -> bool {
    row(code).is_some()
}

/// The minimum daily budget in whole units. The minimum total budget is ten times as high.
pub(crate) fn daily_minimum(code: &str) -> i64 {
    row(code).map_or(10, |(_, minimum)| minimum)
}

/// Converts a decimal amount to minor units.
pub(crate) fn minor_units(amount: &str, code: &str) -> Result<i64, AmountError> {
    let (whole, fraction) = amount.split_once('.').unwrap_or((amount, ""));
    let digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    if whole.is_empty() || !digits(whole) || !digits(fraction) || amount.ends_with('.') {
        return Err(AmountError::Format);
    }
    let decimals = row(code).map_or(2, |(decimals, _)| decimals);
    let places = usize::try_from(decimals).unwrap_or(0);
    if fraction.len() > places {
        return Err(AmountError::TooManyDecimals);
    }
    format!("{whole}{fraction:0<places$}").parse().map_err(|_| AmountError::TooLarge)
}

/// Converts whole units to minor units.
pub(crate) fn whole_to_minor(whole: i64, code: &str) -> i64 {
    let decimals = row(code).map_or(2, |(decimals, _)| decimals);
    whole.saturating_mul(10_i64.saturating_pow(decimals))
}

/// Formats micros with as few decimals as possible.
pub(crate) fn decimal(micros: i64) -> String {
    money::decimal(micros, 0)
}

/// An approximate conversion to micros of a US dollar. The rate is the ratio of the minimum budgets.
pub(crate) fn in_dollars(micros: i64, code: &str) -> i64 {
    micros.saturating_mul(daily_minimum("USD")) / daily_minimum(code)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_are_counted_in_minor_units() {
        assert_eq!(minor_units("100.00", "USD"), Ok(10_000));
        assert_eq!(minor_units("100.5", "USD"), Ok(10_050));
        assert_eq!(minor_units("1000", "JPY"), Ok(1_000));
        assert_eq!(minor_units("92233720368547758.07", "USD"), Ok(i64::MAX));
        assert_eq!(minor_units("92233720368547758.08", "USD"), Err(AmountError::TooLarge));
    }

    #[test]
    fn more_decimals_than_the_currency_has_are_rejected() {
        assert_eq!(minor_units("10.001", "USD"), Err(AmountError::TooManyDecimals));
        assert_eq!(minor_units("1000.0", "JPY"), Err(AmountError::TooManyDecimals));
        for invalid in ["", ".", "1.", ".5", "-1", "+1", "1e3", "1,5", " 1"] {
            assert_eq!(minor_units(invalid, "USD"), Err(AmountError::Format), "{invalid}");
        }
    }

    #[test]
    fn micros_format_as_the_text_they_came_from() {
        for text in ["12.34", "0.000001", "5", "1000000"] {
            assert_eq!(micros(text).map(decimal).as_deref(), Some(text));
        }
        assert_eq!(in_dollars(100_000_000, "JPY"), 1_000_000);
    }
}
