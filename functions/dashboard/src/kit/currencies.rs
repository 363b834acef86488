//! The order of currencies, and how selects name them. Amounts of two currencies are never added, nor compared.

use crate::kit::choice::{Choice, choices_in_force};
use shared::domain::Currency;
use std::cmp::Reverse;

/// The currencies of some things, first that of most of them. Each item is a currency and the number of things in it; a
/// currency with 0 things is in the list, too.
pub(crate) fn most_used(things: impl Iterator<Item = (Currency, usize)>) -> Vec<Currency> {
    let mut counts: Vec<(Currency, usize)> = Vec::new();
    for (currency, count) in things {
        match counts.iter_mut().find(|(known, _)| *known == currency) {
            Some((_, known)) => *known += count,
            None => counts.push((currency, count)),
        }
    }
    counts.sort_by_key(|(currency, count)| (Reverse(*count), currency.code()));
    counts.into_iter().map(|(currency, _)| currency).collect()
}

/// What a select says of a currency: `EUR: Euro`.
pub(crate) fn option_text(currency: Currency) -> String {
    format!("{}: {}", currency.code(), currency.name())
}

/// The options of a select. A code that is not among them is one more, so that the form shows what was sent.
pub(crate) fn currency_choices(known: &[Currency], chosen: &str) -> Vec<Choice> {
    let texts: Vec<(&str, String)> = known.iter().map(|one| (one.code(), option_text(*one))).collect();
    let known: Vec<(&str, &str)> = texts.iter().map(|(code, text)| (*code, text.as_str())).collect();
    choices_in_force(&known, chosen)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_select_names_its_currencies() {
        let euro = Currency::from_code("EUR").unwrap();
        let shown: Vec<_> = currency_choices(&[euro], "ABC").into_iter().map(|one| (one.text, one.is_chosen)).collect();
        assert_eq!(shown, [("EUR: Euro".to_owned(), false), ("ABC".to_owned(), true)]);
        assert!(Currency::all().all(|one| !one.name().is_empty()));
    }

    #[test]
    fn currencies_sort_by_count_then_code() {
        let things = [("USD", 1), ("EUR", 1), ("JPY", 0), ("CHF", 1), ("EUR", 1), ("JPY", 0)];
        let order = most_used(things.into_iter().map(|(code, count)| (Currency::from_code(code).unwrap(), count)));
        assert_eq!(order.into_iter().map(Currency::code).collect::<Vec<_>>(), ["EUR", "CHF", "USD", "JPY"]);
    }
}
