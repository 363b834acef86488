//! Reading rows of lists: an unreadable field does not lose the row, and an unreadable row does not lose the list.

use super::errors::unreadable;
use crate::domain::Platform;
use crate::domain::money::decimal_from_number;
use crate::error::Error;
use rust_decimal::Decimal;
use serde::de::{DeserializeOwned, Error as _};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::value::RawValue;
use std::collections::BTreeMap;

/// Reads a field of an unknown form as none. Not for a field that identifies the row's owner, or the campaign of a
/// create.
pub fn value_or_none<'de, D: Deserializer<'de>, T: DeserializeOwned>(deserializer: D) -> Result<Option<T>, D::Error> {
    let value = Box::<RawValue>::deserialize(deserializer)?;
    Ok(serde_json::from_str(value.get()).ok().flatten())
}

/// The same for text. Of a number it is the digits, as received.
pub fn text_or_none<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    let value = Box::<RawValue>::deserialize(deserializer)?;
    Ok(text_of(&value))
}

/// The text of a JSON string, or the digits of a JSON number as received.
pub fn text_of(value: &RawValue) -> Option<String> {
    match value.get().as_bytes().first()? {
        b'"' => serde_json::from_str(value.get()).ok(),
        b'-' | b'0'..=b'9' => Some(value.get().to_owned()),
        _ => None,
    }
}

/// A whole number of a platform, written as a JSON number or as text: an amount in micros, a time in seconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Whole(pub i64);

impl<'de> Deserialize<'de> for Whole {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Whole, D::Error> {
        let raw = Box::<RawValue>::deserialize(deserializer)?;
        whole(raw.get()).map(Whole).ok_or_else(|| D::Error::custom("not a whole number"))
    }
}

fn whole(json: &str) -> Option<i64> {
    i64::try_from(decimal(json).filter(|number| number.fract().is_zero())?).ok()
}

/// The exact value of a JSON number, or of text that is one; `None` for anything else.
pub fn decimal(json: &str) -> Option<Decimal> {
    let text = unquoted(json);
    // The decimal parser takes more than JSON does.
    let is_number = text.bytes().all(|byte| byte.is_ascii_digit() || b"-+.eE".contains(&byte));
    is_number.then(|| decimal_from_number(text).ok()).flatten()
}

/// The content of a JSON string without escapes; anything else unchanged.
pub fn unquoted(json: &str) -> &str {
    json.strip_prefix('"').and_then(|text| text.strip_suffix('"')).unwrap_or(json)
}

/// An integer, as a JSON number or as text; `None` for anything else, `1.0` too.
pub fn integer_or_none<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<i64>, D::Error> {
    let value = Box::<RawValue>::deserialize(deserializer)?;
    Ok(text_of(&value).and_then(|text| text.parse().ok()))
}

/// A required integer, as a JSON number or as text: an id.
pub fn integer<'de, D: Deserializer<'de>>(deserializer: D) -> Result<i64, D::Error> {
    integer_or_none(deserializer)?.ok_or_else(|| D::Error::custom("not an integer"))
}

/// A JSON object with its values as received, for an object that changes without being read again.
#[derive(Debug, Deserialize, Serialize)]
#[serde(transparent)]
pub struct RawObject(BTreeMap<String, Box<RawValue>>);

impl RawObject {
    /// Parses an object.
    pub fn parse(json: &str) -> serde_json::Result<RawObject> {
        serde_json::from_str(json)
    }

    /// Removes fields that may be stale.
    pub fn remove(&mut self, names: &[&str]) {
        self.0.retain(|name, _| !names.contains(&name.as_str()));
    }

    /// Sets the fields of another object.
    pub fn set(&mut self, fields: &impl Serialize) -> serde_json::Result<()> {
        let fields: RawObject = serde_json::from_str(&serde_json::to_string(fields)?)?;
        self.0.extend(fields.0);
        Ok(())
    }

    /// The JSON text.
    pub fn to_text(&self) -> serde_json::Result<String> {
        serde_json::to_string(self)
    }
}

/// Reads each row of a page. A row that cannot be read is `None` in its place, with a warning. If no row can be read
/// the page is an error: the platform has changed its form, and an empty list would hide that.
pub fn readable<T>(
    platform: Platform,
    rows: &[Box<RawValue>],
    read: impl Fn(&RawValue) -> Result<T, Error>,
) -> Result<Vec<Option<T>>, Error> {
    let warn = |error: Error| {
        let reason = error.source.as_ref().map(ToString::to_string);
        tracing::warn!(%platform, reason, "a row that cannot be read was left out");
    };
    let read: Vec<Option<T>> = rows.iter().map(|row| read(row).map_err(warn).ok()).collect();
    if !read.is_empty() && read.iter().all(Option::is_none) {
        return Err(unreadable(platform, "a page without a readable row"));
    }
    Ok(read)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_whole_number_is_read_from_a_number_or_a_text() {
        let read = |json: &str| serde_json::from_str::<Whole>(json).ok().map(|whole| whole.0);
        for (json, expected) in [("7", 7), ("\"7\"", 7), ("-1", -1), ("5e6", 5_000_000), ("\"7.0\"", 7)] {
            assert_eq!(read(json), Some(expected), "{json}");
        }
        for json in ["1.5", "\"\"", "\"x\"", "\"1_0\"", "true", "null", "[]", "1e30", "\"9223372036854775808\""] {
            assert_eq!(read(json), None, "{json}");
        }
    }

    #[derive(Deserialize)]
    struct Row {
        #[serde(default, deserialize_with = "text_or_none")]
        text: Option<String>,
        #[serde(default, deserialize_with = "value_or_none")]
        value: Option<u8>,
    }

    #[test]
    fn an_unknown_form_is_none_and_a_number_keeps_its_digits() {
        let read = |json: &str| serde_json::from_str::<Row>(json).map(|row| (row.text, row.value)).unwrap();
        assert_eq!(read("{}"), (None, None));
        assert_eq!(read(r#"{"text":null,"value":null}"#), (None, None));
        assert_eq!(read(r#"{"text":{"a":[1]},"value":256}"#), (None, None));
        assert_eq!(read(r#"{"text":true,"value":"7"}"#), (None, None));
        assert_eq!(read(r#"{"text":"a\u0062","value":7}"#), (Some("ab".into()), Some(7)));
        let digits = "120330000000012345678901234567890.10";
        assert_eq!(read(&format!(r#"{{"text":{digits}}}"#)).0.as_deref(), Some(digits));
    }
}
