//! Small pieces that both shapes write the same way: exact numbers, times, foreign JSON, platform faults.

use crate::error::PlatformFault;
use jiff::Timestamp;
use rust_decimal::Decimal;
use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use serde_json::value::RawValue;
use std::fmt;

/// A decimal as a JSON number, digit by digit and never through a float.
pub(super) struct Number(pub(super) Decimal);

impl Serialize for Number {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let digits = self.0.normalize().to_string();
        RawValue::from_string(digits).map_err(serde::ser::Error::custom)?.serialize(serializer)
    }
}

/// A platform's own JSON, passed on as received; an empty object where it is none that every reader takes.
pub(super) struct Raw<'a>(pub(super) &'a str);

impl Serialize for Raw<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match serde_json::from_str::<&RawValue>(self.0) {
            Ok(foreign) if foreign.get().starts_with('{') && is_readable(self.0) => foreign.serialize(serializer),
            _ => serializer.serialize_map(Some(0))?.end(),
        }
    }
}

/// Whether JSON that is passed on costs no reader the answer around it: half a surrogate pair, a number beyond all floats
/// and the 128th level are JSON, and not taken by all.
fn is_readable(text: &str) -> bool {
    // In an answer it stands some levels deep.
    serde_json::from_str::<Strict>(&format!("[[[[{text}]]]]")).is_ok()
}

/// Reads everything, and keeps nothing.
struct Strict;

impl<'de> Deserialize<'de> for Strict {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Strict, D::Error> {
        deserializer.deserialize_any(Strict)
    }
}

impl<'de> Visitor<'de> for Strict {
    type Value = Strict;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any JSON")
    }

    fn visit_bool<E>(self, _: bool) -> Result<Strict, E> {
        Ok(Strict)
    }

    fn visit_i64<E>(self, _: i64) -> Result<Strict, E> {
        Ok(Strict)
    }

    fn visit_u64<E>(self, _: u64) -> Result<Strict, E> {
        Ok(Strict)
    }

    fn visit_f64<E>(self, _: f64) -> Result<Strict, E> {
        Ok(Strict)
    }

    fn visit_str<E>(self, _: &str) -> Result<Strict, E> {
        Ok(Strict)
    }

    fn visit_unit<E>(self) -> Result<Strict, E> {
        Ok(Strict)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Strict, A::Error> {
        while items.next_element::<Strict>()?.is_some() {}
        Ok(Strict)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Strict, A::Error> {
        while members.next_entry::<Strict, Strict>()?.is_some() {}
        Ok(Strict)
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

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(raw: &str) -> String {
        serde_json::to_string(&Raw(raw)).unwrap()
    }

    #[test]
    fn a_platforms_object_is_passed_on_as_received() {
        let text =
            r#"{"id": 7, "a":{"n":-0.50,"e":1E2},"b":[null,true,"\u00e9\ud83d\ude00"],"big":18446744073709551616}"#;
        assert_eq!(shown(text), text);
    }

    #[test]
    fn what_some_reader_would_refuse_does_not_cost_him_the_answer() {
        let deep = format!("{{\"a\":{}{}}}", "[".repeat(124), "]".repeat(124));
        for text in ["", "[]", "{", "<html>", r#"{"a":"\ud800"}"#, r#"{"\ud800":1}"#, r#"{"a":1e999}"#, deep.as_str()] {
            assert_eq!(shown(text), "{}", "{text}");
        }
    }
}
