//! Wire types of both shapes: exact numbers, times, platform JSON, platform faults.

use crate::domain::MonthSpend;
use crate::error::{Error, Kind, PlatformError};
use jiff::Timestamp;
use rust_decimal::Decimal;
use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use serde_json::value::RawValue;
use serde_json::{Value, json};
use serde_with::skip_serializing_none;
use std::fmt;

/// A decimal as an exact JSON number, without a float in between.
pub(super) struct Number(pub(super) Decimal);

impl Serialize for Number {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let digits = self.0.normalize().to_string();
        RawValue::from_string(digits).map_err(serde::ser::Error::custom)?.serialize(serializer)
    }
}

/// The `pagination` of a page: where the next one begins.
pub(super) fn pagination(next_cursor: Option<&str>) -> Value {
    json!({ "next_cursor": next_cursor, "has_more": next_cursor.is_some() })
}

/// The `pagination` of a page since a record: also from where to continue another day.
pub(super) fn pagination_since(next_cursor: Option<&str>, next_since: Option<&str>) -> Value {
    let mut pagination = pagination(next_cursor);
    if let Some(next) = next_since {
        pagination["next_since"] = next.into();
    }
    pagination
}

/// A platform's JSON object, passed on as received. If some JSON readers would reject it, an empty object.
pub(super) struct Raw<'a>(pub(super) &'a str);

impl Serialize for Raw<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match serde_json::from_str::<&RawValue>(self.0) {
            Ok(object) if object.get().starts_with('{') && is_portable(self.0) => object.serialize(serializer),
            _ => serializer.serialize_map(Some(0))?.end(),
        }
    }
}

/// Whether all JSON readers accept the text. Some reject a lone surrogate, a number beyond the range of a float, or the
/// 128th level of nesting, and with it the whole response.
fn is_portable(text: &str) -> bool {
    // The response nests it a few levels deep.
    serde_json::from_str::<Strict>(&format!("[[[[{text}]]]]")).is_ok()
}

/// Reads any JSON strictly and discards it.
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

/// A platform's own error.
#[skip_serializing_none]
#[derive(Serialize)]
pub(super) struct WirePlatformError<'a> {
    code: Option<&'a str>,
    message: &'a str,
    field: Option<&'a str>,
}

impl<'a> From<&'a PlatformError> for WirePlatformError<'a> {
    fn from(error: &'a PlatformError) -> WirePlatformError<'a> {
        let PlatformError { code, message, field } = error;
        WirePlatformError { code: code.as_deref(), message, field: field.as_deref() }
    }
}

/// The fields of a request that a platform can refuse.
const FIELDS: [&str; 8] =
    ["name", "goal", "budget_amount", "budget_period", "currency", "start_at", "end_at", "status"];

/// The message of an error. A refusal by a platform, which has its own names for fields, begins with ours.
pub(super) fn naming_field(error: &Error) -> String {
    let field = error.platform_error.as_ref().and_then(|detail| detail.field.as_deref());
    match field.filter(|field| error.kind == Kind::PlatformRefused && FIELDS.contains(field)) {
        Some(field) if !error.message.contains(field) => format!("{field}: {}", error.message),
        _ => error.message.to_string(),
    }
}

/// `2026-12-01T09:00:00.000Z`: times of our own clock.
pub(super) fn iso_millis(at: Timestamp) -> String {
    format!("{at:.3}")
}

/// `2026-12-01T09:00:00Z`: times with whole seconds on every platform.
pub(super) fn iso_seconds(at: Timestamp) -> String {
    format!("{at:.0}")
}

/// How far the month of a monthly budget is spent. Absent for a budget that the platform holds.
#[derive(Serialize)]
pub(super) struct WireMonthlyBudget {
    amount: Number,
    spent: Number,
    remaining: Number,
    daily_now: Number,
    month: String,
    stopped: bool,
}

impl From<MonthSpend> for WireMonthlyBudget {
    fn from(
        MonthSpend { amount, spent, remaining, daily_now, month, is_halted, ledger: _, due_at: _ }: MonthSpend,
    ) -> WireMonthlyBudget {
        WireMonthlyBudget {
            amount: Number(amount),
            spent: Number(spent),
            remaining: Number(remaining),
            daily_now: Number(daily_now),
            month: month.name(),
            stopped: is_halted,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn serialized(raw: &str) -> String {
        serde_json::to_string(&Raw(raw)).unwrap()
    }

    #[test]
    fn a_platform_object_is_passed_on_as_received() {
        let text =
            r#"{"id": 7, "a":{"n":-0.50,"e":1E2},"b":[null,true,"\u00e9\ud83d\ude00"],"big":18446744073709551616}"#;
        assert_eq!(serialized(text), text);
    }

    #[test]
    fn json_that_some_readers_reject_becomes_an_empty_object() {
        let deep = format!("{{\"a\":{}{}}}", "[".repeat(124), "]".repeat(124));
        for text in ["", "[]", "{", "<html>", r#"{"a":"\ud800"}"#, r#"{"\ud800":1}"#, r#"{"a":1e999}"#, deep.as_str()] {
            assert_eq!(serialized(text), "{}", "{text}");
        }
    }
}
