//! Reads the `due` index: the records that maintenance has to handle.

use super::{Item, Store, number, store_error, table_keys, text};
use crate::domain::{ConnectionId, CustomerId, GrantId, IntentId};
use crate::error::Error;
use jiff::Timestamp;

impl Store {
    /// Grants that are due, oldest first.
    pub async fn due_grants(&self, until: Timestamp, limit: i32) -> Result<Vec<(CustomerId, GrantId)>, Error> {
        let items = self.due(table_keys::DUE_GRANT, until, limit).await?;
        items.iter().map(|item| parse_due(item, table_keys::parse_grant_sk)).collect()
    }

    /// Expired PENDING connections, oldest first.
    pub async fn expired_pending(
        &self,
        until: Timestamp,
        limit: i32,
    ) -> Result<Vec<(CustomerId, ConnectionId)>, Error> {
        let items = self.due(table_keys::DUE_PENDING, until, limit).await?;
        items.iter().map(|item| parse_due(item, table_keys::parse_pending_sk)).collect()
    }

    /// Intents with an unknown outcome and no request in progress, oldest first.
    pub async fn due_intents(&self, until: Timestamp, limit: i32) -> Result<Vec<(CustomerId, IntentId)>, Error> {
        let items = self.due(table_keys::DUE_INTENT, until, limit).await?;
        items.iter().map(|item| parse_due(item, table_keys::parse_intent_sk)).collect()
    }

    async fn due(&self, kind: &str, until: Timestamp, limit: i32) -> Result<Vec<Item>, Error> {
        let query = self
            .client
            .query()
            .table_name(&self.table)
            .index_name(table_keys::DUE_INDEX)
            .key_condition_expression("due_kind = :kind AND due_at <= :until")
            .expression_attribute_values(":kind", text(kind))
            .expression_attribute_values(":until", number(until.as_second()))
            .limit(limit);
        Ok(query.send().await.map_err(store_error)?.items.unwrap_or_default())
    }
}

/// Parses the key of an index entry.
fn parse_due<T>(item: &Item, id: impl Fn(&str) -> Option<T>) -> Result<(CustomerId, T), Error> {
    let of = |name: &str| item.get(name).and_then(|value| value.as_s().ok()).map(String::as_str).unwrap_or_default();
    let both = table_keys::parse_customer_pk(of(table_keys::PARTITION)).zip(id(of(table_keys::SORT)));
    both.ok_or_else(|| Error::internal("an entry of the due index has a malformed key"))
}
