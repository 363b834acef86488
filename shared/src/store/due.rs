//! The `due` index: the records that maintenance has to handle.
//!
//! A partition of an index accepts about 1,000 writes per second, and throttles the writes to the table beyond. Changes
//! are therefore in several partitions (shards), by a hash of their id. One partition suffices for each queue of
//! grants: a refresh moves its entry with two writes, and a run of maintenance, with 64 refreshes of 300 ms in flight,
//! makes 430 writes per second.

use super::{Item, Store, Values, number, store_error, table_keys, text};
use crate::domain::{
    CampaignId, ChangeId, ConnectionId, CustomerId, EndpointId, EventId, ExternalRef, GrantId, GrantQueue, KeyId,
};
use crate::error::Error;
use futures_util::stream::{self, Stream, StreamExt};
use jiff::Timestamp;

/// Shards of the changes, of events and of deliveries. A change writes its entry and removes it: 500 creates per second and shard. It costs 10 write
/// units, and the default quota of a table is 40,000 per second: 4,000 creates. Each shard is a query of an idle run.
const CHANGE_SHARDS: u8 = 8;
/// Entries per query. A run holds at most one page of each shard in memory, about 150 bytes an entry.
const PAGE_SIZE: i32 = 100;

/// The key of a due record, or the reason why a shard could not be read. The other shards continue.
pub type DueRecord<T> = Result<(CustomerId, T), Error>;

/// `due_kind` of a grant.
pub(super) fn grant_kind(queue: GrantQueue) -> &'static str {
    match queue {
        GrantQueue::Rotating => table_keys::DUE_ROTATING,
        GrantQueue::Other => table_keys::DUE_GRANT,
    }
}

/// The queue of a grant by its `due_kind`.
pub(super) fn parse_queue(kind: &str) -> GrantQueue {
    if kind == table_keys::DUE_ROTATING { GrantQueue::Rotating } else { GrantQueue::Other }
}

/// `due_kind` of a change without an outcome.
pub(super) fn change_kind(id: ChangeId) -> String {
    shard_of(table_keys::DUE_CHANGE, id.shard(CHANGE_SHARDS))
}

/// `due_kind` of a change that waits for its time.
pub(super) fn scheduled_kind(id: ChangeId) -> String {
    shard_of(table_keys::DUE_SCHEDULED, id.shard(CHANGE_SHARDS))
}

/// `due_kind` of an event whose deliveries are not stored yet.
pub(super) fn event_kind(id: EventId) -> String {
    shard_of(table_keys::DUE_EVENT, id.shard(CHANGE_SHARDS))
}

/// `due_kind` of a delivery of an event.
pub(super) fn delivery_kind(id: EventId) -> String {
    shard_of(table_keys::DUE_DELIVERY, id.shard(CHANGE_SHARDS))
}

fn shard_of(kind: &str, shard: u8) -> String {
    format!("{kind}#{shard:02}")
}

/// All partitions of a kind.
fn shards(kind: &'static str) -> impl Iterator<Item = String> {
    (0..CHANGE_SHARDS).map(move |shard| shard_of(kind, shard))
}

impl Store {
    /// Grants of a queue that are due, oldest first.
    pub fn due_grants(&self, queue: GrantQueue, until: Timestamp) -> impl Stream<Item = DueRecord<GrantId>> + use<> {
        self.due([grant_kind(queue).to_owned()].into_iter(), until, table_keys::parse_grant_sk)
    }

    /// Expired PENDING connections, oldest first.
    pub fn expired_pending(&self, until: Timestamp) -> impl Stream<Item = DueRecord<ConnectionId>> + use<> {
        self.due([table_keys::DUE_PENDING.to_owned()].into_iter(), until, table_keys::parse_pending_sk)
    }

    /// Changes without an outcome and with no request in progress, oldest first within each shard.
    pub fn due_changes(&self, until: Timestamp) -> impl Stream<Item = DueRecord<ChangeId>> + use<> {
        self.due(shards(table_keys::DUE_CHANGE), until, table_keys::parse_change_sk)
    }

    /// Changes whose time has come, earliest first within each shard.
    pub fn due_scheduled(&self, until: Timestamp) -> impl Stream<Item = DueRecord<ChangeId>> + use<> {
        self.due(shards(table_keys::DUE_SCHEDULED), until, table_keys::parse_change_sk)
    }

