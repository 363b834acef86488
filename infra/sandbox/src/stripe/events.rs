//! Events and their delivery status.
//!
//! API reference: Events.

use serde::{Deserialize, Serialize};

/// The time of a change, and the API call that caused it. A change by the hosted pages has no call.
#[derive(Debug, Clone, Default)]
pub(crate) struct Trigger {
    /// Unix seconds.
    pub(crate) now: i64,
    pub(crate) request_id: Option<String>,
    pub(crate) idempotency_key: Option<String>,
}

impl Trigger {
    /// A change without an API call.
    pub(crate) fn at(now: i64) -> Self {
        Self { now, ..Self::default() }
    }
}

/// The webhook endpoint.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Endpoint {
    pub(crate) url: String,
    /// Signing secrets: one, or two during a rotation. Each signs every event.
    pub(crate) secrets: Vec<String>,
}

/// Delivery status of an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum DeliveryStatus {
    /// No endpoint was set when the event occurred.
    NoEndpoint,
    Waiting,
    /// A later event has to be delivered first.
    Held,
    Delivered,
    /// The fault `loss` dropped it.
    Lost,
    /// Every attempt failed.
    GivenUp,
}

/// One delivery attempt.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Attempt {
    /// Unix milliseconds.
    pub(crate) at_ms: i64,
    /// HTTP status of the endpoint's response.
    pub(crate) status: Option<u16>,
    pub(crate) error: Option<String>,
}

/// An event with its attempts.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Event {
    pub(crate) id: String,
    /// The JSON body. Every attempt sends the same bytes.
    pub(crate) body: String,
    pub(crate) status: DeliveryStatus,
    pub(crate) attempts: Vec<Attempt>,
}

/// A scheduled delivery.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Delivery {
    /// Id of the event.
    pub(crate) event: String,
    pub(crate) due_ms: i64,
    pub(crate) tries: usize,
    /// No fault has been applied yet; each event meets at most one.
    pub(crate) fresh: bool,
    pub(crate) held: bool,
}
