//! The payload of an event, in either shape. The endpoint of a webhook chooses its shape; the list of events is flat.

mod subjects;

use super::wire::{iso_millis, pagination};
use super::{RenderContext, Shape};
use crate::domain::{Change, ChangeError, ChangeState, Event, EventId, PayloadShape, Subject};
use crate::error::Error;
use serde::Serialize;
use serde_json::{Value, json};
use subjects::parts;
use uuid::Uuid;

/// Maximum length of a payload, in bytes.
const MAX_EVENT_BYTES: usize = 20 * 1_024;
/// Length of a text from a platform in a payload that would be too long, in characters.
const CUT_CHARS: usize = 1_000;
/// The type of a test send.
pub(super) const PING: &str = "ping";

/// A page of events.
#[derive(Debug)]
pub struct EventList {
    /// Newest first.
    events: Vec<WireEvent>,
    /// Opaque cursor; `None` on the last page.
    next_cursor: Option<String>,
}

/// An event.
#[derive(Debug, Serialize)]
struct WireEvent {
    id: String,
    #[serde(rename = "type")]
    kind: &'static str,
    timestamp: String,
    data: Value,
    /// The old values of what has changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    previous: Option<Value>,
    request_id: Option<String>,
    /// Texts from a platform are cut.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    truncated: bool,
}

/// The payload of an event for an endpoint. `public_base` is the address of this service without a path.
pub fn event_payload(event: &Event, shape: PayloadShape, public_base: Option<&str>) -> Result<Vec<u8>, Error> {
    short_enough(event, shape, public_base).map(|(_, payload)| payload)
}

impl EventList {
    /// A page of these events, each as an endpoint with the flat shape receives it.
    pub fn new(events: &[Event], next_cursor: Option<String>, public_base: Option<&str>) -> Result<EventList, Error> {
        let flat = |event| short_enough(event, PayloadShape::Flat, public_base).map(|(event, _)| event);
        Ok(EventList { events: events.iter().map(flat).collect::<Result<_, _>>()?, next_cursor })
    }
}

/// The body of `listEvents`.
pub(super) fn list_body(list: &EventList) -> Value {
    let EventList { events, next_cursor } = list;
    json!({ "events": events, "pagination": pagination(next_cursor.as_deref()) })
}

/// An event and its payload, with its texts from platforms cut if it would be too long.
fn short_enough(event: &Event, shape: PayloadShape, public_base: Option<&str>) -> Result<(WireEvent, Vec<u8>), Error> {
    let whole = wire(event, shape, public_base)?;
    let payload = serde_json::to_vec(&whole).map_err(Error::internal)?;
    if payload.len() <= MAX_EVENT_BYTES {
        return Ok((whole, payload));
    }
    let cut = WireEvent { truncated: true, ..wire(&cut(event), shape, public_base)? };
    let payload = serde_json::to_vec(&cut).map_err(Error::internal)?;
    Ok((cut, payload))
}

/// The payload of a test send.
pub fn ping_payload(id: EventId, request: Uuid) -> Result<Vec<u8>, Error> {
    let ping = WireEvent {
        id: id.to_string(),
        kind: PING,
        timestamp: iso_millis(id.at()),
        data: json!({}),
        previous: None,
        request_id: Some(request.to_string()),
        truncated: false,
    };
    serde_json::to_vec(&ping).map_err(Error::internal)
}

fn wire(event: &Event, shape: PayloadShape, public_base: Option<&str>) -> Result<WireEvent, Error> {
    let Event { id, customer: _, kind, request, subject } = event;
    let context = RenderContext {
        request_id: request.unwrap_or_default(),
        shape: shape.into(),
        has_two_shapes: true,
        now: event.at(),
        is_https: true,
        public_base: public_base.map(str::to_owned),
        allowance: None,
    };
    let (data, previous) = parts(subject, &context);
    Ok(WireEvent {
        id: id.to_string(),
        kind: kind.as_str(),
        timestamp: iso_millis(event.at()),
        data,
        previous,
        request_id: request.map(|request| request.to_string()),
        truncated: false,
    })
}

/// The event with its texts from platforms cut.
fn cut(event: &Event) -> Event {
    let Subject::Change { change, previous } = &event.subject else { return event.clone() };
    let error = |error: &ChangeError| ChangeError {
        message: first_chars(&error.message),
        platform_message: error.platform_message.as_deref().map(first_chars),
        platform_code: error.platform_code.as_deref().map(first_chars),
        field: error.field.as_deref().map(first_chars),
        ..error.clone()
    };
    let state = match &change.state {
        ChangeState::PartlyApplied(reason) => ChangeState::PartlyApplied(error(reason)),
        ChangeState::Failed(reason) => ChangeState::Failed(error(reason)),
        ChangeState::Canceled(reason) => ChangeState::Canceled(reason.as_ref().map(error)),
        ChangeState::Rejected(reason) => ChangeState::Rejected(error(reason)),
        other => other.clone(),
    };
    let change = Box::new(Change { state, ..(**change).clone() });
    Event { subject: Subject::Change { change, previous: *previous }, ..event.clone() }
}

fn first_chars(text: &str) -> String {
    text.chars().take(CUT_CHARS).collect()
}

impl From<PayloadShape> for Shape {
    fn from(shape: PayloadShape) -> Shape {
        match shape {
            PayloadShape::Flat => Shape::Flat,
            PayloadShape::Enveloped => Shape::Enveloped,
        }
    }
}
