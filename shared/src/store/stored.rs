//! `stored.txt` has items as the table keeps them, one a line: a kind of record, then the item as JSON.
//!
//! A record outlives the code that wrote it. So a line changes only with a record that old and new code can both read.

use super::Item;
use aws_sdk_dynamodb::types::AttributeValue;
use serde_json::Value;
use std::collections::BTreeMap;

const STORED: &str = include_str!("stored.txt");

/// Asserts that the items are those of a kind in `stored.txt`, in their order.
pub(in crate::store) fn assert_stored(kind: &str, items: impl IntoIterator<Item = Item>) {
    let actual: Vec<String> = items.into_iter().map(|item| object(&item).to_string()).collect();
    let of_kind = |line: &'static str| line.strip_prefix(kind)?.strip_prefix(' ');
    if STORED.lines().filter_map(of_kind).ne(&actual) {
        let lines: Vec<String> = actual.iter().map(|item| format!("{kind} {item}")).collect();
        panic!("stored.txt has other items. Those of the code:\n{}\n", lines.join("\n"));
    }
}

/// The attributes of a record without a key of its own.
pub(in crate::store) fn attributes(record: &impl serde::Serialize) -> Item {
    serde_dynamo::to_item(record).unwrap()
}

fn object(item: &Item) -> Value {
    let sorted: BTreeMap<&String, &AttributeValue> = item.iter().collect();
    Value::Object(sorted.into_iter().map(|(name, value)| (name.clone(), json(value))).collect())
}

fn json(value: &AttributeValue) -> Value {
    match value {
        AttributeValue::S(text) => Value::String(text.clone()),
        AttributeValue::N(number) => Value::from(number.parse::<i64>().unwrap()),
        AttributeValue::Bool(is_set) => Value::Bool(*is_set),
        AttributeValue::L(values) => Value::Array(values.iter().map(json).collect()),
        AttributeValue::M(attributes) => object(attributes),
        AttributeValue::Null(_) => Value::Null,
        other => panic!("no record has {other:?}"),
    }
}
