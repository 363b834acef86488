//! Amounts for people: exact digits, with at least the decimals of their currency.

use crate::layout::grouped_digits;
use rust_decimal::Decimal;
use serde_json::value::RawValue;
use shared::domain::Currency;
use shared::domain::money::decimal_from_number;

/// The budget of a campaign without its own.
pub(crate) const NO_BUDGET: &str = "no budget of its own";

/// An amount of the API for people: `1,234.50 USD`; without a known currency, the number.
pub(crate) fn amount(number: &RawValue, currency: &str) -> String {
    let digits = grouped_digits(&digits(number, currency));
    if currency.is_empty() { digits } else { format!("{digits} {currency}") }
}

/// A budget for people: `25.50 USD a day`.
pub(crate) fn budget(amount: Option<&RawValue>, currency: &str, period: Option<&str>) -> String {
    let Some(amount) = amount else { return NO_BUDGET.to_owned() };
    format!("{}{}", self::amount(amount, currency), span(period))
}

/// What a budget is for, by its period in the API: ` a day`.
pub(crate) fn span(period: Option<&str>) -> &'static str {
    match period {
        Some("DAILY") => " a day",
        Some("MONTHLY") => " a month",
        Some("TOTAL" | "LIFETIME") => " in all",
        _ => "",
    }
}

/// The digits of an amount of the API, for a form: `1234.50`. A number that no decimal holds stays as it is.
pub(crate) fn digits(number: &RawValue, currency: &str) -> String {
    decimal_from_number(number.get()).map_or_else(|_| number.get().to_owned(), |amount| padded(amount, currency))
}

/// A decimal for people: `1,234.50`.
pub(crate) fn shown(amount: Decimal, currency: &str) -> String {
    grouped_digits(&padded(amount, currency))
}

/// A decimal for a form: `1234.50`.
pub(crate) fn entered(amount: Decimal, currency: &str) -> String {
    padded(amount, currency)
}

/// Number of decimals of a currency; 0 for an unknown one.
pub(crate) fn decimals(currency: &str) -> u32 {
    Currency::from_code(currency).map_or(0, Currency::decimals)
}

fn padded(amount: Decimal, currency: &str) -> String {
    Currency::from_code(currency).map_or_else(|| amount.normalize().to_string(), |known| known.padded(amount))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(text: &str) -> Box<RawValue> {
        RawValue::from_string(text.to_owned()).unwrap()
    }

    #[test]
    fn an_amount_has_at_least_the_decimals_of_its_currency() {
        for (text, currency, shown, digits) in [
            ("55.5", "USD", "55.50 USD", "55.50"),
            ("1234567", "USD", "1,234,567.00 USD", "1234567.00"),
            ("500", "JPY", "500 JPY", "500"),
            ("1.5", "KWD", "1.500 KWD", "1.500"),
            ("0.125", "USD", "0.125 USD", "0.125"),
            ("1e2", "USD", "100.00 USD", "100.00"),
            ("-1234.5", "EUR", "-1,234.50 EUR", "-1234.50"),
            ("7.5", "???", "7.5 ???", "7.5"),
            ("7.5", "", "7.5", "7.5"),
        ] {
            assert_eq!(amount(&number(text), currency), shown);
            assert_eq!(super::digits(&number(text), currency), digits);
        }
    }

    #[test]
    fn a_budget_has_its_period() {
        for (period, shown) in [("DAILY", "5.00 USD a day"), ("TOTAL", "5.00 USD in all"), ("WEEKLY", "5.00 USD")] {
            assert_eq!(budget(Some(&number("5")), "USD", Some(period)), shown);
        }
        assert_eq!(budget(None, "USD", None), "no budget of its own");
    }

    #[test]
    fn no_digit_is_lost() {
        assert_eq!(digits(&number("12345678901234567890.25"), "USD"), "12345678901234567890.25");
        let long = "123456789012345678901234567890.123456789";
        assert_eq!(digits(&number(long), "USD"), long);
        let whole = "1234567890123456789012345678";
        assert!(digits(&number(whole), "USD").starts_with(whole), "the decimals that fit");
    }
}
