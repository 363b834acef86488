//! Deliveries: an event on its way to one endpoint, attempt by attempt.

mod health;
mod schedule;

pub use health::{EndpointHealth, EndpointVerdict, FailureStreak};
pub use schedule::next_attempt;

use super::{CustomerId, EndpointId, EventId, EventKind, variants};
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use strum::{EnumString, IntoStaticStr, VariantArray};

/// Prefix of the id in the API.
const PREFIX: &str = "dlv_";
/// Attempts that a delivery keeps: the latest ones.
pub const KEPT_ATTEMPTS: usize = 20;
/// Retention of a delivery. An event may be replayed on its last day, and is tried for four days then.
pub const RETENTION: SignedDuration = SignedDuration::from_hours(35 * 24);

/// An event for one endpoint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Delivery {
    pub customer: CustomerId,
    pub endpoint: EndpointId,
    pub event: EventId,
    /// The type of the event; `None` for a test send.
    pub kind: Option<EventKind>,
    pub status: DeliveryStatus,
    /// The attempts since the event was stored, or replayed the last time.
    pub tried: u32,
    /// The latest attempts, oldest first.
    pub attempts: Vec<Attempt>,
    /// The time of the next attempt; `None` if there is none.
    pub next_attempt_at: Option<Timestamp>,
}

/// How far a delivery is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::Display, EnumString, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "snake_case")]
pub enum DeliveryStatus {
    /// It is tried until the endpoint accepts it.
    Pending,
    /// The endpoint has accepted it.
    Delivered,
    /// It is not tried any more.
    Failed,
}

/// An attempt that has ended.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Attempt {
    /// Its start.
    pub at: Timestamp,
    /// The status code of the answer, if one came.
    pub status_code: Option<u16>,
    /// Why it failed.
    pub error: Option<String>,
    pub duration_ms: u64,
    /// The first KB of the answer.
    pub answer: Option<String>,
}

/// An attempt and the response of the endpoint, as far as they decide what follows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EndpointResponse {
    pub attempt: Attempt,
    /// The wait that the endpoint has asked for.
    pub retry_after: Option<SignedDuration>,
    /// The end of the attempt.
    pub ended_at: Timestamp,
}

impl DeliveryStatus {
    /// Every status.
    pub const ALL: [DeliveryStatus; 3] = variants();

    /// The name in the API and in the table.
    pub fn as_str(self) -> &'static str {
        self.into()
    }

    /// Parses the name.
    pub fn parse(name: &str) -> Option<DeliveryStatus> {
        name.parse().ok()
    }
}

impl Attempt {
    /// Whether the endpoint has accepted the event.
    pub fn is_success(&self) -> bool {
        self.error.is_none()
    }

    /// Whether the endpoint wants nothing any more.
    pub fn is_gone(&self) -> bool {
        self.status_code == Some(410)
    }
}

impl Delivery {
    /// A delivery that is due at once.
    pub fn new(customer: CustomerId, endpoint: EndpointId, event: EventId, kind: EventKind, at: Timestamp) -> Delivery {
        let status = DeliveryStatus::Pending;
        let (kind, next_attempt_at) = (Some(kind), Some(at));
        Delivery { customer, endpoint, event, kind, status, tried: 0, attempts: Vec::new(), next_attempt_at }
    }

    /// The delivery of a test send. It is never due, and has its one attempt next.
    pub fn of_test(customer: CustomerId, endpoint: EndpointId, event: EventId) -> Delivery {
        let (status, attempts) = (DeliveryStatus::Pending, Vec::new());
        Delivery { customer, endpoint, event, kind: None, status, tried: 0, attempts, next_attempt_at: None }
    }

    /// The id in the API: `dlv_` and the digits of its event's id. Another endpoint's delivery of the event has it too.
    pub fn id(&self) -> String {
        format!("{PREFIX}{}", self.event.digits())
    }

    /// The delivery after an attempt. `random` is any number, for jitter.
    pub fn after(&self, response: &EndpointResponse, random: u64) -> Delivery {
        let EndpointResponse { attempt, retry_after, ended_at } = response;
        let tried = self.tried.saturating_add(1);
        let mut attempts = self.attempts.clone();
        attempts.push(attempt.clone());
        attempts.drain(..attempts.len().saturating_sub(KEPT_ATTEMPTS));
        let next = if attempt.is_success() || attempt.is_gone() || self.kind.is_none() {
            None
        } else {
            next_attempt(tried, *ended_at, *retry_after, random)
        };
        let status = match (attempt.is_success(), next) {
            (true, _) => DeliveryStatus::Delivered,
            (false, Some(_)) => DeliveryStatus::Pending,
            (false, None) => DeliveryStatus::Failed,
        };
        Delivery { status, tried, attempts, next_attempt_at: next, ..self.clone() }
    }

    /// The delivery once more from the start.
    #[must_use]
    pub fn replayed(&self, at: Timestamp) -> Delivery {
        let (status, next_attempt_at) = (DeliveryStatus::Pending, Some(at));
        Delivery { status, tried: 0, next_attempt_at, ..self.clone() }
    }
}
