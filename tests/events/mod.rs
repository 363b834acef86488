//! Events of everything but changes, whose events `crashes::events` checks: exactly those of what has happened.

mod billing;
mod connections;
mod keys;
mod limits;
mod quotas;

use crate::world::World;
use jiff::Timestamp;
use shared::clock::Clock;
use shared::domain::{CustomerId, Event, EventKind, Subject};
use shared::store::Store;

/// Events read at a time.
const PAGE_SIZE: i32 = 1_000;

/// What a customer was told, oldest first, without what is about campaigns. The key that an account begins with is not
/// part of it.
async fn told(store: &Store, customer: CustomerId, now: Timestamp) -> Vec<Event> {
    let mut events = store.events(customer, None, PAGE_SIZE, now).await.expect("the table").events;
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

    /// What the demo customer was told.
    async fn told(&self) -> Vec<Event> {
        told(&self.gateway.app.store, self.owner(), Clock::system().now()).await
    }

    /// The names of what the demo customer was told since the first `seen` events.
    async fn told_since(&self, seen: &mut usize) -> Vec<&'static str> {
        let events = self.told().await;
        let new = kinds(&events[*seen..]);
        *seen = events.len();
        new
    }
}
