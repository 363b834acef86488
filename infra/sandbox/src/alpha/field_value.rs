//! Values of fields, before they become JSON.

use super::proto;
use crate::money::decimal;
use serde_json::{Map, Value, json};

/// A value of a field.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum FieldValue {
    Int(i64),
    /// A double, in micros.
    Double(i64),
    Text(String),
    Bool(bool),
    /// A repeated enum.
    Words(Vec<String>),
    /// A repeated message, as JSON.
    Json(String),
}

impl FieldValue {
    pub(crate) fn text(text: impl Into<String>) -> Self {
        Self::Text(text.into())
    }

    /// A repeated enum; `None` for an empty one, which proto3 JSON leaves out.
    pub(crate) fn words(words: &[String]) -> Option<Self> {
        (!words.is_empty()).then(|| Self::Words(words.to_vec()))
    }

    /// Whether it is the number zero.
    pub(crate) fn is_zero(&self) -> bool {
        matches!(self, Self::Int(0) | Self::Double(0))
    }

    /// proto3 JSON encodes 64-bit integers as strings, and doubles as numbers.
    pub(crate) fn json(&self) -> Value {
        match self {
            Self::Int(number) => json!(number.to_string()),
            Self::Double(micros) => serde_json::from_str(&decimal(*micros, 0)).unwrap_or_default(),
            Self::Text(text) => json!(text),
            Self::Bool(flag) => json!(flag),
            Self::Words(words) => json!(words),
            Self::Json(text) => serde_json::from_str(text).unwrap_or_default(),
        }
    }
}

/// A JSON object with the fields that have a value.
pub(crate) fn object<'f>(fields: &[&'f str], value: impl Fn(&'f str) -> Option<FieldValue>) -> Map<String, Value> {
    let mut object = Map::new();
    for field in fields {
        if let Some(value) = value(field) {
            proto::insert(&mut object, field, value.json());
        }
    }
    object
}
