//! Every object, union and enumeration of the OpenAPI document is a component. A generator of clients makes up a name
//! for any other: `InlineObject2AllOfError`.

use super::contract::document;
use serde_json::{Value, json};

/// The keywords whose value is a schema, a list of schemas, or a map of schemas.
const WITH_SCHEMA: [&str; 5] = ["additionalProperties", "items", "not", "schema", "contains"];
const WITH_SCHEMAS: [&str; 3] = ["allOf", "anyOf", "oneOf"];
const WITH_NAMED_SCHEMAS: [&str; 2] = ["patternProperties", "properties"];

/// Collects the paths of schemas below a value that need a name and have none.
fn add_nameless(value: &Value, path: &str, found: &mut Vec<String>) {
    let members = value.as_object().into_iter().flatten().map(|(name, value)| (name.clone(), value));
    let items = value.as_array().into_iter().flatten().enumerate().map(|(index, value)| (index.to_string(), value));
    for (name, member) in members.chain(items) {
        let path = format!("{path}/{name}");
        match name.as_str() {
            // These hold values, and schemas of which no generator makes a model.
            "example" | "examples" | "default" | "enum" | "const" | "headers" => continue,
            keyword if WITH_SCHEMA.contains(&keyword) => add_if_nameless(member, &path, found),
            keyword if WITH_SCHEMAS.contains(&keyword) => {
                member.as_array().into_iter().flatten().for_each(|schema| add_if_nameless(schema, &path, found));
            }
            keyword if WITH_NAMED_SCHEMAS.contains(&keyword) => {
                for (name, schema) in member.as_object().into_iter().flatten() {
                    add_if_nameless(schema, &format!("{path}/{name}"), found);
                }
            }
            _ => {}
        }
        add_nameless(member, &path, found);
    }
}

fn add_if_nameless(schema: &Value, path: &str, found: &mut Vec<String>) {
    let has_own_type =
        ["properties", "enum", "const", "allOf", "oneOf"].iter().any(|keyword| schema.get(keyword).is_some());
    let is_union = schema.get("anyOf").is_some() && !is_nullable_reference(schema);
    if has_own_type || is_union || schema["type"] == "object" {
        found.push(path.to_owned());
    }
}

/// `null`, or a component: generators make the field optional and need no name.
fn is_nullable_reference(schema: &Value) -> bool {
    schema["anyOf"].as_array().is_some_and(|choices| {
        choices.len() == 2 && choices[0].get("$ref").is_some() && choices[1] == json!({ "type": "null" })
    })
}

fn nameless(document: &Value) -> Vec<String> {
    let mut found = Vec::new();
    add_nameless(document, "#", &mut found);
    found
}

#[test]
fn every_object_union_and_enumeration_has_a_name() {
    assert_eq!(nameless(document()), Vec::<String>::new());
}

#[test]
fn the_check_finds_a_schema_without_a_name() {
    let media = |schema: Value| json!({ "application/json": { "schema": schema } });
    for schema in [
        json!({ "type": "object" }),
        json!({ "type": "string", "enum": ["a"] }),
        json!({ "type": "boolean", "const": true }),
        json!({ "oneOf": [{ "$ref": "#/a" }, { "$ref": "#/b" }] }),
        json!({ "allOf": [{ "$ref": "#/a" }] }),
        json!({ "anyOf": [{ "$ref": "#/a" }, { "$ref": "#/b" }] }),
    ] {
        assert_eq!(nameless(&media(schema.clone())), ["#/application/json/schema"], "{schema}");
        let nested =
            json!({ "components": { "schemas": { "A": { "type": "object", "properties": { "a": schema } } } } });
        assert_eq!(nameless(&nested), ["#/components/schemas/A/properties/a"], "{schema}");
    }
    for schema in [
        json!({ "$ref": "#/a" }),
        json!({ "type": ["string", "null"] }),
        json!({ "type": "array", "items": { "$ref": "#/a" } }),
        json!({ "anyOf": [{ "$ref": "#/a" }, { "type": "null" }] }),
    ] {
        assert_eq!(nameless(&media(schema.clone())), Vec::<String>::new(), "{schema}");
    }
}
