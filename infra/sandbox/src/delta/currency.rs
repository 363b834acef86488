//! Currencies of the platform and their amounts: decimal texts, counted in whole numbers.
//!
//! Ads reference: "Supported currencies". Of the minimum budgets only those in US dollars are
//! certain; the platform tells the others through "Ad Budget Pricing". Here they are round
//! amounts of about the same worth.

use crate::money;

/// What was spent, in micros: reports are finer than coins.
pub(crate) use crate::money::micros;

/// Code, decimals, and the least that a campaign may have per day, in whole units.
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

/// Why a text is no amount of a currency.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Wrong {
    /// No decimal number, or a negative one.
    Form,
    /// More decimals than the currency has.
    Decimals,
    /// More than the platform can count.
    High,
}

fn row(code: &str) -> Option<(u32, i64)> {
    CURRENCIES.iter().find(|(known, _, _)| *known == code).map(|(_, decimals, least)| (*decimals, *least))
}

pub(crate) fn is_known(code: &str) -> bool {
    row(code).is_some()
}

/// The least per day in whole units; a total budget takes ten times as much.
pub(crate) fn daily_minimum(code: &str) -> i64 {
    row(code).map_or(10, |(_, least)| least)
}

/// An amount of `code` in its smallest coins.
pub(crate) fn coins(amount: &str, code: &str) -> Result<i64, Wrong> {
    let (whole, fraction) = amount.split_once('.').unwrap_or((amount, ""));
    let digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    if whole.is_empty() || !digits(whole) || !digits(fraction) || amount.ends_with('.') {
        return Err(Wrong::Form);
    }
    let decimals = row(code).map_or(2, |(decimals, _)| decimals);
    let places = usize::try_from(decimals).unwrap_or(0);
    if fraction.len() > places {
        return Err(Wrong::Decimals);
    }
    format!("{whole}{fraction:0<places$}").parse().map_err(|_| Wrong::High)
}

/// So many whole units of `code` in its smallest coins.
pub(crate) fn units(whole: i64, code: &str) -> i64 {
    let decimals = row(code).map_or(2, |(decimals, _)| decimals);
    whole.saturating_mul(10_i64.saturating_pow(decimals))
}

/// Micros as the shortest decimal text.
pub(crate) fn decimal(micros: i64) -> String {
    money::decimal(micros, 0)
}

/// About as much in micros of a US dollar, at the rate between the minimum budgets.
pub(crate) fn in_dollars(micros: i64, code: &str) -> i64 {
    micros.saturating_mul(daily_minimum("USD")) / daily_minimum(code)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_are_counted_in_the_coins_of_their_currency() {
        assert_eq!(coins("100.00", "USD"), Ok(10_000));
        assert_eq!(coins("100.5", "USD"), Ok(10_050));
        assert_eq!(coins("1000", "JPY"), Ok(1_000));
        assert_eq!(coins("92233720368547758.07", "USD"), Ok(i64::MAX));
        assert_eq!(coins("92233720368547758.08", "USD"), Err(Wrong::High));
    }

    #[test]
    fn more_decimals_than_the_currency_has_are_refused() {
        assert_eq!(coins("10.001", "USD"), Err(Wrong::Decimals));
        assert_eq!(coins("1000.0", "JPY"), Err(Wrong::Decimals));
        for odd in ["", ".", "1.", ".5", "-1", "+1", "1e3", "1,5", " 1"] {
            assert_eq!(coins(odd, "USD"), Err(Wrong::Form), "{odd}");
        }
    }

    #[test]
    fn what_was_spent_reads_back_as_it_was_told() {
        for text in ["12.34", "0.000001", "5", "1000000"] {
            assert_eq!(micros(text).map(decimal).as_deref(), Some(text));
        }
        assert_eq!(in_dollars(100_000_000, "JPY"), 1_000_000);
    }
}
