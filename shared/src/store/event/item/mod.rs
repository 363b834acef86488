//! The item of an event, and its conversion.

mod api_key;
mod connection;
mod endpoint;
mod figures;

use crate::domain::{ChangeStatus, CustomerId, Event, EventId, EventKind, Subject};
use crate::error::Error;
use crate::store::change::SnapshotAttribute;
use crate::store::due::event_kind;
use crate::store::{Item, from_item, table_keys, to_item};
use api_key::ApiKeyAttribute;
use connection::ConnectionAttribute;
use endpoint::EndpointAttribute;
use figures::{BillingAttribute, LimitAttribute, QuotaAttribute};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

#[derive(Serialize, Deserialize)]
struct EventItem {
    kind: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    request: Option<Uuid>,
    #[serde(flatten)]
    subject: SubjectAttributes,
    expires_at: i64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    due_kind: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    due_at: Option<i64>,
}

/// What the event is about: one of them.
#[derive(Default, Serialize, Deserialize)]
struct SubjectAttributes {
    /// The change as it was then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    change: Option<SnapshotAttribute>,
    /// The state of the change before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    previous: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    connection: Option<ConnectionAttribute>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    api_key: Option<ApiKeyAttribute>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    limit: Option<LimitAttribute>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    quota: Option<QuotaAttribute>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    billing: Option<BillingAttribute>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    endpoint: Option<EndpointAttribute>,
}

/// The item of an event, which is due for its deliveries at once.
pub(super) fn item(event: &Event) -> Result<Item, Error> {
    let Event { id, customer, kind, request, subject } = event;
    let item = EventItem {
        kind: kind.as_str().to_owned(),
        request: *request,
        subject: SubjectAttributes::from(subject),
        expires_at: event.expires_at().as_second(),
        due_kind: Some(event_kind(*id)),
        due_at: Some(event.at().as_second()),
    };
    to_item(&table_keys::event(*customer, *id), &item)
}

/// Parses an event. Its id is in the sort key.
pub(super) fn parse(customer: CustomerId, item: Item) -> Result<Event, Error> {
    let id = id_of(&item).ok_or_else(corrupt)?;
    let EventItem { kind, request, subject, expires_at: _, due_kind: _, due_at: _ } = from_item(item)?;
    let kind = EventKind::parse(&kind).ok_or_else(corrupt)?;
    Ok(Event { id, customer, kind, request, subject: subject.parse(customer)? })
}

/// The id of an event by the keys of its item.
pub(super) fn id_of(item: &Item) -> Option<EventId> {
    table_keys::parse_event_sk(item.get(table_keys::SORT)?.as_s().ok()?)
}

impl From<&Subject> for SubjectAttributes {
    fn from(subject: &Subject) -> SubjectAttributes {
        let none = SubjectAttributes::default();
        match subject {
            Subject::Change { change, previous } => SubjectAttributes {
                change: Some(SnapshotAttribute::of(change)),
                previous: previous.map(|previous| previous.as_str().to_owned()),
                ..none
            },
            Subject::Connection { connection, previous } => {
                let connection = ConnectionAttribute::of(connection, previous.as_ref());
                SubjectAttributes { connection: Some(connection), ..none }
            }
            Subject::ApiKey { key, previous } => {
                SubjectAttributes { api_key: Some(ApiKeyAttribute::of(key, previous.as_ref())), ..none }
            }
            Subject::Limit { key, refusal, count } => {
                SubjectAttributes { limit: Some(LimitAttribute::of(key, refusal, *count)), ..none }
            }
            Subject::Quota { plan, usage } => {
                SubjectAttributes { quota: Some(QuotaAttribute::of(*plan, *usage)), ..none }
            }
            Subject::Billing { billing, previous } => {
                SubjectAttributes { billing: Some(BillingAttribute::of(billing, previous)), ..none }
            }
            Subject::Endpoint(endpoint) => {
                SubjectAttributes { endpoint: Some(EndpointAttribute::of(endpoint)), ..none }
            }
        }
    }
}

impl SubjectAttributes {
    fn parse(self, customer: CustomerId) -> Result<Subject, Error> {
        match self {
            SubjectAttributes { change: Some(change), previous, .. } => Ok(Subject::Change {
                change: Box::new(change.parse(customer)?),
                previous: previous.map(|name| ChangeStatus::parse(&name).ok_or_else(corrupt)).transpose()?,
            }),
            SubjectAttributes { connection: Some(connection), .. } => connection.parse(),
            SubjectAttributes { api_key: Some(key), .. } => key.parse(),
            SubjectAttributes { limit: Some(limit), .. } => limit.parse(),
            SubjectAttributes { quota: Some(quota), .. } => quota.parse(),
            SubjectAttributes { billing: Some(billing), .. } => billing.parse(),
            SubjectAttributes { endpoint: Some(endpoint), .. } => Ok(Subject::Endpoint(Box::new(endpoint.parse()?))),
            SubjectAttributes { .. } => Err(corrupt()),
        }
    }
}

fn corrupt() -> Error {
    Error::internal("a corrupt event")
}
