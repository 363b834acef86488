//! The payload of an event, in either shape. The endpoint of a webhook chooses its shape; the list of events is flat.

mod subjects;

use super::wire::{iso_millis, pagination_since};
use super::{RenderContext, Shape};
use crate::domain::{Event, EventId, PayloadShape};
use crate::error::Error;
use serde::Serialize;
use serde_json::{Value, json};
use subjects::parts;
use uuid::Uuid;

/// Maximum length of a payload, in bytes.
const MAX_EVENT_BYTES: usize = 20 * 1_024;
/// Lengths to which the texts of a platform are cut, in characters: the first that makes a payload short enough.
const CUT_CHARS: [usize; 3] = [1_000, 250, 60];
/// The type of a test send.
pub(super) const PING: &str = "ping";

/// A page of events.
#[derive(Debug)]
pub struct EventList {
    /// Newest first.
    events: Vec<WireEvent>,
    /// Opaque cursor; `None` on the last page.
    next_cursor: Option<String>,
    /// Where a list since an event continues; `None` for any other list.
    next_since: Option<EventId>,
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
    pub fn new(
        events: &[Event],
        next_cursor: Option<String>,
        next_since: Option<EventId>,
        public_base: Option<&str>,
    ) -> Result<EventList, Error> {
        let flat = |event| short_enough(event, PayloadShape::Flat, public_base).map(|(event, _)| event);
        Ok(EventList { events: events.iter().map(flat).collect::<Result<_, _>>()?, next_cursor, next_since })
    }

    /// The events alone.
    pub(super) fn as_values(&self) -> Result<Vec<Value>, serde_json::Error> {
        self.events.iter().map(serde_json::to_value).collect()
    }
}

/// The body of `listEvents`.
pub(super) fn list_body(list: &EventList) -> Value {
    let EventList { events, next_cursor, next_since } = list;
    let next_since = next_since.map(|next| next.to_string());
    let pagination = pagination_since(next_cursor.as_deref(), next_since.as_deref());
    json!({ "events": events, "pagination": pagination })
}

/// An event and its payload, with its texts from platforms cut if it would be too long.
fn short_enough(event: &Event, shape: PayloadShape, public_base: Option<&str>) -> Result<(WireEvent, Vec<u8>), Error> {
    fitting(wire(event, shape, public_base)?)
}

fn fitting(mut event: WireEvent) -> Result<(WireEvent, Vec<u8>), Error> {
    let mut payload = serde_json::to_vec(&event).map_err(Error::internal)?;
    for most in CUT_CHARS {
        if payload.len() <= MAX_EVENT_BYTES {
            break;
        }
        event.truncated = true;
        [Some(&mut event.data), event.previous.as_mut()].into_iter().flatten().for_each(|part| cut(part, most));
        payload = serde_json::to_vec(&event).map_err(Error::internal)?;
    }
    Ok((event, payload))
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
        is_of_sign_in: false,
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

/// Members with texts that a receiver compares or opens. Each is bounded.
const KEPT: [&str; 6] = ["approval_url", "external_ref", "id", "reference", "url", "version"];

/// Cuts the texts of a value that are longer than so many characters, but none that a receiver compares or opens.
fn cut(value: &mut Value, most: usize) {
    match value {
        Value::String(text) => {
            if let Some((end, _)) = text.char_indices().nth(most) {
                text.truncate(end);
            }
        }
        Value::Array(values) => values.iter_mut().for_each(|value| cut(value, most)),
        Value::Object(members) => {
            let others = members.iter_mut().filter(|(name, _)| !KEPT.contains(&name.as_str()));
            others.for_each(|(_, value)| cut(value, most));
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

impl From<PayloadShape> for Shape {
    fn from(shape: PayloadShape) -> Shape {
        match shape {
            PayloadShape::Flat => Shape::Flat,
            PayloadShape::Enveloped => Shape::Enveloped,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event(data: Value) -> WireEvent {
        let (id, timestamp) = ("evt_1".to_owned(), "2026-12-01T00:00:00.000Z".to_owned());
        WireEvent { id, kind: PING, timestamp, data, previous: None, request_id: None, truncated: false }
    }

    #[test]
    fn no_text_of_a_platform_makes_a_payload_too_long() {
        let long = "🎈\n".repeat(50_000);
        let change = json!({ "before": { "name": long }, "after": { "name": long }, "error": { "message": long } });
        let data = json!({ "change": change, "campaign": { "name": long, "budget_amount": 50 }, "all": [long, long] });
        let before = json!({ "campaign": { "name": long } });
        let (cut, payload) = fitting(WireEvent { previous: Some(before), ..event(data) }).unwrap();
        assert!(cut.truncated && payload.len() <= MAX_EVENT_BYTES, "{}", payload.len());
        assert_eq!(cut.data["campaign"]["budget_amount"], 50);
        assert!(cut.data["campaign"]["name"].as_str().is_some_and(|name| name.starts_with("🎈")));
        let name = "é".repeat(255);
        let (whole, _) = fitting(event(json!({ "name": name }))).unwrap();
        assert_eq!((whole.data["name"].as_str(), whole.truncated), (Some(name.as_str()), false));
    }
}
