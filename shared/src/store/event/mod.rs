//! Events: each is stored in the transaction of the transition that it reports, and due until its deliveries are
//! stored.

mod item;

use super::conditional::{conditional_put, conditional_update};
use super::table_keys::Key;
use super::transactions::{put_write, update_write};
use super::{Item, Store, Values, store_error, table_keys, text};
use crate::domain::event::RETENTION;
use crate::domain::{CustomerId, Event, EventFilters, EventId, EventKind, Occurrence};
use crate::error::Error;
use crate::request_context;
use aws_sdk_dynamodb::operation::put_item::builders::PutItemFluentBuilder;
use aws_sdk_dynamodb::operation::update_item::builders::UpdateItemFluentBuilder;
use aws_sdk_dynamodb::types::TransactWriteItem;
use jiff::Timestamp;
use std::collections::HashMap;

/// A page of events.
#[derive(Debug)]
pub struct EventPage {
    /// In the order of the list.
    pub events: Vec<Event>,
    /// Where the next page begins; `None` at the end.
    pub next: Option<EventId>,
}

/// What happens to a customer now, in the current request.
pub(super) fn occurrence(customer: CustomerId, at: Timestamp) -> Occurrence {
    Occurrence { customer, request: request_context::request_id(), at }
}

/// A page of the types of events.
#[derive(Debug)]
pub struct EventKindPage {
    /// Oldest first.
    pub events: Vec<(EventId, EventKind)>,
    /// Where the next page begins; `None` at the end.
    pub next: Option<EventId>,
}

impl Store {
    /// Makes a conditional update together with the event that reports it. `false`, with nothing stored, when the
    /// condition does not hold.
    pub(super) async fn update_with_event(
        &self,
        update: UpdateItemFluentBuilder,
        event: Option<&Event>,
    ) -> Result<bool, Error> {
        match event {
            None => conditional_update(update).await,
            Some(event) => self.write_with_event(update_write(update)?, event).await,
        }
    }

    /// Makes a put together with the event that reports it. `false`, with nothing stored, when its condition does not
    /// hold.
    pub(super) async fn put_with_event(&self, put: PutItemFluentBuilder, event: Option<&Event>) -> Result<bool, Error> {
        match event {
            None => conditional_put(put).await,
            Some(event) => self.write_with_event(put_write(put)?, event).await,
        }
    }

    async fn write_with_event(&self, write: TransactWriteItem, event: &Event) -> Result<bool, Error> {
        Ok(self.transact(vec![write, self.event_write(event)?]).await?.is_empty())
    }

    /// The event as the last part of a transaction. It has no condition.
    pub(super) fn event_write(&self, event: &Event) -> Result<TransactWriteItem, Error> {
        put_write(self.put_item(item::item(event)?))
    }

    /// The same as an update, for functions that may not put a customer's records.
    pub(super) fn event_update(&self, event: &Event) -> Result<TransactWriteItem, Error> {
        let mut item = item::item(event)?;
        item.retain(|name, _| ![table_keys::PARTITION, table_keys::SORT].contains(&name.as_str()));
        let mut update = self.update_item(&table_keys::event(event.customer, event.id));
        let mut assignments = Vec::new();
        for (index, (name, value)) in item.into_iter().enumerate() {
            assignments.push(format!("#name{index} = :value{index}"));
            update = update.expression_attribute_names(format!("#name{index}"), name);
            update = update.value(&format!(":value{index}"), value);
        }
        update_write(update.update_expression(format!("SET {}", assignments.join(", "))))
    }

    /// Reads an event.
    pub async fn event(&self, customer: CustomerId, id: EventId) -> Result<Option<Event>, Error> {
        let item = self.read(&table_keys::event(customer, id)).await?;
        item.map(|item| item::parse(customer, item)).transpose()
    }

