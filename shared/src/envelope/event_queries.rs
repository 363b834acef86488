//! The queries of the lists of events and of deliveries, and the body of a replay.

use super::fields::Fields;
use super::query::{QueryReader, cursor, one_of, reject_unknown_params};
use crate::domain::event::RETENTION;
use crate::domain::{DeliveryStatus, EventFilters, EventId, EventKind, Moment, TimeRule};
use crate::error::Error;
use jiff::Timestamp;

/// The parameters of `listEvents`. The cursor is not decoded yet.
#[derive(Debug)]
pub struct EventsQuery {
    pub filters: EventFilters,
    /// Page size, 1 to 100.
    pub limit: usize,
    /// Encoded cursor.
    pub cursor: Option<String>,
}

/// The parameters of `listDeliveries`. The cursor is not decoded yet.
#[derive(Debug)]
pub struct DeliveriesQuery {
    /// The only status that is listed.
    pub status: Option<DeliveryStatus>,
    /// Page size, 1 to 100.
    pub limit: usize,
    /// Encoded cursor.
    pub cursor: Option<String>,
}

/// What `replayEvents` sends again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReplayRequest {
    /// The events from a time on.
    Since(Timestamp),
    /// One event.
    Event(EventId),
}

/// Reads the query of `listEvents`. All errors are reported together.
pub fn read_events(pairs: &[(String, String)], now: Timestamp) -> Result<EventsQuery, Error> {
    let known = ["limit", "cursor", "type", "reference", "idempotency_key", "connection_id", "since"];
    reject_unknown_params(pairs, &known)?;
    let mut reader = QueryReader::new(pairs);
    let limit = reader.limit();
    let filters = EventFilters {
        kind: reader.read("type", &one_of(&EventKind::ALL.map(EventKind::as_str)), EventKind::parse),
        reference: reader.reference(),
        key_digest: reader.key_digest(),
        // The user for whom the request acts: the handler knows it.
        external_ref: None,
        connection: reader.connection(),
        since: reader.since(
            "must be the id of an event, such as next_since of an earlier page, or a time with an offset",
            EventId::parse,
            EventId::first_at,
        ),
    };
    if filters.since.is_some_and(|since| now.duration_since(since.at()) > RETENTION) {
        reader.fail(
            "since",
            "is more than 30 days ago: older events are gone, so read what there is, and continue from it",
        );
    }
    reader.finish(EventsQuery { filters, limit, cursor: cursor(pairs) })
}

/// Reads the query of `listDeliveries`. All errors are reported together.
pub fn read_deliveries(pairs: &[(String, String)]) -> Result<DeliveriesQuery, Error> {
    reject_unknown_params(pairs, &["limit", "cursor", "status"])?;
    let mut reader = QueryReader::new(pairs);
    let limit = reader.limit();
    let status =
        reader.read("status", &one_of(&DeliveryStatus::ALL.map(DeliveryStatus::as_str)), DeliveryStatus::parse);
    reader.finish(DeliveriesQuery { status, limit, cursor: cursor(pairs) })
}

/// Reads the body of `replayEvents`, which has one of two fields.
pub fn read_replay(body: &[u8], now: Timestamp) -> Result<ReplayRequest, Error> {
    let mut fields = Fields::parse(body)?;
    let (has_since, has_event) = (fields.has("since"), fields.has("event_id"));
    let since = fields.string("since").and_then(|text| read_since(&mut fields, &text, now));
    let event = fields.string("event_id").and_then(|text| {
        let event = EventId::parse(&text);
        if event.is_none() {
            fields.add_error("event_id", "must be the id of an event");
        }
        event
    });
    if has_since == has_event {
        fields.add_error("body", "must have either since or event_id");
    }
    fields.finish()?;
    let request = since.map(ReplayRequest::Since).or(event.map(ReplayRequest::Event));
    request.ok_or_else(|| Error::internal("a required field is missing without a field error"))
}

fn read_since(fields: &mut Fields<'_>, text: &str, now: Timestamp) -> Option<Timestamp> {
    let Some(since) = Moment::parse_instant(text) else {
        fields.add_error("since", TimeRule::Instant);
        return None;
    };
    if now.duration_since(since) > RETENTION {
        fields.add_error("since", TimeRule::Kept);
        return None;
    }
    Some(since)
}
