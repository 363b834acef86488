//! All records of a customer, for the operator: to export them, and to delete them with the customer.

use super::erasure::key_of;
use super::table_keys::{self, Key, SORT};
use super::{Item, Store, Values, store_error, text};
use crate::domain::erasure::{Walk, WalkPart};
use crate::domain::{Create, CustomerId, PersonId};
use crate::error::Error;
use crate::store::change::parse_change;
use aws_sdk_dynamodb::types::AttributeValue;
use serde_json::{Map, Value};

/// Records of a page.
const PAGE_SIZE: i32 = 200;
/// The sort key of the account. It is deleted last, so that a deletion that was cut off can be repeated.
const ACCOUNT: &str = "ACCOUNT";
/// Attributes that give access, encrypted or not. An export leaves them out.
const SECRETS: [&str; 6] = ["access_token", "refresh_token", "key_hash", "secret", "previous_secret", "last_session"];
/// Kinds of records whose keys give access.
const SECRET_KINDS: [&str; 2] = ["SESSION", "INVITATION"];

/// A page of a customer's records.
#[derive(Debug)]
pub struct CustomerPage<T> {
    pub records: T,
    /// The sort key of the last record that was read; `None` at the end of the partition.
    pub last: Option<String>,
}

impl Store {
    /// A page of the records of a customer as JSON, as they are stored, without what gives access.
    pub async fn export_page(&self, customer: CustomerId, walk: &Walk) -> Result<CustomerPage<Vec<Value>>, Error> {
        let (items, last) = self.page_of_walk(customer, walk, PAGE_SIZE).await?;
        let is_shown = |item: &&Item| !SECRET_KINDS.contains(&kind_of(&key_of(item)));
        Ok(CustomerPage { records: items.iter().filter(is_shown).map(object).collect(), last })
    }

    /// Deletes a page of the records of a customer but its account, with the records elsewhere that lead to it. Returns how
    /// many there were.
    pub async fn delete_page(&self, customer: CustomerId, walk: &Walk) -> Result<CustomerPage<usize>, Error> {
        let (items, last) = self.page_of_walk(customer, walk, PAGE_SIZE).await?;
        let mut deleted = 0;
        for item in items {
            let key = key_of(&item);
            if key.sk == ACCOUNT {
                continue;
            }
            self.delete_elsewhere(customer, &key, item).await?;
            self.delete(&key).await?;
            deleted += 1;
        }
        Ok(CustomerPage { records: deleted, last })
    }

    /// Deletes what stands in other partitions because of a record.
    async fn delete_elsewhere(&self, customer: CustomerId, key: &Key, item: Item) -> Result<(), Error> {
        match kind_of(key) {
            "CHANGE" => match Create::of(parse_change(customer, item)?) {
                Some(create) => self.forget_create(&create).await,
                None => Ok(()),
            },
            "PERSON" => {
                let person = key.sk.split_once('#').map(|(_, person)| person).unwrap_or_default();
                self.remove_person(customer, &PersonId(person.to_owned())).await.map(drop)
            }
            "BILLING" => match item.get("payment_customer_id").and_then(|id| id.as_s().ok()) {
                Some(id) => self.delete(&table_keys::payment_customer(id)).await,
                None => Ok(()),
            },
            _ => Ok(()),
        }
    }

    /// Deletes the account of a customer: the end of a deletion.
    pub async fn delete_account(&self, customer: CustomerId) -> Result<(), Error> {
        self.delete(&table_keys::account(customer)).await
    }

    /// A page of a partition of the customer, and the sort key of its last record unless the partition ends there.
    pub(super) async fn page_of_walk(
        &self,
        customer: CustomerId,
        walk: &Walk,
        size: i32,
    ) -> Result<(Vec<Item>, Option<String>), Error> {
        let pk = match walk.part {
            WalkPart::Records => table_keys::customer(customer),
            WalkPart::UsageLog => table_keys::usage_log(customer),
        };
        let start = walk.after.as_ref().map(|sk| Key { pk: pk.clone(), sk: sk.clone() }.attributes());
        let query = self
            .query()
            .key_condition_expression("pk = :pk")
            .value(":pk", text(pk))
            .set_exclusive_start_key(start)
            .consistent_read(true)
            .limit(size);
        let page = query.send().await.map_err(store_error)?;
        let last = page.last_evaluated_key.as_ref().and_then(|key| key.get(SORT)?.as_s().ok()).cloned();
        Ok((page.items.unwrap_or_default(), last))
    }
}

/// The kind of a record of a customer.
fn kind_of(key: &Key) -> &str {
    key.sk.split('#').next().unwrap_or_default()
}

fn object(attributes: &Item) -> Value {
    let shown = attributes.iter().filter(|(name, _)| !SECRETS.contains(&name.as_str()));
    let mut fields: Vec<(String, Value)> = shown.map(|(name, value)| (name.clone(), json(value))).collect();
    fields.sort_by(|a, b| a.0.cmp(&b.0));
    Value::Object(fields.into_iter().collect::<Map<_, _>>())
}

/// An attribute as JSON. A number stays the text that it is in the table, so that none is rounded.
fn json(value: &AttributeValue) -> Value {
    match value {
        AttributeValue::S(text) | AttributeValue::N(text) => Value::String(text.clone()),
        AttributeValue::Bool(is_set) => Value::Bool(*is_set),
        AttributeValue::L(values) => values.iter().map(json).collect(),
        AttributeValue::M(attributes) => object(attributes),
        AttributeValue::Ss(texts) | AttributeValue::Ns(texts) => texts.iter().cloned().collect(),
        _ => Value::Null,
    }
}

#[cfg(test)]
#[test]
fn an_export_has_no_secrets_and_rounds_nothing() {
    let text = |text: &str| AttributeValue::S(text.to_owned());
    let key = Item::from([("key_hash".to_owned(), text("h")), ("name".to_owned(), text("default"))]);
    let keys = Item::from([("key_1".to_owned(), AttributeValue::M(key))]);
    let item = Item::from([
        ("api_keys".to_owned(), AttributeValue::M(keys)),
        ("tat".to_owned(), AttributeValue::N("12345678901234567890".to_owned())),
        ("refresh_token".to_owned(), text("sealed")),
        ("types".to_owned(), AttributeValue::L(vec![text("*")])),
    ]);
    let shown = object(&item).to_string();
    assert_eq!(shown, r#"{"api_keys":{"key_1":{"name":"default"}},"tat":"12345678901234567890","types":["*"]}"#);
}
