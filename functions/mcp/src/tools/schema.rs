//! The schemas of arguments and answers. Those of answers come from the components of the OpenAPI document, so that a
//! tool and a request cannot differ.

use serde_json::{Map, Value, json};
use shared::domain::Platform;
use shared::envelope::openapi;
use std::sync::LazyLock;

/// Values that several arguments share.
static VALUES: LazyLock<Value> = LazyLock::new(|| parse(include_str!("values.json")));
/// The answers of the tools; `change` is that of every change.
static OUTPUTS: LazyLock<Value> = LazyLock::new(|| parse(include_str!("outputs.json")));
/// The OpenAPI document.
static DOCUMENT: LazyLock<Value> = LazyLock::new(|| parse(openapi::document()));

/// Texts that an answer's schema does not need: the agent reads the answer.
const TEXTS: [&str; 8] = ["description", "examples", "example", "default", "format", "pattern", "minLength", "minimum"];

/// Most names of a list in an answer's schema. A longer one, as of all reasons of errors, is left out.
const MAX_NAMES: usize = 20;

fn parse(json: &str) -> Value {
    serde_json::from_str(json).unwrap_or_default()
}

/// The schema of a tool's arguments. Every reference is replaced by what it names, which every client understands.
pub(super) fn input(schema: &Value) -> Value {
    let mut schema = inlined(schema, &|name| value(name.strip_prefix("#/$defs/")?));
    if let Value::Object(members) = &mut schema
        && members.remove("confirmed").is_some()
    {
        confirm(members);
    }
    schema
}

fn value(name: &str) -> Option<Value> {
    match name {
        "platform" => {
            let mut platform = VALUES.get(name)?.clone();
            platform["enum"] = json!(Platform::ALL.map(Platform::as_str));
            let names = Platform::ALL.map(|one| format!("{one} is {}", one.display_name())).join(", ");
            platform["description"] =
                json!(platform["description"].as_str().unwrap_or_default().replace("{names}", &names));
            Some(platform)
        }
        _ => VALUES.get(name).cloned(),
    }
}

/// Adds the token to the arguments of a change.
fn confirm(members: &mut Map<String, Value>) {
    if let Some(Value::Object(properties)) = members.get_mut("properties") {
        properties.insert("confirm_token".to_owned(), VALUES["confirm_token"].clone());
    }
    if let Some(Value::Array(required)) = members.get_mut("required") {
        required.push("confirm_token".into());
    }
}

/// The schema of a tool's answer: of a success or of an error. Some clients check errors too.
pub(super) fn output(tool: &str) -> Value {
    let success = OUTPUTS.get(tool).or_else(|| OUTPUTS.get("change")).cloned().unwrap_or_default();
    let success = inlined(&success, &|name| DOCUMENT.pointer(name.strip_prefix('#')?).cloned());
    let text = json!({ "type": "string" });
    let error =
        json!({ "required": ["error", "code", "next"], "properties": { "error": text, "code": text, "next": text } });
    json!({ "type": "object", "anyOf": [without_texts(success), error] })
}

/// A schema without references. Members beside a reference are added to what it names: `pick` keeps some of its
/// properties, and `also` adds others.
fn inlined(schema: &Value, find: &dyn Fn(&str) -> Option<Value>) -> Value {
    match schema {
        Value::Object(members) => {
            let named = members.get("$ref").and_then(Value::as_str).and_then(find);
            let mut merged = match named {
                Some(named) => match inlined(&named, find) {
                    Value::Object(named) => named,
                    other => return other,
                },
                None => Map::new(),
            };
            for (name, value) in members {
                match name.as_str() {
                    "$ref" => {}
                    "pick" => pick_properties(&mut merged, value),
                    "also" => extend_properties(&mut merged, value),
                    _ => {
                        merged.insert(name.clone(), inlined(value, find));
                    }
                }
            }
            Value::Object(merged)
        }
        Value::Array(items) => items.iter().map(|item| inlined(item, find)).collect(),
        other => other.clone(),
    }
}

fn pick_properties(schema: &mut Map<String, Value>, names: &Value) {
    if let (Some(Value::Object(properties)), Value::Array(names)) = (schema.get_mut("properties"), names) {
        properties.retain(|name, _| names.iter().any(|kept| kept == name));
    }
}

fn extend_properties(schema: &mut Map<String, Value>, added: &Value) {
    if let (Some(Value::Object(properties)), Value::Object(added)) = (schema.get_mut("properties"), added) {
        properties.extend(added.clone());
    }
}

/// A schema without the texts that explain it, and with one type for each value, as some clients need it. A property may
/// be called as one of the texts is.
fn without_texts(schema: Value) -> Value {
    match schema {
        Value::Object(members) => {
            if let Some(Value::Array(types)) = members.get("type") {
                return one_of_types(types, &members);
            }
            let is_text = |name: &str, value: &Value| TEXTS.contains(&name) && !value.is_object();
            let is_long = |value: &Value| value.as_array().is_some_and(|names| names.len() > MAX_NAMES);
            let kept = members
                .into_iter()
                .filter(|(name, value)| !is_text(name, value) && (name != "enum" || !is_long(value)));
            kept.map(|(name, value)| (name, without_texts(value))).collect()
        }
        Value::Array(items) => items.into_iter().map(without_texts).collect(),
        other => other,
    }
}

/// Splits a schema with several types into one schema per type. The constraints go to the first type, because null
/// needs none.
fn one_of_types(types: &[Value], members: &Map<String, Value>) -> Value {
    let of_type = |(place, name): (usize, &Value)| {
        let mut one = if place == 0 { members.clone() } else { Map::new() };
        one.insert("type".to_owned(), name.clone());
        without_texts(Value::Object(one))
    };
    json!({ "anyOf": types.iter().enumerate().map(of_type).collect::<Vec<_>>() })
}