    /// Reads `read` events of a customer, or of one of its users, newest first, or oldest first since an event, and
    /// returns those that the filters accept and that are listed still. The events of a user come from an index, so one
    /// of a moment ago may be missing.
    pub async fn events(
        &self,
        customer: CustomerId,
        filters: &EventFilters,
        after: Option<EventId>,
        read: i32,
        now: Timestamp,
    ) -> Result<EventPage, Error> {
        let Some((first, last)) = table_keys::listed_events(filters, after, now) else {
            return Ok(EventPage { events: Vec::new(), next: None });
        };
        let query = self
            .query()
            .values([(":from", text(first)), (":to", text(last))])
            .scan_index_forward(filters.since.is_some());
        let user = filters.external_ref.as_ref().map(|user| text(table_keys::user_key(customer, user)));
        let start = |id| {
            let mut key = table_keys::event(customer, id).attributes();
            key.extend(user.clone().map(|user| (table_keys::USER_KEY.to_owned(), user)));
            key
        };
        let start = after.map(start);
        let query = match &user {
            None => query
                .key_condition_expression("pk = :customer AND sk BETWEEN :from AND :to")
                .value(":customer", text(table_keys::customer(customer)))
                .consistent_read(true),
            Some(user) => query
                .index_name(table_keys::USER_INDEX)
                .key_condition_expression("user_key = :user AND sk BETWEEN :from AND :to")
                .value(":user", user.clone()),
        };
        let output = query.set_exclusive_start_key(start).limit(read).send().await.map_err(store_error)?;
        let next = output.last_evaluated_key.as_ref().and_then(item::id_of);
        let mut items = output.items.unwrap_or_default();
        if user.is_some() {
            items = self.items_of_events(customer, &items).await?;
        }
        let events =
            items.into_iter().map(|item| item::parse(customer, item)).collect::<Result<Vec<Event>, Error>>()?;
        let is_shown = |event: &Event| event.is_shown(now) && filters.accept(event);
        Ok(EventPage { events: events.into_iter().filter(is_shown).collect(), next })
    }

    /// Reads the items of index entries, in their order.
    async fn items_of_events(&self, customer: CustomerId, entries: &[Item]) -> Result<Vec<Item>, Error> {
        let ids: Vec<EventId> = entries.iter().filter_map(item::id_of).collect();
        let keys: Vec<Key> = ids.iter().map(|id| table_keys::event(customer, *id)).collect();
        let mut items = self.batch_read(&keys).await?;
        let places: HashMap<EventId, usize> = ids.iter().enumerate().map(|(place, id)| (*id, place)).collect();
        items.sort_by_cached_key(|item| item::id_of(item).and_then(|id| places.get(&id).copied()));
        Ok(items)
    }

    /// Reads the types of `read` events of a customer from a time on, oldest first, of those that have not expired.
    pub async fn event_kinds(
        &self,
        customer: CustomerId,
        from: Timestamp,
        after: Option<EventId>,
        read: i32,
        now: Timestamp,
    ) -> Result<EventKindPage, Error> {
        let (first, last) = table_keys::event_range(from);
        let query = self
            .query()
            .key_condition_expression("pk = :customer AND sk BETWEEN :from AND :to")
            .projection_expression("sk, kind")
            .values([(":customer", text(table_keys::customer(customer))), (":from", text(first)), (":to", text(last))])
            .set_exclusive_start_key(after.map(|id| table_keys::event(customer, id).attributes()))
            .consistent_read(true)
            .limit(read);
        let output = query.send().await.map_err(store_error)?;
        let next = output.last_evaluated_key.as_ref().and_then(item::id_of);
        let events = output.items.unwrap_or_default().into_iter().map(item::parse_kind);
        let events = events.collect::<Result<Vec<_>, Error>>()?;
        Ok(EventKindPage { events: events.into_iter().filter(|(id, _)| id.at() + RETENTION > now).collect(), next })
    }

    /// Stores that the deliveries of an event are stored: it is not due any more.
    pub async fn end_event(&self, customer: CustomerId, id: EventId) -> Result<(), Error> {
        let update = self
            .update_item(&table_keys::event(customer, id))
            .update_expression("REMOVE due_kind, due_at")
            .condition_expression("attribute_exists(due_at)");
        conditional_update(update).await.map(drop)
    }
}
