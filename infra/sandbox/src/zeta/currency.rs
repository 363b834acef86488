//! Currencies of ad accounts.

use crate::money::Currencies;

/// The currencies of ad accounts. Reddit publishes no complete list; no currency with three decimals is known.
pub(crate) const CURRENCIES: &Currencies = &[
    (0, &["JPY", "KRW"]),
    (
        2,
        &[
            "USD", "GBP", "CAD", "EUR", "AUD", "NZD", "SEK", "CHF", "HKD", "SGD", "NOK", "DKK", "PLN", "BRL", "MXN",
            "INR",
        ],
    ),
];
