//! Exactly one event for each transition, except for changes: `crashes::events` checks those.

mod billing;
mod connections;
mod keys;
mod limits;
mod quotas;
mod users;

use crate::world::World;
use jiff::Timestamp;
use shared::clock::Clock;
use shared::domain::{CustomerId, Event, EventFilters, EventKind, Subject};
use shared::store::Store;

/// Events read at a time.
const PAGE_SIZE: i32 = 1_000;

/// The events of a customer, oldest first, without those of changes and that of the account's first key.
async fn events(store: &Store, customer: CustomerId, now: Timestamp) -> Vec<Event> {
    let mut events =
        store.events(customer, &EventFilters::default(), None, PAGE_SIZE, now).await.expect("the table").events;
    events.retain(|event| !matches!(&event.subject, Subject::Change { .. }) && !is_of_first_key(event));
    events.sort_by_key(|event| (event.at(), event.kind));
    for event in &events {
        let read = store.event(customer, event.id).await.expect("the table");
        assert_eq!(read.as_ref(), Some(event), "an event is read as it is listed");
    }
    events
}

fn is_of_first_key(event: &Event) -> bool {
    event.kind == EventKind::ApiKeyCreated
        && matches!(&event.subject, Subject::ApiKey { key, .. } if key.id.0 == "key_default")
}

fn kinds(events: &[Event]) -> Vec<&'static str> {
    events.iter().map(|event| event.kind.as_str()).collect()
}

impl World {
    fn owner(&self) -> CustomerId {
        CustomerId(self.gateway.customer_id.parse().expect("an id"))
    }

    /// The events of the demo customer.
    async fn events(&self) -> Vec<Event> {
        events(&self.gateway.app.store, self.owner(), Clock::system().now()).await
    }

    /// The types of the demo customer's events after the first `seen`.
    async fn new_events(&self, seen: &mut usize) -> Vec<&'static str> {
        let events = self.events().await;
        let new = kinds(&events[*seen..]);
        *seen = events.len();
        new
    }
}
