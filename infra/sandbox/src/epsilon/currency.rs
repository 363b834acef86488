//! Currencies of ad accounts.

use crate::money::Currencies;

/// The currencies of ad accounts. None has three decimals.
pub(crate) const CURRENCIES: &Currencies = &[
    (0, &["JPY", "KRW", "CLP"]),
    (
        2,
        &[
            "USD", "GBP", "CAD", "EUR", "AUD", "NZD", "SEK", "ILS", "CHF", "HKD", "SGD", "NOK", "DKK", "PLN", "RON",
            "HUF", "CZK", "BRL", "MXN", "ARS", "COP", "INR", "TRY",
        ],
    ),
];
