//! The order of currencies. Amounts of two currencies are never added, nor compared.

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn currencies_sort_by_count_then_code() {
        let things = [("USD", 1), ("EUR", 1), ("JPY", 0), ("CHF", 1), ("EUR", 1), ("JPY", 0)];
        let order = most_used(things.into_iter().map(|(code, count)| (Currency::from_code(code).unwrap(), count)));
        assert_eq!(order.into_iter().map(Currency::code).collect::<Vec<_>>(), ["EUR", "CHF", "USD", "JPY"]);
    }
}
