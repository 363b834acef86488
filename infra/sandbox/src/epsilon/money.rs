//! Currencies, and micros: 10^-6 of an account's currency, whatever its decimals.
//!
//! Pinterest API v5 reference: `Currency`, and the note on microcurrency of "Create campaigns". No currency
//! of the list has three decimals.

pub(crate) use crate::money::micros;
use crate::money::{self, Currencies};

/// The currencies of ad accounts, by their decimals.
const CURRENCIES: &Currencies = &[
    (0, &["JPY", "KRW", "CLP"]),
    (
        2,
        &[
            "USD", "GBP", "CAD", "EUR", "AUD", "NZD", "SEK", "ILS", "CHF", "HKD", "SGD", "NOK", "DKK", "PLN", "RON",
            "HUF", "CZK", "BRL", "MXN", "ARS", "COP", "INR", "TRY",
        ],
    ),
];

/// The decimals of a currency; `None` for a currency that the platform does not support.
pub(crate) fn decimals(code: &str) -> Option<usize> {
    money::decimals(CURRENCIES, code)
}

/// Formats micros with the decimals of the currency, or with more if they are needed.
pub(crate) fn decimal(micros: i64, code: &str) -> String {
    money::decimal(micros, decimals(code).unwrap_or(2))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_currency_of_the_platform_has_three_decimals() {
        assert_eq!(["USD", "JPY", "KRW"].map(decimals), [Some(2), Some(0), Some(0)]);
        assert_eq!(["KWD", "BHD", "TND", "UNK", "usd"].map(decimals), [None; 5]);
    }

    #[test]
    fn amounts_are_exact_to_the_micro() {
        assert_eq!(micros("12.34"), Some(12_340_000));
        assert_eq!(micros("9223372036854.775807"), Some(i64::MAX));
        for bad in ["", ".", "1.", ".5", "-1", "1e3", "0.0000001", "9223372036854.775808", "1,5"] {
            assert_eq!(micros(bad), None, "{bad}");
        }
        assert_eq!(decimal(12_340_000, "USD"), "12.34");
        assert_eq!(decimal(5_000_000, "JPY"), "5");
        assert_eq!(decimal(1, "JPY"), "0.000001");
    }
}
