//! proto3 JSON as Google's front end parses it: strict about names and types, before any service
//! sees the request.
//!
//! Protocol Buffers: ProtoJSON Format. Keys may be lowerCamelCase or the original snake_case,
//! 64-bit integers text or number, null is as good as absent; a message comes out with
//! snake_case keys and integers as numbers.

use serde_json::{Map, Value, json};

use super::error::{Failure, Violation};

/// The fields of a message.
#[derive(Debug)]
pub(crate) struct Message(pub(crate) &'static [Field]);

/// An enum: its full type name and its constants.
#[derive(Debug)]
pub(crate) struct Choice {
    pub(crate) type_name: &'static str,
    pub(crate) values: &'static [&'static str],
}

#[derive(Debug, Clone, Copy)]
pub(crate) enum Kind {
    Text,
    Int64,
    Bool,
    Double,
    Choice(&'static Choice),
    Message(&'static Message),
    /// A repeated message.
    List(&'static Message),
    /// `google.protobuf.FieldMask`.
    Mask,
    /// The real platform has it, the sandbox does not imitate it.
    Unimitated,
}

/// Who may write a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Writable {
    Always,
    OnCreate,
    Never,
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Field {
    /// Snake case, as in the message's definition.
    pub(crate) name: &'static str,
    pub(crate) kind: Kind,
    pub(crate) writable: Writable,
    /// The group of which only one field may be set.
    pub(crate) oneof: Option<&'static str>,
}

impl Field {
    pub(crate) const fn new(name: &'static str, kind: Kind) -> Self {
        Self { name, kind, writable: Writable::Always, oneof: None }
    }

    /// Set when the resource is made, never after.
    pub(crate) const fn immutable(self) -> Self {
        Self { writable: Writable::OnCreate, ..self }
    }

    /// Set by the platform alone.
    pub(crate) const fn output(self) -> Self {
        Self { writable: Writable::Never, ..self }
    }

    pub(crate) const fn oneof(self, group: &'static str) -> Self {
        Self { oneof: Some(group), ..self }
    }
}

impl Message {
    /// A field by its snake_case or lowerCamelCase name.
    pub(crate) fn field(&self, key: &str) -> Option<&'static Field> {
        self.0.iter().find(|field| field.name == key || camel(field.name) == key)
    }
}

/// `amount_micros` is `amountMicros`.
pub(crate) fn camel(snake: &str) -> String {
    let mut words = snake.split('_');
    let mut name = words.next().unwrap_or_default().to_owned();
    for word in words {
        let mut letters = word.chars();
        name.extend(letters.next().map(|first| first.to_ascii_uppercase()));
        name.push_str(letters.as_str());
    }
    name
}

/// Puts a value where a snake_case path leads, under lowerCamelCase keys.
pub(crate) fn insert(object: &mut Map<String, Value>, path: &str, value: Value) {
    let Some((first, rest)) = path.split_once('.') else {
        object.insert(camel(path), value);
        return;
    };
    let inner = object.entry(camel(first)).or_insert_with(|| json!({}));
    if let Value::Object(inner) = inner {
        insert(inner, rest, value);
    }
}

/// A path with every name in lowerCamelCase.
pub(crate) fn camel_path(path: &str) -> String {
    path.split('.').map(camel).collect::<Vec<_>>().join(".")
}

/// Reads a request body; an empty one is an empty message.
pub(crate) fn parse(body: &str, message: &'static Message) -> Result<Value, Failure> {
    let body = if body.trim().is_empty() { "{}" } else { body };
    let value: Value = serde_json::from_str(body).map_err(|error| {
        let description = format!("Invalid JSON payload received. Unexpected token.\n{error}");
        Failure::Json(vec![Violation { field: String::new(), description }])
    })?;
    let mut reader = Reader::default();
    let read = reader.message(&value, message, "");
    if !reader.violations.is_empty() {
        return Err(Failure::Json(reader.violations));
    }
    match reader.unimitated.first() {
        Some(path) => Err(Failure::Unimitated(format!("the field {path}"))),
        None => Ok(read),
    }
}

#[derive(Default)]
struct Reader {
    violations: Vec<Violation>,
    unimitated: Vec<String>,
}

impl Reader {
    fn refuse(&mut self, field: &str, description: String) -> Value {
        self.violations.push(Violation { field: field.to_owned(), description });
        Value::Null
    }

    fn wrong(&mut self, path: &str, type_name: &str, value: &Value) -> Value {
        self.refuse(path, format!("Invalid value at '{path}' ({type_name}), {value}"))
    }

    fn message(&mut self, value: &Value, message: &'static Message, path: &str) -> Value {
        let Value::Object(given) = value else {
            let place = if path.is_empty() { String::new() } else { format!(" at '{path}'") };
            let why = format!("Invalid JSON payload received. A message is expected{place}.");
            return self.refuse(path, why);
        };
        let mut read = Map::new();
        let mut groups: Vec<&str> = Vec::new();
        for (key, value) in given {
            let Some(field) = message.field(key) else {
                let place = if path.is_empty() { String::new() } else { format!(" at '{path}'") };
                let why = format!("Invalid JSON payload received. Unknown name \"{key}\"{place}: Cannot find field.");
                self.refuse(path, why);
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
                    self.refuse(path, why);
                }
                groups.push(group);
            }
            let inner = join(path, field.name);
            let value = self.value(value, field.kind, &inner);
            read.insert(field.name.to_owned(), value);
        }
        Value::Object(read)
    }

    fn value(&mut self, value: &Value, kind: Kind, path: &str) -> Value {
        match (kind, value) {
            (Kind::Text, Value::String(_)) | (Kind::Bool, Value::Bool(_)) | (Kind::Double, Value::Number(_)) => {
                value.clone()
            }
            (Kind::Text, _) => self.wrong(path, "TYPE_STRING", value),
            (Kind::Bool, _) => self.wrong(path, "TYPE_BOOL", value),
            (Kind::Double, _) => self.wrong(path, "TYPE_DOUBLE", value),
            (Kind::Int64, _) => match int64(value) {
                Some(number) => json!(number),
                None => self.wrong(path, "TYPE_INT64", value),
            },
            (Kind::Choice(choice), Value::String(name)) if choice.values.contains(&name.as_str()) => value.clone(),
            (Kind::Choice(choice), _) => {
                let type_name = format!("type.googleapis.com/{}", choice.type_name);
                self.wrong(path, &type_name, value)
            }
            (Kind::Message(message), _) => self.message(value, message, path),
            (Kind::List(message), Value::Array(items)) => {
                let items = items.iter().enumerate();
                items.map(|(at, item)| self.message(item, message, &format!("{path}[{at}]"))).collect()
            }
            (Kind::List(_), _) => self.wrong(path, "TYPE_MESSAGE", value),
            (Kind::Mask, Value::String(paths)) => mask(paths),
            (Kind::Mask, _) => self.wrong(path, "type.googleapis.com/google.protobuf.FieldMask", value),
            (Kind::Unimitated, _) => {
                self.unimitated.push(path.to_owned());
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

/// The paths of a field mask, every capital turned into an underscore and its small letter.
fn mask(paths: &str) -> Value {
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
    use super::*;

    static INNER: Message = Message(&[
        Field::new("amount_micros", Kind::Int64),
        Field::new("first", Kind::Text).oneof("one"),
        Field::new("second", Kind::Text).oneof("one"),
        Field::new("later", Kind::Unimitated),
    ]);
    static OUTER: Message = Message(&[Field::new("items", Kind::List(&INNER)), Field::new("update_mask", Kind::Mask)]);

    fn refusals(body: &str) -> Vec<String> {
        match parse(body, &OUTER) {
            Err(Failure::Json(list)) => list.into_iter().map(|one| one.description).collect(),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn both_spellings_and_both_forms_of_an_integer_are_read() {
        let read = parse(r#"{"items":[{"amountMicros":"5"},{"amount_micros":6}]}"#, &OUTER);
        assert_eq!(read.unwrap(), json!({"items": [{"amount_micros": 5}, {"amount_micros": 6}]}));
    }

    #[test]
    fn an_unknown_name_is_refused_with_its_place() {
        let why = refusals(r#"{"odd":1,"items":[{"Amount":1}]}"#);
        assert!(why.iter().any(|why| why.ends_with("Unknown name \"odd\": Cannot find field.")), "{why:?}");
        assert!(why.iter().any(|why| why.contains("\"Amount\" at 'items[0]'")), "{why:?}");
    }

    #[test]
    fn a_wrong_type_a_second_of_a_oneof_and_broken_json_are_refused() {
        let why = refusals(r#"{"items":[{"amountMicros":1.5,"first":"a","second":"b"}]}"#);
        assert!(why[0].contains("(TYPE_INT64), 1.5"), "{why:?}");
        assert!(why[1].contains("oneof field 'one' is already set"), "{why:?}");
        assert!(refusals("{")[0].contains("Unexpected token"));
        assert!(refusals("[]")[0].contains("A message is expected"));
    }

    #[test]
    fn a_mask_is_read_in_camel_and_snake_case() {
        let read = parse(r#"{"updateMask":"amountMicros,network_settings.targetGoogleSearch"}"#, &OUTER);
        let mask = json!(["amount_micros", "network_settings.target_google_search"]);
        assert_eq!(read.unwrap()["update_mask"], mask);
    }

    #[test]
    fn what_is_not_imitated_is_said_to_be_so() {
        let failure = parse(r#"{"items":[{"later":{}}]}"#, &OUTER).unwrap_err();
        assert_eq!(failure, Failure::Unimitated("the field items[0].later".to_owned()));
    }
}
