//! The item of an event, and its conversion.

use crate::domain::{ChangeStatus, CustomerId, Event, EventId, EventKind, Subject};
use crate::error::Error;
use crate::store::change::SnapshotAttribute;
use crate::store::due::event_kind;
use crate::store::{Item, from_item, table_keys, to_item};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

#[derive(Serialize, Deserialize)]
struct EventItem {
    kind: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    request: Option<Uuid>,
    /// The change as it was then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    change: Option<SnapshotAttribute>,
    /// The state of the change before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    previous: Option<String>,
    expires_at: i64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    due_kind: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    due_at: Option<i64>,
}

/// The item of an event, which is due for its deliveries at once.
pub(super) fn item(event: &Event) -> Result<Item, Error> {
    let Event { id, customer, kind, request, subject } = event;
    let Subject::Change { change, previous } = subject;
    let item = EventItem {
        kind: kind.as_str().to_owned(),
        request: *request,
        change: Some(SnapshotAttribute::of(change)),
        previous: previous.map(|previous| previous.as_str().to_owned()),
        expires_at: event.expires_at().as_second(),
        due_kind: Some(event_kind(*id)),
        due_at: Some(event.at().as_second()),
    };
    to_item(&table_keys::event(*customer, *id), &item)
}

/// Parses an event. Its id is in the sort key.
pub(super) fn parse(customer: CustomerId, item: Item) -> Result<Event, Error> {
    let id = id_of(&item).ok_or_else(corrupt)?;
    let EventItem { kind, request, change, previous, expires_at: _, due_kind: _, due_at: _ } = from_item(item)?;
    let change = Box::new(change.ok_or_else(corrupt)?.parse(customer)?);
    let previous = previous.map(|name| ChangeStatus::parse(&name).ok_or_else(corrupt)).transpose()?;
    let kind = EventKind::parse(&kind).ok_or_else(corrupt)?;
    Ok(Event { id, customer, kind, request, subject: Subject::Change { change, previous } })
}

/// The id of an event by the keys of its item.
pub(super) fn id_of(item: &Item) -> Option<EventId> {
    table_keys::parse_event_sk(item.get(table_keys::SORT)?.as_s().ok()?)
}

fn corrupt() -> Error {
    Error::internal("a corrupt event")
}
