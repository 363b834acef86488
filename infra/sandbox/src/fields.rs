//! Reads the JSON object of a control request field by field, so that every error names its field.

use std::collections::BTreeMap;

use serde_json::Value;
use serde_json::value::RawValue;

/// The result of a control request: a status with a body, or with an error message.
pub(crate) type ControlResult = Result<(u16, Value), (u16, String)>;

/// The fields that were not read yet.
pub(crate) struct Fields(BTreeMap<String, Box<RawValue>>);

impl Fields {
    pub(crate) fn parse(body: &str) -> Result<Self, String> {
        serde_json::from_str(body).map(Self).map_err(|error| format!("the body is not a JSON object: {error}"))
    }

    /// An optional text; null counts as absent.
    pub(crate) fn text(&mut self, name: &str) -> Result<Option<String>, String> {
        let Some(raw) = self.0.remove(name) else { return Ok(None) };
        serde_json::from_str(raw.get()).map_err(|_| format!("{name} has to be a text"))
    }

    /// A required text.
    pub(crate) fn required(&mut self, name: &str) -> Result<String, String> {
        self.text(name)?.ok_or_else(|| format!("{name} is missing"))
    }

    /// A list of texts; an absent list is empty.
    pub(crate) fn texts(&mut self, name: &str) -> Result<Vec<String>, String> {
        Ok(self.optional_texts(name)?.unwrap_or_default())
    }

    /// An optional list of texts; null counts as absent.
    pub(crate) fn optional_texts(&mut self, name: &str) -> Result<Option<Vec<String>>, String> {
        let Some(raw) = self.0.remove(name) else { return Ok(None) };
        serde_json::from_str(raw.get()).map_err(|_| format!("{name} has to be a list of texts"))
    }

    /// An optional whole number, at most `max`.
    pub(crate) fn number(&mut self, name: &str, max: u64) -> Result<Option<u64>, String> {
        let Some(raw) = self.0.remove(name) else { return Ok(None) };
        let number = serde_json::from_str::<Option<u64>>(raw.get()).ok();
        number
            .filter(|number| number.is_none_or(|number| number <= max))
            .ok_or_else(|| format!("{name} has to be a whole number from 0 to {max}"))
    }

    /// A required boolean.
    pub(crate) fn boolean(&mut self, name: &str) -> Result<bool, String> {
        let raw = self.0.remove(name).ok_or_else(|| format!("{name} is missing"))?;
        serde_json::from_str(raw.get()).map_err(|_| format!("{name} has to be true or false"))
    }

    /// A required number or text, verbatim, without a conversion to floating point.
    pub(crate) fn literal(&mut self, name: &str) -> Result<String, String> {
        self.optional_literal(name)?.ok_or_else(|| format!("{name} is missing"))
    }

    /// An optional number or text, verbatim.
    pub(crate) fn optional_literal(&mut self, name: &str) -> Result<Option<String>, String> {
        let Some(raw) = self.0.remove(name) else { return Ok(None) };
        let raw = raw.get();
        if raw.starts_with(|first: char| first == '-' || first.is_ascii_digit()) {
            return Ok(Some(raw.to_owned()));
        }
        serde_json::from_str(raw).map(Some).map_err(|_| format!("{name} has to be a number or a text"))
    }

    /// Rejects fields that were not read.
    pub(crate) fn deny_unknown(self) -> Result<(), String> {
        match self.0.keys().next() {
            Some(name) => Err(format!("{name} is unknown; remove it")),
            None => Ok(()),
        }
    }
}

/// Test fixture: `base` with some fields changed. A field whose new value is `left_out` is removed.
#[cfg(test)]
pub(crate) fn changed(mut base: Value, changes: &Value, left_out: &Value) -> Value {
    let fields = base.as_object_mut().unwrap();
    for (name, value) in changes.as_object().unwrap() {
        if value == left_out {
            fields.remove(name);
        } else {
            fields.insert(name.clone(), value.clone());
        }
    }
    base
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_amount_keeps_every_digit_whether_number_or_text() {
        let mut fields = Fields::parse(r#"{"a": 0.1000000000000000055, "b": "12.34"}"#).unwrap();
        assert_eq!(fields.literal("a").unwrap(), "0.1000000000000000055");
        assert_eq!(fields.literal("b").unwrap(), "12.34");
        assert!(fields.deny_unknown().is_ok());
    }

    #[test]
    fn every_error_names_its_field() {
        let mut fields = Fields::parse(r#"{"times": -1, "platform": 3, "odd": null}"#).unwrap();
        assert!(fields.number("times", 9).unwrap_err().contains("times"));
        assert!(fields.text("platform").unwrap_err().contains("platform"));
        assert!(fields.required("fault").unwrap_err().contains("fault"));
        assert!(fields.deny_unknown().unwrap_err().contains("odd"));
        assert!(Fields::parse("[]").is_err());
    }
}
