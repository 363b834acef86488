//! Amounts for people: exact digits, with at least the decimals of their currency.

use crate::kit::text::{grouped, grouped_digits};
use rust_decimal::Decimal;
use serde_json::value::RawValue;
use shared::domain::money::decimal_from_number;
use shared::domain::{BudgetPeriod, Currency};

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

/// The same for an amount that is a decimal.
pub(crate) fn exact_budget(amount: Decimal, currency: &str, period: Option<&str>) -> String {
    format!("{} {currency}{}", shown(amount, currency), span(period))
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

/// An amount with its currency: `1,234.50 USD`.
pub(crate) fn in_currency(amount: Decimal, currency: Currency) -> String {
    let code = currency.code();
    format!("{} {code}", shown(amount, code))
}

/// A budget for people: `25.50 USD a day`.
pub(crate) fn budget_of(amount: Option<Decimal>, currency: Currency, period: Option<BudgetPeriod>) -> String {
    match amount {
        Some(amount) => format!("{}{}", in_currency(amount, currency), span_of(period)),
        None => NO_BUDGET.to_owned(),
    }
}

/// What a budget is for: ` a day`; nothing for a period that has no equivalent here.
pub(crate) fn span_of(period: Option<BudgetPeriod>) -> &'static str {
    match period {
        Some(BudgetPeriod::Daily) => " a day",
        Some(BudgetPeriod::Monthly) => " a month",
        Some(BudgetPeriod::Total | BudgetPeriod::Lifetime) => " in all",
        None => "",
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

/// A part of a whole, rounded to percent: for people, and of a bar, which ends at 100.
pub(crate) fn percent(part: Decimal, whole: Decimal) -> Option<(String, u64)> {
    let percent = part.checked_mul(Decimal::ONE_HUNDRED)?.checked_div(whole)?;
    let percent: u64 = percent.round().try_into().ok()?;
    Some((format!("{}%", grouped(percent)), percent.min(100)))
}

/// Number of decimals of a currency; 0 for an unknown one.
pub(crate) fn decimals(currency: &str) -> u32 {
    Currency::from_code(currency).map_or(0, Currency::decimals)
}

/// How an amount in a currency is written, with an example: `A whole number, such as 2500.`
pub(crate) fn hint(currency: &str) -> &'static str {
    match Currency::from_code(currency).map(Currency::decimals) {
        Some(0) => "A whole number, such as 2500.",
        Some(3) => "With a dot before the decimals, such as 25.500.",
        _ => "With a dot before the decimals, such as 25.50.",
    }
}

/// The same for a form whose amounts are in several currencies.
pub(crate) fn hint_for_all(currencies: &[&str]) -> String {
    let (mut whole, others): (Vec<&str>, Vec<&str>) =
        currencies.iter().partition(|currency| Currency::from_code(currency).is_some_and(|it| it.decimals() == 0));
    whole.sort_unstable();
    whole.dedup();
    match (whole.is_empty(), others.is_empty()) {
        (true, _) => "Write amounts with a dot before the decimals, such as 25.50.".to_owned(),
        (false, true) => "Write amounts as whole numbers, such as 2500.".to_owned(),
        (false, false) => format!(
            "Write amounts with a dot before the decimals, such as 25.50, and those in {} as whole numbers.",
            whole.join(" and ")
        ),
    }
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
    fn a_hint_fits_the_decimals_of_its_currency() {
        assert_eq!(hint("JPY"), "A whole number, such as 2500.");
        assert_eq!(hint("KWD"), "With a dot before the decimals, such as 25.500.");
        assert_eq!(hint("EUR"), "With a dot before the decimals, such as 25.50.");
        let dot = "Write amounts with a dot before the decimals, such as 25.50";
        assert_eq!(hint_for_all(&[]), format!("{dot}."));
        assert_eq!(hint_for_all(&["JPY", "JPY"]), "Write amounts as whole numbers, such as 2500.");
        assert_eq!(hint_for_all(&["USD", "JPY"]), format!("{dot}, and those in JPY as whole numbers."));
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
