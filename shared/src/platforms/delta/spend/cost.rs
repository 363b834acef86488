//! A cost of a report, cleaned.
//!
//! The platform's sums carry the noise of binary fractions: `-2E-18`, `99.99999999999996`, `107.5300000000000335346`,
//! at times with more digits than a decimal holds (recorded live). A report is rounded to its currency; an order never
//! is.

use crate::domain::Currency;
use rust_decimal::Decimal;
use serde_json::value::RawValue;

/// Most digits that a decimal holds whatever they are.
const MAX_DIGITS: i64 = 28;

/// A cost rounded half up to the currency's decimals, and not below zero; `None` for one that is no number, or too
/// large for one.
pub(super) fn cleaned(raw: &RawValue, currency: Currency) -> Option<Decimal> {
    let text = raw.get();
    let number = Number::parse(text.strip_prefix('"').and_then(|text| text.strip_suffix('"')).unwrap_or(text))?;
    if number.is_negative {
        return Some(Decimal::ZERO);
    }
    number.rounded(currency.decimals())
}

/// A number in parts: its `digits` without leading zeros. The first `point` of them stand before the decimal point.
struct Number {
    is_negative: bool,
    digits: String,
    point: i64,
}

impl Number {
    fn parse(text: &str) -> Option<Number> {
        let (text, exponent) = match text.split_once(['e', 'E']) {
            None => (text, 0),
            // Beyond these bounds every amount is too large or nothing.
            Some((text, exponent)) => (text, exponent.parse::<i64>().ok()?.clamp(-1_000_000_000, 1_000_000_000)),
        };
        let (is_negative, text) = match text.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, text.strip_prefix('+').unwrap_or(text)),
        };
        let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
        let all = format!("{whole}{fraction}");
        if all.is_empty() || !all.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        let digits = all.trim_start_matches('0').to_owned();
        let zeros = i64::try_from(all.len() - digits.len()).ok()?;
        let point = i64::try_from(whole.len()).ok()? + exponent - zeros;
        Some(Number { is_negative, digits, point })
    }

    /// Works on the digits, so that none is lost before the rounding.
    fn rounded(&self, decimals: u32) -> Option<Decimal> {
        // So many digits are left; below none everything is less than half of the last decimal.
        let left = self.point + i64::from(decimals);
        if self.digits.is_empty() || left < 0 {
            return Some(Decimal::ZERO);
        }
        let left = usize::try_from(left).ok().filter(|_| left <= MAX_DIGITS)?;
        let kept: String = self.digits.chars().chain(std::iter::repeat('0')).take(left).collect();
        let is_up = self.digits.as_bytes().get(left).is_some_and(|digit| *digit >= b'5');
        let whole: i128 = if kept.is_empty() { 0 } else { kept.parse().ok()? };
        let rounded = Decimal::try_from_i128_with_scale(whole + i128::from(is_up), decimals).ok()?;
        Some(rounded.normalize())
    }
}
