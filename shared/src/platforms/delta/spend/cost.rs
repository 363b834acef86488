//! The cost in a report, rounded to its currency. Budgets are never rounded.
//!
//! The platform's sums carry the noise of binary fractions: `-2E-18`, `99.99999999999996`, `107.5300000000000335346`.
//! Some have more digits than a decimal holds (recorded live).

use crate::domain::Currency;
use rust_decimal::Decimal;
use serde_json::value::RawValue;

/// A decimal holds any number with so many digits.
const MAX_DIGITS: i64 = 28;

/// Rounds a cost half up to the currency's decimals, and a negative one to zero; `None` for one that is not a number or
/// is too large.
pub(super) fn rounded(raw: &RawValue, currency: Currency) -> Option<Decimal> {
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
            // Beyond these bounds every amount is too large or zero.
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

    /// Works on the digits, so that rounding is the only loss.
    fn rounded(&self, decimals: u32) -> Option<Decimal> {
        // The digits that are left. With fewer than none the number is below half of the last decimal.
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
