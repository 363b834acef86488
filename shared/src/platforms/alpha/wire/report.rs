//! Rows of reports. A row is read strictly, because a report without one of its rows does not add up; a metric that
//! cannot be read is the row's alone.

use super::Int64;
use crate::platforms::rows::decimal;
use jiff::civil::Date;
use rust_decimal::Decimal;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

/// Decimals of a double that are kept. Fractions of conversions and amounts of money have no more.
const DOUBLE_DECIMALS: u32 = 6;

/// A double: a number in JSON. It is rounded to six decimals, which removes the noise of floating point; `"NaN"` and
/// `"Infinity"` are errors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::platforms::alpha) struct Double(pub(in crate::platforms::alpha) Decimal);

impl<'de> Deserialize<'de> for Double {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Double, D::Error> {
        let raw = Box::<RawValue>::deserialize(deserializer)?;
        let number = decimal(raw.get()).or_else(|| is_noise(raw.get()).then_some(Decimal::ZERO));
        let number = number.ok_or_else(|| D::Error::custom("not a double that is a number"))?;
        Ok(Double(number.round_dp(DOUBLE_DECIMALS).normalize()))
    }
}

/// Recognizes a number far below the kept decimals, which may have more digits than a decimal holds. Doubles are
/// written with one digit before the point.
fn is_noise(json: &str) -> bool {
    let Some((mantissa, exponent)) = json.split_once(['e', 'E']) else { return false };
    let whole = mantissa.trim_start_matches('-').split('.').next().unwrap_or_default();
    whole.len() == 1 && exponent.parse::<i64>().is_ok_and(|exponent| exponent < -7)
}

/// The metrics of a campaign's row, of which its spend is selected.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(in crate::platforms::alpha) struct Metrics {
    cost_micros: Option<Int64>,
}

impl Metrics {
    /// The amount spent in major units.
    pub(in crate::platforms::alpha) fn spend(&self) -> Option<Decimal> {
        self.cost_micros.map(Int64::to_amount)
    }
}

/// The metrics of a report's row, as received. An absent one is zero if it was selected: proto3 JSON may leave out default
/// values.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(in crate::platforms::alpha) struct ReportMetrics {
    pub(in crate::platforms::alpha) cost_micros: Option<Box<RawValue>>,
    pub(in crate::platforms::alpha) impressions: Option<Box<RawValue>>,
    pub(in crate::platforms::alpha) clicks: Option<Box<RawValue>>,
    pub(in crate::platforms::alpha) conversions: Option<Box<RawValue>>,
    pub(in crate::platforms::alpha) conversions_value: Option<Box<RawValue>>,
}

/// A `GoogleAdsRow` of a report.
#[derive(Debug, Deserialize)]
pub(in crate::platforms::alpha) struct ReportRow {
    pub(in crate::platforms::alpha) campaign: Identified,
    pub(in crate::platforms::alpha) customer: Identified,
    #[serde(default)]
    pub(in crate::platforms::alpha) metrics: ReportMetrics,
    /// Absent without a selected segment.
    #[serde(default)]
    pub(in crate::platforms::alpha) segments: Segments,
}

/// A resource whose id was selected.
#[derive(Debug, Deserialize)]
pub(in crate::platforms::alpha) struct Identified {
    pub(in crate::platforms::alpha) id: Int64,
}

#[derive(Debug, Default, Deserialize)]
pub(in crate::platforms::alpha) struct Segments {
    /// The day in the account's time zone.
    pub(in crate::platforms::alpha) date: Option<Date>,
}
