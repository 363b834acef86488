//! Field names in snake_case and lowerCamelCase.

use serde_json::{Map, Value, json};

/// Converts `amount_micros` to `amountMicros`.
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

/// Inserts a value at a snake_case path, with lowerCamelCase keys.
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

/// Converts every name of a path to lowerCamelCase.
pub(crate) fn camel_path(path: &str) -> String {
    path.split('.').map(camel).collect::<Vec<_>>().join(".")
}
