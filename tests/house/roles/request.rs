//! A request to AWS as IAM sees it: the action, the resource, and the values of the condition keys that roles use.

use serde_json::Value;
use shared::store::table_keys::{PARTITION, PARTITION_PREFIXES};
use std::collections::{BTreeMap, BTreeSet};

/// The attributes that decide on access and payment. A role withholds from writes those that its function never names.
pub(super) const GUARDED: [&str; 7] =
    ["access_token", "api_keys", "disabled", "grant_id", "payment_customer_id", "plan", "refresh_token"];

/// The action without a resource: IAM accepts it only on [`EVERYTHING`], and it grants no secret.
pub(super) const BATCH_OF_SECRETS: &str = "secretsmanager:BatchGetSecretValue";
/// The resource of actions that have none.
pub(super) const EVERYTHING: &str = "\"*\"";

/// A request. The parts of a transaction with one action are one request, so that one statement must allow them
/// together.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Request {
    pub(super) action: String,
    /// The resource, as the template names it.
    pub(super) resource: String,
    /// The families of the partition keys, such as `CUSTOMER#*`: `dynamodb:LeadingKeys`.
    pub(super) keys: BTreeSet<String>,
    /// The guarded attributes that the request names: `dynamodb:Attributes`.
    pub(super) attributes: BTreeSet<&'static str>,
}

impl Request {
    /// The requests that IAM checks for an operation.
    pub(super) fn of(operation: &str, body: &Value) -> Vec<Request> {
        match operation {
            "GetSecretValue" => vec![secret(&body["SecretId"])],
            "BatchGetSecretValue" => batch_of_secrets(body),
            "TransactWriteItems" | "TransactGetItems" => transaction(body),
            "Query" if body["IndexName"].is_string() => vec![index_query(body)],
            _ => vec![single(&format!("dynamodb:{operation}"), body)],
        }
    }
}

fn secret(id: &Value) -> Request {
    let name = id.as_str().expect("a name").rsplit('/').next().unwrap_or_default();
    let action = "secretsmanager:GetSecretValue".to_owned();
    Request { action, resource: name.to_owned(), ..Request::default() }
}

/// IAM checks the call itself, which has no resource, and the read of each secret.
fn batch_of_secrets(body: &Value) -> Vec<Request> {
    let call = Request { action: BATCH_OF_SECRETS.to_owned(), resource: EVERYTHING.to_owned(), ..Request::default() };
    let secrets = body["SecretIdList"].as_array().expect("names").iter().map(secret);
    secrets.chain([call]).collect()
}

/// The index holds keys only, and no role limits its keys.
fn index_query(body: &Value) -> Request {
    let resource = format!("Table/index/{}", body["IndexName"].as_str().unwrap_or_default());
    Request { action: "dynamodb:Query".to_owned(), resource, ..Request::default() }
}

/// The parts of a transaction, joined by their actions.
fn transaction(body: &Value) -> Vec<Request> {
    let mut joined: BTreeMap<String, Request> = BTreeMap::new();
    let parts = body["TransactItems"].as_array().expect("parts").iter().flat_map(|part| part.as_object());
    for (kind, part) in parts.flatten() {
        let Request { action, resource, keys, attributes } = single(&format!("dynamodb:{kind}Item"), part);
        let all = joined.entry(action.clone()).or_default();
        (all.action, all.resource) = (action, resource);
        all.keys.extend(keys);
        all.attributes.extend(attributes);
    }
    joined.into_values().collect()
}

fn single(action: &str, body: &Value) -> Request {
    let keys: BTreeSet<String> = partition_keys(body).into_iter().map(family).collect();
    assert!(!keys.is_empty(), "{action} without a partition key: {body}");
    Request { action: action.to_owned(), resource: "Table".to_owned(), keys, attributes: guarded_attributes(body) }
}

/// The partition keys that a request names: in a key, an item, the keys of a batch, or the condition of a query.
fn partition_keys(body: &Value) -> Vec<&str> {
    let batch = body["RequestItems"].as_object().into_iter().flat_map(|tables| tables.values());
    let batch = batch.flat_map(|table| match table.as_array() {
        Some(writes) => writes.iter().map(|write| &write["PutRequest"]["Item"]).collect::<Vec<_>>(),
        None => table["Keys"].as_array().expect("keys").iter().collect(),
    });
    let named = [&body["Key"], &body["Item"]].into_iter().chain(batch).filter_map(|key| key[PARTITION]["S"].as_str());
    let condition = body["KeyConditionExpression"].as_str();
    let value = condition.map(|condition| {
        let rest = condition.strip_prefix("pk = ").unwrap_or_else(|| panic!("an unknown form of query: {condition}"));
        let name = rest.split(' ').next().unwrap_or_default();
        body["ExpressionAttributeValues"][name]["S"].as_str().expect("a partition key")
    });
    named.chain(value).collect()
}

/// The pattern of the template that a partition key matches.
fn family(key: &str) -> String {
    let mut families = PARTITION_PREFIXES.iter().filter(|prefix| key.starts_with(**prefix));
    format!("{}*", families.next().unwrap_or_else(|| panic!("table_keys knows no family of {key}")))
}

/// The guarded attributes in an item, or in the expressions and the aliases of a request.
fn guarded_attributes(body: &Value) -> BTreeSet<&'static str> {
    let item = body["Item"].as_object().into_iter().flat_map(|item| item.keys().map(String::as_str));
    let aliases = body["ExpressionAttributeNames"].as_object().into_iter().flat_map(|names| names.values());
    let expressions = ["UpdateExpression", "ConditionExpression"].map(|name| body[name].as_str().unwrap_or_default());
    let in_expressions =
        expressions.into_iter().flat_map(|text| text.split(|c: char| !c.is_alphanumeric() && !"_#:".contains(c)));
    let named: BTreeSet<&str> = item.chain(aliases.filter_map(Value::as_str)).chain(in_expressions).collect();
    GUARDED.into_iter().filter(|attribute| named.contains(attribute)).collect()
}
