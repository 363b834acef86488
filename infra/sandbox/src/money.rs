//! Micros, 10^-6 of a currency, and the decimal texts they are told in: whole numbers, never
//! floating point. Which currencies there are, and how fine an amount may be, is each platform's
//! own; beta counts in offsets of its own and uses none of this.

/// How many micros one unit of a currency is: platforms state their bounds in whole units.
pub(crate) const MICROS: i64 = 1_000_000;

/// A platform's currencies by the decimals that people write: no two platforms know the same.
pub(crate) type Currencies = [(usize, &'static [&'static str])];

/// The decimals of a currency; `None` for a code that is not in the table, for such an account
/// cannot be opened.
pub(crate) fn decimals(table: &Currencies, code: &str) -> Option<usize> {
    table.iter().find(|(_, codes)| codes.contains(&code)).map(|(decimals, _)| *decimals)
}

/// A decimal text such as `12.34` in micros; `None` when it is none, is negative, has more than
/// six decimals or does not fit: nothing is rounded.
pub(crate) fn micros(amount: &str) -> Option<i64> {
    let (whole, fraction) = amount.split_once('.').unwrap_or((amount, "0"));
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    if !digits(whole) || !digits(fraction) || fraction.len() > 6 {
        return None;
    }
    let fraction: i64 = format!("{fraction:0<6}").parse().ok()?;
    whole.parse::<i64>().ok()?.checked_mul(MICROS)?.checked_add(fraction)
}

/// Micros as a decimal text with `least` decimals, more when they are needed, so that it reads as
/// people write the currency and loses nothing.
pub(crate) fn decimal(micros: i64, least: usize) -> String {
    let fraction = format!("{:06}", (micros % MICROS).abs());
    let needed = fraction.trim_end_matches('0').len().max(least);
    let whole = micros / MICROS;
    match fraction.get(..needed) {
        Some(places) if needed > 0 => format!("{whole}.{places}"),
        _ => whole.to_string(),
    }
}
