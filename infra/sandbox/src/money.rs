//! Amounts in micros, 10^-6 of a currency unit, and their decimal text, without floating point. Currencies and their
//! decimal places are each platform's own. beta counts in its own offsets and does not use this module.

/// Micros per currency unit.
pub(crate) const MICROS: i64 = 1_000_000;

/// A platform's currency codes, grouped by decimal places. No two platforms support the same set.
pub(crate) type Currencies = [(usize, &'static [&'static str])];

/// Decimal places of a currency; `None` for a code that the platform does not support.
pub(crate) fn decimals(table: &Currencies, code: &str) -> Option<usize> {
    table.iter().find(|(_, codes)| codes.contains(&code)).map(|(decimals, _)| *decimals)
}

/// Parses a decimal such as `12.34` into micros. `None` for a negative number, more than six decimals, an overflow, or
/// any other text; nothing is rounded.
pub(crate) fn micros(amount: &str) -> Option<i64> {
    let (whole, fraction) = amount.split_once('.').unwrap_or((amount, "0"));
    let is_digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    if !is_digits(whole) || !is_digits(fraction) || fraction.len() > 6 {
        return None;
    }
    let fraction: i64 = format!("{fraction:0<6}").parse().ok()?;
    whole.parse::<i64>().ok()?.checked_mul(MICROS)?.checked_add(fraction)
}

/// Formats micros as a decimal with at least `places` decimals, and more where the amount needs them.
pub(crate) fn decimal(micros: i64, places: usize) -> String {
    let fraction = format!("{:06}", (micros % MICROS).abs());
    let needed = fraction.trim_end_matches('0').len().max(places);
    let (sign, whole) = (if micros < 0 { "-" } else { "" }, (micros / MICROS).abs());
    match fraction.get(..needed) {
        Some(places) if needed > 0 => format!("{sign}{whole}.{places}"),
        _ => format!("{sign}{whole}"),
    }
}

/// Formats micros with at least the decimals of their currency, two for an unknown one.
pub(crate) fn format(table: &Currencies, micros: i64, code: &str) -> String {
    decimal(micros, decimals(table, code).unwrap_or(2))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_are_exact_to_the_micro() {
        assert_eq!(micros("12.34"), Some(12_340_000));
        assert_eq!(micros("0.000001"), Some(1));
        assert_eq!(micros("9223372036854.775807"), Some(i64::MAX));
        for bad in ["", ".", "1.", ".5", "-1", "1e3", "0.0000001", "9223372036854.775808", "1,5"] {
            assert_eq!(micros(bad), None, "{bad}");
        }
    }

    #[test]
    fn micros_are_formatted_with_the_decimals_of_their_currency() {
        let table: &Currencies = &[(0, &["JPY"]), (2, &["USD"]), (3, &["KWD"])];
        let formatted = |micros, code| format(table, micros, code);
        assert_eq!([formatted(12_340_000, "USD"), formatted(5_000_000, "JPY")], ["12.34", "5"]);
        assert_eq!([formatted(1_500_000, "KWD"), formatted(1, "JPY")], ["1.500", "0.000001"]);
        assert_eq!([formatted(-500_000, "USD"), formatted(-5_000_000, "JPY")], ["-0.50", "-5"]);
        assert_eq!([decimals(table, "KWD"), decimals(table, "UNK"), decimals(table, "usd")], [Some(3), None, None]);
    }
}
