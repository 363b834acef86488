//! An event as `listEvents` has it, and as an endpoint receives it.

use bytes::Bytes;
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use serde_json::{Map, Value};
use shared::domain::EventId;

/// The order of the fields in a delivery. The list has them sorted by name.
const ORDER: [&str; 7] = ["id", "type", "timestamp", "data", "previous", "request_id", "truncated"];

/// A listed event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ListedEvent {
    pub(super) id: EventId,
    /// The name of its type, which may be newer than this program.
    pub(super) kind: String,
    /// The body of its delivery, in the flat shape.
    pub(super) payload: Bytes,
}

impl ListedEvent {
    /// Reads an event of the list; `None` for any other object.
    pub(super) fn parse(fields: Map<String, Value>) -> Option<ListedEvent> {
        let id = EventId::parse(fields.get("id")?.as_str()?)?;
        let kind = fields.get("type")?.as_str()?.to_owned();
        let payload = serde_json::to_vec(&InOrder(fields)).ok()?;
        Some(ListedEvent { id, kind, payload: payload.into() })
    }
}

/// An event with its fields in the order of a delivery. Fields that this program does not know are at the end.
struct InOrder(Map<String, Value>);

impl Serialize for InOrder {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let known = ORDER.into_iter().filter_map(|name| self.0.get_key_value(name));
        let others = self.0.iter().filter(|(name, _)| !ORDER.contains(&name.as_str()));
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (name, value) in known.chain(others) {
            map.serialize_entry(name, value)?;
        }
        map.end()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_payload_has_the_order_of_a_delivery_and_all_fields() {
        let listed = r#"{"data":{"b":50.10,"a":9007199254740993},"id":"evt_01a2146730f06e1c561cfda45413bde9","new":1,"request_id":null,"timestamp":"t","type":"change.applied"}"#;
        let event = ListedEvent::parse(serde_json::from_str(listed).unwrap()).unwrap();
        assert_eq!(event.kind, "change.applied");
        let delivered = r#"{"id":"evt_01a2146730f06e1c561cfda45413bde9","type":"change.applied","timestamp":"t","data":{"a":9007199254740993,"b":50.1},"request_id":null,"new":1}"#;
        assert_eq!(event.payload, delivered);
    }

    #[test]
    fn anything_else_is_no_event() {
        for other in [r"{}", r#"{"id":"evt_1","type":"ping"}"#, r#"{"id":"evt_01a2146730f06e1c561cfda45413bde9"}"#] {
            assert_eq!(ListedEvent::parse(serde_json::from_str(other).unwrap()), None, "{other}");
        }
    }
}
