//! Currencies and budget limits. Amounts are integer micros, never floating point.
//!
//! TikTok API for Business v1.3: "Budget", "Currency". Amounts are in the currency's major unit, with the currency's
//! number of decimals. The three decimals of dinars and rials come from ISO 4217, not from TikTok's page.

use super::error::ApiError;
use crate::money::{self, Currencies, MICROS};
pub(crate) use crate::money::{decimal, micros};

/// Published minimum of a campaign budget, times the currency's ratio. (20 is the minimum of an ad group.)
const MIN_BUDGET: i64 = 50;
/// Exclusive maximum of a campaign budget, times the currency's ratio.
const BUDGET_LIMIT: i64 = 10_000_000;

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

/// The decimals of a currency; `None` for an unknown code.
pub(crate) fn decimals(code: &str) -> Option<usize> {
    money::decimals(CURRENCIES, code)
}

/// Factor of the budget limits. TikTok has one per currency; only the yen's is known, so the others use 1.
fn ratio(code: &str) -> i64 {
    if code == "JPY" { 100 } else { 1 }
}

/// An amount with at least the decimals of its currency.
pub(crate) fn format(micros: i64, code: &str) -> String {
    money::format(CURRENCIES, micros, code)
}

/// Parses a campaign budget and checks its limits.
pub(crate) fn budget(number: &str, code: &str) -> Result<i64, ApiError> {
    let wrong = |why: String| ApiError::parameter("budget", &why);
    let amount = micros(number).ok_or_else(|| wrong("Not a valid number.".to_owned()))?;
    let places = decimals(code).unwrap_or(2);
    if decimal(amount, 0).split_once('.').is_some_and(|(_, fraction)| fraction.len() > places) {
        return Err(wrong(format!("The budget can have {places} decimal places in {code}.")));
    }
    let min = MIN_BUDGET * ratio(code);
    let limit = BUDGET_LIMIT * ratio(code);
    if amount < min * MICROS || amount >= limit * MICROS {
        return Err(wrong(format!(
            "The campaign budget has to be no less than {min} {code} and less than {limit} {code}."
        )));
    }
    Ok(amount)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_campaign_budget_is_at_least_50_times_the_currency_ratio() {
        for (valid, code) in
            [("50", "USD"), ("50.00", "USD"), ("5000", "JPY"), ("50.125", "KWD"), ("9999999.99", "USD")]
        {
            assert!(budget(valid, code).is_ok(), "{valid} {code}");
        }
        for (invalid, code) in [
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
            let error = budget(invalid, code).unwrap_err();
            assert_eq!(error.code, 40002);
            assert!(error.message.starts_with("budget: "), "{invalid} {code}: {}", error.message);
        }
    }
}
