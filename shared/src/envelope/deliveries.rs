//! Deliveries of an endpoint. They use the flat shape only.

use super::events::PING;
use super::wire::{iso_millis, pagination};
use crate::domain::delivery::Attempt;
use crate::domain::{Delivery, EventKind};
use serde::Serialize;
use serde_json::{Value, json};

/// A page of deliveries.
#[derive(Debug)]
pub struct DeliveryList {
    /// Newest event first.
    pub deliveries: Vec<Delivery>,
    /// Opaque cursor; `None` on the last page.
    pub next_cursor: Option<String>,
}

/// The body of `listDeliveries`.
pub(super) fn list_body(list: &DeliveryList) -> Value {
    let DeliveryList { deliveries, next_cursor } = list;
    json!({
        "deliveries": deliveries.iter().map(WireDelivery::from).collect::<Vec<_>>(),
        "pagination": pagination(next_cursor.as_deref()),
    })
}

/// A delivery.
#[derive(Serialize)]
pub(super) struct WireDelivery<'a> {
    id: String,
    event_id: String,
    #[serde(rename = "type")]
    kind: &'static str,
    status: &'static str,
    attempts: Vec<WireAttempt<'a>>,
    next_attempt_at: Option<String>,
}

impl<'a> From<&'a Delivery> for WireDelivery<'a> {
    fn from(delivery: &'a Delivery) -> WireDelivery<'a> {
        let Delivery { customer: _, endpoint: _, event, kind, status, tried: _, attempts, next_attempt_at } = delivery;
        WireDelivery {
            id: delivery.id(),
            event_id: event.to_string(),
            kind: kind.map_or(PING, EventKind::as_str),
            status: status.as_str(),
            attempts: attempts.iter().map(Into::into).collect(),
            next_attempt_at: next_attempt_at.map(iso_millis),
        }
    }
}

/// An attempt.
#[derive(Serialize)]
struct WireAttempt<'a> {
    at: String,
    status_code: Option<u16>,
    error: Option<&'a str>,
    duration_ms: u64,
    answer: Option<&'a str>,
}

impl<'a> From<&'a Attempt> for WireAttempt<'a> {
    fn from(attempt: &'a Attempt) -> WireAttempt<'a> {
        let Attempt { at, status_code, error, duration_ms, answer } = attempt;
        WireAttempt {
            at: iso_millis(*at),
            status_code: *status_code,
            error: error.as_deref(),
            duration_ms: *duration_ms,
            answer: answer.as_deref(),
        }
    }
}
