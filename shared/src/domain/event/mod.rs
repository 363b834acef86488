//! Events: what happened, told to the customer's own endpoints. An event is stored in the transaction of the transition
//! that it tells.

mod changes;
mod id;
mod kind;

pub use id::EventId;
pub use kind::EventKind;

use super::webhook_endpoint::{EndpointSnapshot, EndpointStatus, WebhookEndpoint};
use super::{Change, ChangeStatus, CustomerId};
use jiff::{SignedDuration, Timestamp};
use uuid::Uuid;

/// Retention of an event.
pub const RETENTION: SignedDuration = SignedDuration::from_hours(30 * 24);

/// Something that happened.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    pub id: EventId,
    pub customer: CustomerId,
    pub kind: EventKind,
    /// The request that led to it; `None` if none did.
    pub request: Option<Uuid>,
    pub subject: Subject,
}

/// What an event is about, as it was then.
#[derive(Clone, Debug, PartialEq)]
pub enum Subject {
    /// A change, and the state that it had before; `None` for a new one, and where the state is the same.
    Change { change: Box<Change>, previous: Option<ChangeStatus> },
    /// An endpoint that the service has disabled.
    Endpoint(Box<EndpointSnapshot>),
}

impl Event {
    /// The time at which it happened, in whole milliseconds.
    pub fn at(&self) -> Timestamp {
        self.id.at()
    }

    /// The event of an endpoint that the service disables.
    pub fn of_disabled(customer: CustomerId, endpoint: &WebhookEndpoint, reason: &str, at: Timestamp) -> Event {
        let (status, disabled_reason) = (EndpointStatus::Disabled, Some(reason.to_owned()));
        let disabled = EndpointSnapshot { status, disabled_reason, ..endpoint.into() };
        let kind = EventKind::WebhookEndpointDisabled;
        let id = EventId::of_name(at, &format!("{}#{}", endpoint.id, kind.as_str()));
        Event { id, customer, kind, request: None, subject: Subject::Endpoint(Box::new(disabled)) }
    }

    /// Expiry of the record.
    pub fn expires_at(&self) -> Timestamp {
        self.at().checked_add(RETENTION).unwrap_or(Timestamp::MAX)
    }
}
