//! The keys of a customer's assistants, one item beside the account (D225). Each request writes the account, and a write
//! costs by size. So a hundred assistants make no request of an API key dearer. A request of an assistant reads this item
//! first.

use super::keys::{KeyMap, StoredKeys, parse_keys};
use crate::domain::{ApiKeys, CustomerId};
use crate::error::Error;
use crate::store::transactions::{check_write, update_write};
use crate::store::{Item, Store, Values, from_item, table_keys};
use aws_sdk_dynamodb::types::{ConditionCheck, TransactWriteItem};
use serde::Deserialize;

#[derive(Deserialize)]
struct AssistantKeysItem {
    api_keys: KeyMap,
}

impl Store {
    /// The keys of a customer's assistants, by a consistent read.
    pub async fn assistant_keys(&self, customer: CustomerId) -> Result<ApiKeys, Error> {
        let item = self.read(&table_keys::assistant_keys(customer)).await?;
        item.map_or_else(|| Ok(ApiKeys::none()), parse_assistant_keys)
    }

    /// Replaces the keys of assistants that were seen, as part of a transaction.
    pub(super) fn assistant_keys_write(
        &self,
        customer: CustomerId,
        seen: &StoredKeys,
        changed: &StoredKeys,
    ) -> Result<TransactWriteItem, Error> {
        // Without an assistant the item is empty, or was never written.
        let is_as_seen = if seen.has_assistants {
            "api_keys = :seen_keys"
        } else {
            "attribute_not_exists(pk) OR api_keys = :seen_keys"
        };
        let update = self
            .update_item(&table_keys::assistant_keys(customer))
            .update_expression("SET api_keys = :keys")
            .condition_expression(is_as_seen)
            .values([(":keys", changed.of_assistants.clone()), (":seen_keys", seen.of_assistants.clone())]);
        update_write(update)
    }

    /// The condition that the keys in the account are those that were seen: they decide who may change an assistant.
    pub(super) fn own_keys_check(&self, customer: CustomerId, seen: &StoredKeys) -> Result<TransactWriteItem, Error> {
        let check = ConditionCheck::builder()
            .table_name(&self.table)
            .set_key(Some(table_keys::account(customer).attributes()))
            .condition_expression("api_keys = :seen_keys")
            .expression_attribute_values(":seen_keys", seen.own.clone());
        check_write(check)
    }
}

pub(super) fn parse_assistant_keys(item: Item) -> Result<ApiKeys, Error> {
    from_item(item).map(|AssistantKeysItem { api_keys }| parse_keys(api_keys))
}
