//! Currencies of the platform and their amounts: whole micros, never floating point.
//!
//! TikTok API for Business v1.3: "Budget", "Currency". Amounts are in the currency's major unit,
//! with the decimals that the currency has. That a dinar or rial has three is ISO 4217's word, not
//! the page's.

use super::answer::Refusal;
use crate::money::{self, Currencies, MICROS};

pub(crate) use crate::money::{decimal, micros};

/// A campaign's budget is at least so much, times the currency's ratio. This is the campaign's
/// minimum as published; 20 is the ad group's.
const LEAST: i64 = 50;
/// And less than so much, times the ratio.
const MOST: i64 = 10_000_000;

const CURRENCIES: &Currencies = &[
    (0, &["CLP", "ISK", "JPY", "KRW", "PYG", "VND"]),
    (
        2,
        &[
            "AED", "ARS", "AUD", "BDT", "BOB", "BRL", "CAD", "CHF", "CNY", "COP", "CRC", "CZK", "DKK", "DZD", "EGP",
            "EUR", "GBP", "GTQ", "HKD", "HNL", "HUF", "IDR", "ILS", "INR", "KES", "KZT", "MAD", "MOP", "MXN", "MYR",
            "NGN", "NIO", "NOK", "NZD", "PEN", "PHP", "PKR", "PLN", "QAR", "RON", "SAR", "SEK", "SGD", "THB", "TRY",
            "TWD", "UAH", "USD", "UYU", "ZAR",
        ],
    ),
    (3, &["BHD", "JOD", "KWD", "OMR"]),
];

/// The decimals of a currency; `None` for a code that the platform does not know.
pub(crate) fn decimals(code: &str) -> Option<usize> {
    money::decimals(CURRENCIES, code)
}

/// By how much the bounds of a budget grow. The platform has a ratio for each currency; the yen's
/// is known here, and every other is taken as 1.
fn ratio(code: &str) -> i64 {
    if code == "JPY" { 100 } else { 1 }
}

/// A sum with the decimals of its currency.
pub(crate) fn sum(micros: i64, code: &str) -> String {
    decimal(micros, decimals(code).unwrap_or(2))
}

/// Reads a campaign's budget and holds it against the bounds.
pub(crate) fn budget(written: &str, code: &str) -> Result<i64, Refusal> {
    let wrong = |why: String| Refusal::at("budget", &why);
    let amount = micros(written).ok_or_else(|| wrong("Not a valid number.".to_owned()))?;
    let places = decimals(code).unwrap_or(2);
    if decimal(amount, 0).split_once('.').is_some_and(|(_, fraction)| fraction.len() > places) {
        return Err(wrong(format!("The budget can have {places} decimal places in {code}.")));
    }
    let (least, below) = (LEAST * ratio(code), MOST * ratio(code));
    if amount < least * MICROS || amount >= below * MICROS {
        return Err(wrong(format!(
            "The campaign budget has to be no less than {least} {code} and less than {below} {code}."
        )));
    }
    Ok(amount)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_are_exact_and_shown_with_what_they_need() {
        assert_eq!(micros("12.34"), Some(12_340_000));
        for bad in ["", ".", "1.", ".5", "-1", "5e1", "0.0000001", "9223372036854.775808"] {
            assert_eq!(micros(bad), None, "{bad}");
        }
        assert_eq!([sum(12_340_000, "USD"), sum(5_000_000, "JPY")], ["12.34", "5"]);
        assert_eq!([sum(1_500_000, "KWD"), decimal(50_000_000, 0)], ["1.500", "50"]);
    }

    #[test]
    fn a_campaign_budget_is_at_least_50_times_the_ratio_of_its_currency() {
        for (fits, code) in [("50", "USD"), ("50.00", "USD"), ("5000", "JPY"), ("50.125", "KWD"), ("9999999.99", "USD")]
        {
            assert!(budget(fits, code).is_ok(), "{fits} {code}");
        }
        for (refused, code) in [
            ("49.99", "USD"),
            ("20", "USD"),
            ("4999", "JPY"),
            ("10000000", "USD"),
            ("1000000000", "JPY"),
            ("50.001", "USD"),
            ("5000.5", "JPY"),
            ("50.1255", "KWD"),
            ("-50", "USD"),
            ("5e1", "USD"),
        ] {
            let refusal = budget(refused, code).unwrap_err();
            assert_eq!(refusal.code, 40002);
            assert!(refusal.message.starts_with("budget: "), "{refused} {code}: {}", refusal.message);
        }
    }
}
