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
    let whole = micros / MICROS;
    match fraction.get(..needed) {
        Some(places) if needed > 0 => format!("{whole}.{places}"),
        _ => whole.to_string(),
    }
}
