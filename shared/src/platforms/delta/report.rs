//! Rows of reports: their campaigns, days and amounts.
//!
//! The platform's sums carry the noise of binary fractions: `-2E-18`, `99.99999999999996`, `107.5300000000000335346`.
//! Some have more digits than a decimal holds (recorded live). So the amounts of reports are rounded, budgets never.

use super::wire;
use crate::platforms::prelude::*;
use crate::platforms::rows::unquoted;
use jiff::civil::Date;

/// A decimal holds any number with so many digits.
const MAX_DIGITS: i64 = 28;

/// Reads the rows of a response.
pub(super) fn read(response: &OutboundResponse) -> Result<Vec<wire::ReportRow>, Error> {
    let report: wire::Report = read_object(Platform::Delta, &response.body)?;
    Ok(report.elements)
}

/// The id of a row's campaign.
pub(super) fn campaign_of(row: &wire::ReportRow) -> Result<&str, Error> {
    let [urn] = row.pivot_values.as_slice() else {
        return Err(unreadable(Platform::Delta, "a row that is not of one campaign"));
    };
    urn.strip_prefix(wire::CAMPAIGN_URN).ok_or_else(|| unreadable(Platform::Delta, "a row that is not of a campaign"))
}

/// The day of a row that is of one day.
pub(super) fn day_of(row: &wire::ReportRow) -> Result<Date, Error> {
    let range = row.date_range.as_deref().and_then(|json| serde_json::from_str::<wire::DateRange>(json.get()).ok());
    let range = range.filter(|range| range.end.is_none_or(|end| end == range.start));
    let day = range.and_then(|range| Date::new(range.start.year, range.start.month, range.start.day).ok());
    day.ok_or_else(|| unreadable(Platform::Delta, "a row that is not of one day"))
}

/// An amount, rounded half away from zero to the currency's decimals, so that noise below zero is zero and a correction
/// stays; `None` if the platform sends none. One that is not a number or is too large is an error.
pub(super) fn amount(json: Option<&RawValue>, currency: Currency) -> Result<Option<Decimal>, Error> {
    let Some(json) = json else { return Ok(None) };
    let rounded = Number::parse(unquoted(json.get())).and_then(|number| number.rounded(currency.decimals()));
    rounded.map(Some).ok_or_else(|| unreadable(Platform::Delta, "an amount that cannot be read"))
}

/// A number in parts: its `digits` without leading zeros. The first `point` of them stand before the decimal point.
struct Number {
    is_negative: bool,
    digits: String,
    point: i64,
}

impl Number {
    fn parse(text: &str) -> Option<Number> {
        let (text, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
        // Beyond these bounds every amount is too large or zero.
        let exponent = exponent.parse::<i64>().ok()?.clamp(-1_000_000_000, 1_000_000_000);
        let is_negative = text.starts_with('-');
        let text = text.strip_prefix(['-', '+']).unwrap_or(text);
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
        // With a negative count the number is below half of the last decimal.
        let count = self.point + i64::from(decimals);
        if self.digits.is_empty() || count < 0 {
            return Some(Decimal::ZERO);
        }
        if count > MAX_DIGITS {
            return None;
        }
        let count = usize::try_from(count).ok()?;
        let kept: String = self.digits.chars().chain(std::iter::repeat('0')).take(count).collect();
        let is_up = self.digits.as_bytes().get(count).is_some_and(|digit| *digit >= b'5');
        let whole: i128 = if kept.is_empty() { 0 } else { kept.parse().ok()? };
        let whole = whole + i128::from(is_up);
        let signed = if self.is_negative { -whole } else { whole };
        let rounded = Decimal::try_from_i128_with_scale(signed, decimals).ok()?;
        Some(rounded.normalize())
    }
}
