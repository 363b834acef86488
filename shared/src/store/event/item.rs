//! The item of an event, and its conversion.

use crate::domain::webhook_endpoint::EndpointSnapshot;
use crate::domain::{
    ChangeStatus, CustomerId, EndpointId, EndpointStatus, EndpointUrl, Event, EventId, EventKind, EventTypes,
    PayloadShape, Subject,
};
use crate::error::Error;
use crate::store::change::SnapshotAttribute;
use crate::store::due::event_kind;
use crate::store::{Item, from_item, table_keys, to_item};
use jiff::Timestamp;
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
    /// The webhook endpoint as it was then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    endpoint: Option<EndpointAttribute>,
    expires_at: i64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    due_kind: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    due_at: Option<i64>,
}

#[derive(Serialize, Deserialize)]
struct EndpointAttribute {
    id: String,
    url: String,
    types: Vec<String>,
    shape: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    description: Option<String>,
    status: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    disabled_reason: Option<String>,
    created_at: Timestamp,
}

impl EndpointAttribute {
    fn of(endpoint: &EndpointSnapshot) -> EndpointAttribute {
        let EndpointSnapshot { id, url, types, shape, description, status, disabled_reason, created_at } = endpoint;
        EndpointAttribute {
            id: id.to_string(),
            url: url.as_str().to_owned(),
            types: types.names().into_iter().map(str::to_owned).collect(),
            shape: shape.as_str().to_owned(),
            description: description.clone(),
            status: status.as_str().to_owned(),
            disabled_reason: disabled_reason.clone(),
            created_at: *created_at,
        }
    }

    fn parse(self) -> Result<EndpointSnapshot, Error> {
        let EndpointAttribute { id, url, types, shape, description, status, disabled_reason, created_at } = self;
        Ok(EndpointSnapshot {
            id: EndpointId::parse(&id).ok_or_else(corrupt)?,
            url: EndpointUrl::of_checked(url),
            types: EventTypes::from_stored(&types),
            shape: PayloadShape::parse(&shape).ok_or_else(corrupt)?,
            description,
            status: EndpointStatus::parse(&status).ok_or_else(corrupt)?,
            disabled_reason,
            created_at,
        })
    }
}

/// The item of an event, which is due for its deliveries at once.
pub(super) fn item(event: &Event) -> Result<Item, Error> {
    let Event { id, customer, kind, request, subject } = event;
    let (mut change_attribute, mut previous_name, mut endpoint_attribute) = (None, None, None);
    match subject {
        Subject::Change { change, previous } => {
            change_attribute = Some(SnapshotAttribute::of(change));
            previous_name = previous.map(|previous| previous.as_str().to_owned());
        }
        Subject::Endpoint(endpoint) => endpoint_attribute = Some(EndpointAttribute::of(endpoint)),
    }
    let item = EventItem {
        kind: kind.as_str().to_owned(),
        request: *request,
        change: change_attribute,
        previous: previous_name,
        endpoint: endpoint_attribute,
        expires_at: event.expires_at().as_second(),
        due_kind: Some(event_kind(*id)),
        due_at: Some(event.at().as_second()),
    };
    to_item(&table_keys::event(*customer, *id), &item)
}

/// Parses an event. Its id is in the sort key.
pub(super) fn parse(customer: CustomerId, item: Item) -> Result<Event, Error> {
    let id = id_of(&item).ok_or_else(corrupt)?;
    let EventItem { kind, request, change, previous, endpoint, expires_at: _, due_kind: _, due_at: _ } =
        from_item(item)?;
    let previous = previous.map(|name| ChangeStatus::parse(&name).ok_or_else(corrupt)).transpose()?;
    let subject = match (change, endpoint) {
        (Some(change), _) => Subject::Change { change: Box::new(change.parse(customer)?), previous },
        (None, Some(endpoint)) => Subject::Endpoint(Box::new(endpoint.parse()?)),
        (None, None) => return Err(corrupt()),
    };
    let kind = EventKind::parse(&kind).ok_or_else(corrupt)?;
    Ok(Event { id, customer, kind, request, subject })
}

/// The id of an event by the keys of its item.
pub(super) fn id_of(item: &Item) -> Option<EventId> {
    table_keys::parse_event_sk(item.get(table_keys::SORT)?.as_s().ok()?)
}

fn corrupt() -> Error {
    Error::internal("a corrupt event")
}
