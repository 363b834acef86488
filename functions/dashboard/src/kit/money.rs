//! Amounts for people: exact digits, with at least the decimals of their currency.

use crate::kit::text::{grouped, grouped_digits};
use rust_decimal::Decimal;
use shared::domain::{BudgetPeriod, Currency};

/// The budget of a campaign without its own.
pub(crate) const NO_BUDGET: &str = "no budget of its own";

/// An amount with its currency: `1,234.50 USD`.
pub(crate) fn in_currency(amount: Decimal, currency: Currency) -> String {
    let code = currency.code();
    format!("{} {code}", amount_text(amount, code))
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

/// A decimal for people: `1,234.50`.
pub(crate) fn amount_text(amount: Decimal, currency: &str) -> String {
    grouped_digits(&with_decimals(amount, currency))
}

/// A decimal for a form: `1234.50`.
pub(crate) fn form_amount(amount: Decimal, currency: &str) -> String {
    with_decimals(amount, currency)
}

/// An amount in millionths, which the script adds up without a float; empty for one that no number holds.
pub(crate) fn millionths(amount: Decimal) -> String {
    let millionths = amount.checked_mul(Decimal::from(1_000_000));
    millionths.map(|amount| amount.trunc().normalize().to_string()).unwrap_or_default()
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

/// The currencies of a form that have no decimals, in a sentence; empty without one.
pub(crate) fn hint_for_all(currencies: &[&str]) -> String {
    let has_none = |currency: &&&str| Currency::from_code(currency).is_some_and(|it| it.decimals() == 0);
    let mut whole: Vec<&str> = currencies.iter().filter(has_none).copied().collect();
    whole.sort_unstable();
    whole.dedup();
    if whole.is_empty() { String::new() } else { format!("Amounts in {} have no decimals. ", whole.join(" and ")) }
}

fn with_decimals(amount: Decimal, currency: &str) -> String {
    Currency::from_code(currency).map_or_else(|| amount.normalize().to_string(), |known| known.padded(amount))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decimal(text: &str) -> Decimal {
        Decimal::from_str_exact(text).unwrap()
    }

    #[test]
    fn an_amount_has_at_least_the_decimals_of_its_currency() {
        for (text, currency, people, form) in [
            ("55.5", "USD", "55.50 USD", "55.50"),
            ("1234567", "USD", "1,234,567.00 USD", "1234567.00"),
            ("500", "JPY", "500 JPY", "500"),
            ("1.5", "KWD", "1.500 KWD", "1.500"),
            ("0.125", "USD", "0.125 USD", "0.125"),
            ("-1234.5", "EUR", "-1,234.50 EUR", "-1234.50"),
            ("12345678901234567890.25", "USD", "12,345,678,901,234,567,890.25 USD", "12345678901234567890.25"),
        ] {
            assert_eq!(in_currency(decimal(text), Currency::from_code(currency).unwrap()), people);
            assert_eq!(form_amount(decimal(text), currency), form);
        }
        assert_eq!(amount_text(decimal("7.50"), "???"), "7.5", "a currency that is not known");
    }

    #[test]
    fn a_budget_has_its_period() {
        let dollars = Currency::from_code("USD").unwrap();
        let budget = |period| budget_of(Some(decimal("5")), dollars, period);
        assert_eq!(budget(Some(BudgetPeriod::Daily)), "5.00 USD a day");
        assert_eq!(budget(Some(BudgetPeriod::Total)), "5.00 USD in all");
        assert_eq!(budget(None), "5.00 USD");
        assert_eq!(budget_of(None, dollars, None), "no budget of its own");
    }

    #[test]
    fn a_hint_names_the_currencies_without_decimals() {
        assert_eq!(hint_for_all(&["USD", "KWD"]), "");
        assert_eq!(hint_for_all(&["KRW", "JPY", "USD", "JPY"]), "Amounts in JPY and KRW have no decimals. ");
    }
}
