//! Currencies. Amounts are integer micros, never floating point.
//!
//! Google Ads API: Currency codes; `CurrencyConstant.billable_unit_micros` in the reference.

pub(crate) use crate::money::micros;
use crate::money::{self, Currencies, MICROS};

/// Currencies by number of decimals.
const CURRENCIES: &Currencies = &[
    (0, &["CLP", "ISK", "JPY", "KRW", "PYG", "VND"]),
    (
        2,
        &[
            "AED", "ARS", "AUD", "BGN", "BOB", "BRL", "CAD", "CHF", "CNY", "COP", "CRC", "CZK", "DKK", "EGP", "EUR",
            "GBP", "HKD", "HUF", "IDR", "ILS", "INR", "KES", "MAD", "MXN", "MYR", "NGN", "NOK", "NZD", "PEN", "PHP",
            "PKR", "PLN", "QAR", "RON", "SAR", "SEK", "SGD", "THB", "TRY", "TWD", "UAH", "USD", "UYU", "ZAR",
        ],
    ),
    (3, &["BHD", "JOD", "KWD", "OMR", "TND"]),
];

/// Every known currency code.
pub(crate) fn codes() -> impl Iterator<Item = &'static str> {
    CURRENCIES.iter().flat_map(|(_, codes)| *codes).copied()
}

/// The decimals of a currency; `None` for an unknown code.
pub(crate) fn decimals(code: &str) -> Option<usize> {
    money::decimals(CURRENCIES, code)
}

/// The smallest billable amount in micros: 10,000 for USD, 1,000,000 for JPY.
pub(crate) fn billable_unit(code: &str) -> i64 {
    (0..decimals(code).unwrap_or(0)).fold(MICROS, |unit, _| unit / 10)
}

/// The minimum daily budget in micros: 50 billable units, such as 0.50 USD, 50 JPY or 0.050 KWD. Google does not publish
/// the minimums, and reports them only in error details.
pub(crate) fn per_day_minimum(code: &str) -> i64 {
    billable_unit(code) * 50
}

/// Formats micros with at least the decimals of their currency.
pub(crate) fn format(micros: i64, code: &str) -> String {
    money::decimal(micros, decimals(code).unwrap_or(2))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_billable_unit_follows_the_decimals() {
        let units = ["USD", "JPY", "KWD"].map(billable_unit);
        assert_eq!(units, [10_000, 1_000_000, 1_000]);
        let minimums = ["USD", "JPY", "KWD"].map(per_day_minimum);
        assert_eq!(minimums, [500_000, 50_000_000, 50_000]);
    }

    #[test]
    fn amounts_are_exact_to_the_last_micro() {
        assert_eq!(micros("12.34"), Some(12_340_000));
        assert_eq!(micros("0.000001"), Some(1));
        assert_eq!(micros("9223372036854.775807"), Some(i64::MAX));
        for bad in ["", ".", "1.", ".5", "-1", "1e3", "0.0000001", "9223372036854.775808", "1,5"] {
            assert_eq!(micros(bad), None, "{bad}");
        }
    }

    #[test]
    fn micros_are_formatted_with_the_decimals_of_their_currency() {
        assert_eq!(format(12_340_000, "USD"), "12.34");
        assert_eq!(format(5_000_000, "JPY"), "5");
        assert_eq!(format(1_500_000, "KWD"), "1.500");
        assert_eq!(format(1, "USD"), "0.000001");
    }
}
