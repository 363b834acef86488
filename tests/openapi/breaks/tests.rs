//! Twelve differences that break a program are found, and twelve additions are not.

use super::breaks;
use serde_json::{Value, json};

fn document() -> Value {
    json!({
        "paths": { "/things": {
            "get": {
                "parameters": [{ "name": "sort", "in": "query", "schema": { "type": "string", "enum": ["a", "b"] } }],
                "responses": { "200": {
                    "headers": { "Link": {} },
                    "content": { "application/json": { "schema": { "$ref": "#/components/schemas/Thing" } } }
                } }
            },
            "post": {
                "requestBody": { "required": true, "content": { "application/json": { "schema": {
                    "type": "object",
                    "properties": { "name": { "type": "string", "maxLength": 80 }, "size": { "type": "number" } },
                    "required": ["name"]
                } } } },
                "responses": { "201": { "description": "Made" }, "400": { "description": "Refused" } }
            }
        } },
        "webhooks": { "thing.made": { "post": { "requestBody": { "content": { "application/json": { "schema":
            { "$ref": "#/components/schemas/Thing" } } } } } } },
        "components": { "schemas": { "Thing": {
            "type": "object",
            "properties": {
                "id": { "type": "string" },
                "state": { "type": "string", "enum": ["new", "old"] },
                "parent": { "anyOf": [{ "$ref": "#/components/schemas/Thing" }, { "type": "null" }] }
            },
            "required": ["id", "state"]
        } } }
    })
}

const BODY: &str = "/paths/~1things/post/requestBody/content/application~1json/schema";
const THING: &str = "/components/schemas/Thing";
const GET: &str = "/paths/~1things/get";

/// The document with another value at a place; null takes the place away.
fn with(path: &str, value: Value) -> Value {
    let mut changed = document();
    let (parent, name) = path.rsplit_once('/').expect("a path");
    let parent = changed.pointer_mut(parent).unwrap_or_else(|| panic!("{path}"));
    match (parent, value) {
        (Value::Object(members), Value::Null) => drop(members.remove(&name.replace("~1", "/")).expect("a member")),
        (Value::Array(items), Value::Null) => drop(items.remove(name.parse().expect("a place"))),
        (Value::Array(items), value) => items.insert(name.parse().expect("a place"), value),
        (parent, value) => parent[name.replace("~1", "/")] = value,
    }
    changed
}

#[test]
fn twelve_breaks_are_refused() {
    for (path, value, words) in [
        ("/paths/~1things", Value::Null, "GET /things is gone"),
        ("/paths/~1things/post", Value::Null, "POST /things is gone"),
        ("/webhooks/thing.made", Value::Null, "the event thing.made is gone"),
        (&format!("{GET}/parameters/0"), Value::Null, "the parameter sort of GET /things is gone"),
        (&format!("{GET}/parameters/0/schema/enum/0"), Value::Null, "has no value \"a\" any more"),
        (
            &format!("{GET}/parameters/1"),
            json!({ "name": "of", "in": "query", "required": true, "schema": { "type": "string" } }),
            "GET /things needs the parameter of",
        ),
        (&format!("{GET}/responses/200/headers/Link"), Value::Null, "has no header Link"),
        (&format!("{THING}/properties/id"), Value::Null, "Thing has no field id any more"),
        (&format!("{THING}/required/1"), Value::Null, "the field state of Thing may be missing now"),
        (&format!("{THING}/properties/id/type"), json!(["string", "null"]), "the field id of Thing may be null"),
        (&format!("{BODY}/required/1"), json!("size"), "the field size of the body of POST /things is needed now"),
        (&format!("{BODY}/properties/name/maxLength"), json!(40), "has a narrower maxLength"),
    ] {
        let found = breaks(&document(), &with(path, value));
        assert!(found.iter().any(|one| one.contains(words)), "{path}: {found:?}");
    }
}

#[test]
fn twelve_additions_pass() {
    let text = || json!({ "type": "string" });
    for (path, value) in [
        ("/paths/~1others", json!({ "get": { "responses": {} } })),
        ("/paths/~1things/delete", json!({ "responses": {} })),
        ("/webhooks/thing.gone", json!({ "post": {} })),
        (&format!("{GET}/parameters/1"), json!({ "name": "of", "in": "query", "schema": text() })),
        (&format!("{GET}/parameters/0/schema/enum/2"), json!("c")),
        (&format!("{GET}/responses/200/headers/ETag"), json!({})),
        (&format!("{GET}/responses/202"), json!({ "description": "Waits" })),
        ("/paths/~1things/post/responses/400", Value::Null),
        (&format!("{THING}/properties/label"), text()),
        (&format!("{THING}/properties/state/enum/2"), json!("odd")),
        (&format!("{BODY}/properties/label"), text()),
        (&format!("{BODY}/properties/name/maxLength"), json!(120)),
    ] {
        assert_eq!(breaks(&document(), &with(path, value)), Vec::<String>::new(), "{path}");
    }
}
