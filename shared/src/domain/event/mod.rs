//! Events: what happened, told to the customer's own endpoints. An event is stored in the transaction of the transition
//! that it tells.

mod changes;
mod id;
mod kind;

pub use id::EventId;
pub use kind::EventKind;

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
}

impl Event {
    /// The time at which it happened, in whole milliseconds.
    pub fn at(&self) -> Timestamp {
        self.id.at()
    }

    /// Expiry of the record.
    pub fn expires_at(&self) -> Timestamp {
        self.at().checked_add(RETENTION).unwrap_or(Timestamp::MAX)
    }
}
