//! Currencies and Meta's offsets. An offset is the number of units, as Meta counts amounts, in one major unit.
//!
//! Marketing API: Currencies. The offsets differ from the decimals of ISO 4217.

use crate::money::MICROS;

/// Amounts are in whole major units.
const OFFSET_1: &[&str] = &["CLP", "COP", "CRC", "HUF", "ISK", "IDR", "JPY", "KRW", "PYG", "TWD", "VND"];
/// Amounts are in hundredths, even for currencies with three decimals.
const OFFSET_100: &[&str] = &[
    "AED", "ARS", "AUD", "BDT", "BGN", "BHD", "BOB", "BRL", "CAD", "CHF", "CNY", "CZK", "DKK", "DZD", "EGP", "EUR",
    "GBP", "GTQ", "HKD", "HNL", "ILS", "INR", "JOD", "KES", "LKR", "MOP", "MXN", "MYR", "NGN", "NIO", "NOK", "NZD",
    "PEN", "PHP", "PKR", "PLN", "QAR", "RON", "SAR", "SEK", "SGD", "THB", "TRY", "UAH", "USD", "UYU", "ZAR",
];

/// The offset of a currency; `None` for an unknown code.
pub(crate) fn offset(code: &str) -> Option<u64> {
    if OFFSET_1.contains(&code) {
        return Some(1);
    }
    OFFSET_100.contains(&code).then_some(100)
}

/// Minimum daily budget of an account, in units of the offset: 0.50 USD, 50 JPY, 50 COP. Real accounts each have their
/// own.
pub(crate) const MIN_DAILY_BUDGET: u64 = 50;

/// Parses a decimal such as `12.34` into units of the offset. Returns `None` for any other text, a negative amount, too
/// many decimals, or an overflow.
pub(crate) fn parse(amount: &str, code: &str) -> Option<u64> {
    let (whole, fraction) = amount.split_once('.').unwrap_or((amount, "0"));
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    if !digits(whole) || !digits(fraction) {
        return None;
    }
    let whole: u64 = whole.parse().ok()?;
    let fraction = fraction.trim_end_matches('0');
    let (max_decimals, offset) = if offset(code)? == 100 { (2, 100) } else { (0, 1) };
    if fraction.len() > max_decimals {
        return None;
    }
    let fraction: u64 = format!("{fraction:0<max_decimals$}0").parse().ok()?;
    whole.checked_mul(offset)?.checked_add(fraction / 10)
}

/// Formats units of the offset as a decimal in major units.
pub(crate) fn format(units: u64, code: &str) -> String {
    if offset(code) == Some(1) {
        return units.to_string();
    }
    format!("{}.{:02}", units / 100, units % 100)
}

/// Micros of one unit: 10,000 for USD and BHD, 1,000,000 for JPY.
pub(crate) fn unit(code: &str) -> i64 {
    if offset(code) == Some(1) { MICROS } else { MICROS / 100 }
}

/// Units of an amount in micros.
pub(crate) fn units(micros: i64, code: &str) -> u64 {
    u64::try_from(micros / unit(code)).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offsets_differ_from_the_decimals_of_iso_4217() {
        for code in ["CLP", "COP", "CRC", "HUF", "ISK", "IDR", "JPY", "KRW", "PYG", "TWD", "VND"] {
            assert_eq!(offset(code), Some(1), "{code}");
        }
        for code in ["USD", "EUR", "BHD", "JOD"] {
            assert_eq!(offset(code), Some(100), "{code}");
        }
        assert_eq!(offset("XXX"), None);
    }

    #[test]
    fn amounts_are_exact_or_rejected() {
        assert_eq!(parse("12.34", "USD"), Some(1234));
        assert_eq!(parse("12.3", "BHD"), Some(1230));
        assert_eq!(parse("12.300", "BHD"), Some(1230));
        assert_eq!(parse("12.345", "BHD"), None);
        assert_eq!(parse("1500", "COP"), Some(1500));
        assert_eq!(parse("1500.00", "COP"), Some(1500));
        assert_eq!(parse("1500.5", "COP"), None);
        for bad in ["", ".", "1.", ".5", "-1", "1e3", "1,5", "18446744073709551616"] {
            assert_eq!(parse(bad, "USD"), None, "{bad}");
        }
    }

    #[test]
    fn amounts_are_formatted_in_major_units() {
        assert_eq!(format(1205, "USD"), "12.05");
        assert_eq!(format(1205, "COP"), "1205");
        assert_eq!(format(5, "BHD"), "0.05");
    }
}
