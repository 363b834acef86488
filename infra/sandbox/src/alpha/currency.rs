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

/// The minimum daily budget in micros: 50 billable units, such as 0.50 USD, 50 JPY or 0.050 KWD. Google does not
/// publish the minimums, and reports them only in error details.
pub(crate) fn per_day_minimum(code: &str) -> i64 {
    billable_unit(code) * 50
}

/// Formats micros with at least the decimals of their currency.
pub(crate) fn format(micros: i64, code: &str) -> String {
    money::format(CURRENCIES, micros, code)
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
}
