//! Parses proto3 JSON as Google's JSON parser does, before any service sees the request.
//!
//! Protocol Buffers: ProtoJSON Format. Keys are lowerCamelCase or snake_case, 64-bit integers are strings or numbers,
//! and null counts as absent. A parsed message has snake_case keys and integers as numbers.

use super::message::{Message, Type};
use crate::alpha::failure::{Failure, Violation};
use serde_json::{Map, Value, json};

/// Parses a request body. An empty one is an empty message.
pub(crate) fn parse(body: &str, message: &'static Message) -> Result<Value, Failure> {
    let body = if body.trim().is_empty() { "{}" } else { body };
    let value: Value = serde_json::from_str(body).map_err(|error| {
        let description = format!("Invalid JSON payload received. Unexpected token.\n{error}");
        Failure::Json(vec![Violation { field: String::new(), description }])
    })?;
    let mut parser = Parser::default();
    let parsed = parser.message(&value, message, "");
    if !parser.violations.is_empty() {
        return Err(Failure::Json(parser.violations));
    }
    match parser.unsupported.first() {
        Some(path) => Err(Failure::Unsupported(format!("the field {path}"))),
        None => Ok(parsed),
    }
}

/// Collects every violation instead of stopping at the first.
#[derive(Default)]
struct Parser {
    violations: Vec<Violation>,
    /// Paths of fields that the sandbox does not support.
    unsupported: Vec<String>,
}

impl Parser {
    fn violation(&mut self, field: &str, description: String) -> Value {
        self.violations.push(Violation { field: field.to_owned(), description });
        Value::Null
    }

    fn type_mismatch(&mut self, path: &str, type_name: &str, value: &Value) -> Value {
        self.violation(path, format!("Invalid value at '{path}' ({type_name}), {value}"))
    }

    fn message(&mut self, value: &Value, message: &'static Message, path: &str) -> Value {
        let Value::Object(input) = value else {
            let place = if path.is_empty() { String::new() } else { format!(" at '{path}'") };
            let why = format!("Invalid JSON payload received. A message is expected{place}.");
            return self.violation(path, why);
        };
        let mut parsed = Map::new();
        let mut groups: Vec<&str> = Vec::new();
        for (key, value) in input {
            let Some(field) = message.field(key) else {
                let place = if path.is_empty() { String::new() } else { format!(" at '{path}'") };
                let why = format!("Invalid JSON payload received. Unknown name \"{key}\"{place}: Cannot find field.");
                self.violation(path, why);
                continue;
            };
            if value.is_null() {
                continue;
            }
            if let Some(group) = field.oneof {
                if groups.contains(&group) {
                    let why = format!(
                        "Invalid value at '{path}' (oneof), oneof field '{group}' is already set. \
                         Cannot set '{key}'"
                    );
                    self.violation(path, why);
                }
                groups.push(group);
            }
            let inner = join(path, field.name);
            let value = self.value(value, field.value_type, &inner);
            parsed.insert(field.name.to_owned(), value);
        }
        Value::Object(parsed)
    }

    fn value(&mut self, value: &Value, value_type: Type, path: &str) -> Value {
        match (value_type, value) {
            (Type::String, Value::String(_)) | (Type::Bool, Value::Bool(_)) | (Type::Double, Value::Number(_)) => {
                value.clone()
            }
            (Type::String, _) => self.type_mismatch(path, "TYPE_STRING", value),
            (Type::Bool, _) => self.type_mismatch(path, "TYPE_BOOL", value),
            (Type::Double, _) => self.type_mismatch(path, "TYPE_DOUBLE", value),
            (Type::Int64, _) => match int64(value) {
                Some(number) => json!(number),
                None => self.type_mismatch(path, "TYPE_INT64", value),
            },
            (Type::Enum(enum_type), Value::String(name)) if enum_type.contains(name) => value.clone(),
            (Type::Enum(enum_type), _) => self.type_mismatch(path, &enum_type.type_url(), value),
            (Type::Message(message), _) => self.message(value, message, path),
            (Type::Repeated(message), Value::Array(items)) => {
                let items = items.iter().enumerate();
                items.map(|(at, item)| self.message(item, message, &format!("{path}[{at}]"))).collect()
            }
            (Type::Repeated(_), _) => self.type_mismatch(path, "TYPE_MESSAGE", value),
            (Type::FieldMask, Value::String(paths)) => field_mask(paths),
            (Type::FieldMask, _) => self.type_mismatch(path, "type.googleapis.com/google.protobuf.FieldMask", value),
            (Type::Unsupported, _) => {
                self.unsupported.push(path.to_owned());
                Value::Null
            }
        }
    }
}

