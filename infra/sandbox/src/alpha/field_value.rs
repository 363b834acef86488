//! Values of fields, before they become JSON.

use super::proto;
use serde_json::{Map, Value, json};

/// A value of a field.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum FieldValue {
    Int(i64),
    Text(String),
    Bool(bool),
}

impl FieldValue {
    pub(crate) fn text(text: impl Into<String>) -> Self {
        Self::Text(text.into())
    }

    /// proto3 JSON encodes 64-bit integers as strings.
    pub(crate) fn json(&self) -> Value {
        match self {
            Self::Int(number) => json!(number.to_string()),
            Self::Text(text) => json!(text),
            Self::Bool(flag) => json!(flag),
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