    /// Bulk changes whose ad account is not listed yet, by their sort keys, earliest first. Few exist at a time.
    pub fn due_bulk(&self, until: Timestamp) -> impl Stream<Item = DueRecord<String>> + use<> {
        self.due([table_keys::DUE_BULK.to_owned()].into_iter(), until, table_keys::parse_bulk_sk)
    }

    /// Stops of keys with a phase left, earliest first. Few exist at a time.
    pub fn due_stops(&self, until: Timestamp) -> impl Stream<Item = DueRecord<KeyId>> + use<> {
        self.due([table_keys::DUE_STOP.to_owned()].into_iter(), until, table_keys::parse_stop_sk)
    }

    /// Users that are being erased, earliest first. Few exist at a time.
    pub fn due_erasures(&self, until: Timestamp) -> impl Stream<Item = DueRecord<ExternalRef>> + use<> {
        self.due([table_keys::DUE_ERASURE.to_owned()].into_iter(), until, table_keys::parse_user_sk)
    }

    /// Campaigns whose monthly budget is looked at, earliest first. One partition takes 1,000 writes per second, more than
    /// the looks of a run.
    pub fn due_monthly_budgets(&self, until: Timestamp) -> impl Stream<Item = DueRecord<CampaignId>> + use<> {
        self.due([table_keys::DUE_MONTHLY_BUDGETS.to_owned()].into_iter(), until, table_keys::parse_campaign_sk)
    }

    /// Events whose deliveries are not stored yet, oldest first within each shard.
    pub fn due_events(&self, until: Timestamp) -> impl Stream<Item = DueRecord<EventId>> + use<> {
        self.due(shards(table_keys::DUE_EVENT), until, table_keys::parse_event_sk)
    }

    /// Deliveries whose next attempt is due, earliest first within each shard.
    pub fn due_deliveries(&self, until: Timestamp) -> impl Stream<Item = DueRecord<(EndpointId, EventId)>> + use<> {
        self.due(shards(table_keys::DUE_DELIVERY), until, table_keys::parse_delivery_sk)
    }

    /// Customers with remaining checks, oldest first. Each follows a customer's sync, so one partition suffices.
    pub fn due_checks(&self, until: Timestamp) -> impl Stream<Item = DueRecord<()>> + use<> {
        self.due([table_keys::DUE_CHECKS.to_owned()].into_iter(), until, table_keys::parse_remaining_checks_sk)
    }

    /// Reads partitions side by side, page by page. A record that becomes due again after `until` does not appear
    /// twice.
    fn due<T: 'static, K: Iterator<Item = String>>(
        &self,
        kinds: K,
        until: Timestamp,
        id: fn(&str) -> Option<T>,
    ) -> impl Stream<Item = DueRecord<T>> + use<T, K> {
        let partitions = kinds.map(|kind| {
            let query = self
                .query()
                .index_name(table_keys::DUE_INDEX)
                .key_condition_expression("due_kind = :kind AND due_at <= :until")
                .values([(":kind", text(kind)), (":until", number(until.as_second()))])
                .limit(PAGE_SIZE);
            let items = query.into_paginator().items().send();
            let items = stream::unfold(items, |mut items| async move { items.next().await.map(|item| (item, items)) });
            items.map(move |item| parse_due(&item.map_err(store_error)?, id)).boxed()
        });
        stream::select_all(partitions)
    }
}

/// Parses the key of an index entry.
fn parse_due<T>(item: &Item, id: fn(&str) -> Option<T>) -> DueRecord<T> {
    let part = |name: &str| item.get(name).and_then(|value| value.as_s().ok()).map(String::as_str).unwrap_or_default();
    let key = table_keys::parse_customer_pk(part(table_keys::PARTITION)).zip(id(part(table_keys::SORT)));
    key.ok_or_else(|| Error::internal("an entry of the due index has a malformed key"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_grant_is_found_in_the_queue_of_its_kind() {
        for queue in [GrantQueue::Rotating, GrantQueue::Other] {
            assert_eq!(parse_queue(grant_kind(queue)), queue);
        }
    }
}
