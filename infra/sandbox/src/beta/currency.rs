//! Currencies and Meta's own offsets: how many of the numbers it counts money in make one unit.
//!
//! Marketing API: Currencies. The offsets are not the decimals of ISO 4217.

/// Counted in whole units.
const OFFSET_1: &[&str] = &["CLP", "COP", "CRC", "HUF", "ISK", "IDR", "JPY", "KRW", "PYG", "TWD", "VND"];
/// Counted in hundredths, three-decimal currencies included.
const OFFSET_100: &[&str] = &[
    "AED", "ARS", "AUD", "BDT", "BGN", "BHD", "BOB", "BRL", "CAD", "CHF", "CNY", "CZK", "DKK", "DZD", "EGP", "EUR",
    "GBP", "GTQ", "HKD", "HNL", "ILS", "INR", "JOD", "KES", "LKR", "MOP", "MXN", "MYR", "NGN", "NIO", "NOK", "NZD",
    "PEN", "PHP", "PKR", "PLN", "QAR", "RON", "SAR", "SEK", "SGD", "THB", "TRY", "UAH", "USD", "UYU", "ZAR",
];

/// The offset of a currency; `None` for a code that the platform does not know.
pub(crate) fn offset(code: &str) -> Option<u64> {
    if OFFSET_1.contains(&code) {
        return Some(1);
    }
    OFFSET_100.contains(&code).then_some(100)
}

/// The least that a campaign may have per day. Each account tells its own; here it is 50 of what
/// money is counted in: 0.50 USD, 50 JPY, 50 COP.
pub(crate) const DAILY_MINIMUM: u64 = 50;

/// A decimal text such as `12.34`, counted; `None` when it is none, is negative, is finer than the
/// currency is counted in, or does not fit.
pub(crate) fn counted(amount: &str, code: &str) -> Option<u64> {
    let (whole, fraction) = amount.split_once('.').unwrap_or((amount, "0"));
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    if !digits(whole) || !digits(fraction) {
        return None;
    }
    let whole: u64 = whole.parse().ok()?;
    let fraction = fraction.trim_end_matches('0');
    let (most, offset) = if offset(code)? == 100 { (2, 100) } else { (0, 1) };
    if fraction.len() > most {
        return None;
    }
    let fraction: u64 = format!("{fraction:0<most$}0").parse().ok()?;
    whole.checked_mul(offset)?.checked_add(fraction / 10)
}

/// What was counted, as a decimal text.
pub(crate) fn decimal(counted: u64, code: &str) -> String {
    if offset(code) == Some(1) {
        return counted.to_string();
    }
    format!("{}.{:02}", counted / 100, counted % 100)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_offset_is_the_platforms_own_and_not_the_decimals_of_iso_4217() {
        for code in ["CLP", "COP", "CRC", "HUF", "ISK", "IDR", "JPY", "KRW", "PYG", "TWD", "VND"] {
            assert_eq!(offset(code), Some(1), "{code}");
        }
        for code in ["USD", "EUR", "BHD", "JOD"] {
            assert_eq!(offset(code), Some(100), "{code}");
        }
        assert_eq!(offset("XXX"), None);
    }

    #[test]
    fn amounts_are_exact_or_refused() {
        assert_eq!(counted("12.34", "USD"), Some(1234));
        assert_eq!(counted("12.3", "BHD"), Some(1230));
        assert_eq!(counted("12.300", "BHD"), Some(1230));
        assert_eq!(counted("12.345", "BHD"), None);
        assert_eq!(counted("1500", "COP"), Some(1500));
        assert_eq!(counted("1500.00", "COP"), Some(1500));
        assert_eq!(counted("1500.5", "COP"), None);
        for bad in ["", ".", "1.", ".5", "-1", "1e3", "1,5", "18446744073709551616"] {
            assert_eq!(counted(bad, "USD"), None, "{bad}");
        }
    }

    #[test]
    fn what_was_counted_reads_as_major_units() {
        assert_eq!(decimal(1205, "USD"), "12.05");
        assert_eq!(decimal(1205, "COP"), "1205");
        assert_eq!(decimal(5, "BHD"), "0.05");
    }
}
