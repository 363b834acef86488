//! Small pieces that both shapes write the same way: exact numbers, times, foreign JSON, platform faults.

use crate::error::PlatformFault;
use jiff::Timestamp;
use rust_decimal::Decimal;
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use serde_json::value::RawValue;

/// A decimal as a JSON number, digit by digit and never through a float.
pub(super) struct Number(pub(super) Decimal);

impl Serialize for Number {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let digits = self.0.normalize().to_string();
        RawValue::from_string(digits).map_err(serde::ser::Error::custom)?.serialize(serializer)
    }
}

/// A platform's own JSON, passed on as received; an empty object where it is none.
pub(super) struct Raw<'a>(pub(super) &'a str);

impl Serialize for Raw<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match serde_json::from_str::<&RawValue>(self.0) {
            Ok(foreign) if foreign.get().starts_with('{') => foreign.serialize(serializer),
            _ => serializer.serialize_map(Some(0))?.end(),
        }
    }
}

/// What a platform said, in either shape.
#[derive(Serialize)]
pub(super) struct WireFault<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    code: Option<&'a str>,
    message: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    field: Option<&'a str>,
}

impl<'a> From<&'a PlatformFault> for WireFault<'a> {
    fn from(fault: &'a PlatformFault) -> WireFault<'a> {
        let PlatformFault { code, message, field } = fault;
        WireFault { code: code.as_deref(), message, field: field.as_deref() }
    }
}

/// `2026-12-01T09:00:00.000Z`: moments of our own clock.
pub(super) fn iso_millis(at: Timestamp) -> String {
    format!("{at:.3}")
}

/// `2026-12-01T09:00:00Z`: moments that are whole seconds on every platform.
pub(super) fn iso_seconds(at: Timestamp) -> String {
    format!("{at:.0}")
}