fn join(path: &str, name: &str) -> String {
    if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") }
}

fn int64(value: &Value) -> Option<i64> {
    match value {
        Value::Number(number) => number.as_i64(),
        Value::String(text) if !text.starts_with('+') => text.parse().ok(),
        _ => None,
    }
}

/// The paths of a field mask in snake_case.
fn field_mask(paths: &str) -> Value {
    let snake = |path: &str| {
        let mut name = String::new();
        for letter in path.trim().chars() {
            if letter.is_ascii_uppercase() {
                name.push('_');
            }
            name.push(letter.to_ascii_lowercase());
        }
        name
    };
    paths.split(',').filter(|path| !path.trim().is_empty()).map(snake).collect()
}

#[cfg(test)]
mod tests {
    use super::super::message::Field;
    use super::*;

    static INNER: Message = Message(&[
        Field::new("amount_micros", Type::Int64),
        Field::new("first", Type::String).oneof("one"),
        Field::new("second", Type::String).oneof("one"),
        Field::new("later", Type::Unsupported),
    ]);
    static OUTER: Message =
        Message(&[Field::new("items", Type::Repeated(&INNER)), Field::new("update_mask", Type::FieldMask)]);

    fn violations(body: &str) -> Vec<String> {
        match parse(body, &OUTER) {
            Err(Failure::Json(list)) => list.into_iter().map(|one| one.description).collect(),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn both_key_styles_and_both_integer_encodings_are_parsed() {
        let parsed = parse(r#"{"items":[{"amountMicros":"5"},{"amount_micros":6}]}"#, &OUTER);
        assert_eq!(parsed.unwrap(), json!({"items": [{"amount_micros": 5}, {"amount_micros": 6}]}));
    }

    #[test]
    fn an_unknown_name_is_rejected_with_its_path() {
        let why = violations(r#"{"odd":1,"items":[{"Amount":1}]}"#);
        assert!(why.iter().any(|why| why.ends_with("Unknown name \"odd\": Cannot find field.")), "{why:?}");
        assert!(why.iter().any(|why| why.contains("\"Amount\" at 'items[0]'")), "{why:?}");
    }

    #[test]
    fn type_mismatches_second_oneof_fields_and_invalid_json_are_rejected() {
        let why = violations(r#"{"items":[{"amountMicros":1.5,"first":"a","second":"b"}]}"#);
        assert!(why[0].contains("(TYPE_INT64), 1.5"), "{why:?}");
        assert!(why[1].contains("oneof field 'one' is already set"), "{why:?}");
        assert!(violations("{")[0].contains("Unexpected token"));
        assert!(violations("[]")[0].contains("A message is expected"));
    }

    #[test]
    fn a_field_mask_may_be_camel_or_snake_case() {
        let parsed = parse(r#"{"updateMask":"amountMicros,network_settings.targetGoogleSearch"}"#, &OUTER);
        let mask = json!(["amount_micros", "network_settings.target_google_search"]);
        assert_eq!(parsed.unwrap()["update_mask"], mask);
    }

    #[test]
    fn an_unsupported_field_is_named() {
        let failure = parse(r#"{"items":[{"later":{}}]}"#, &OUTER).unwrap_err();
        assert_eq!(failure, Failure::Unsupported("the field items[0].later".to_owned()));
    }
}
