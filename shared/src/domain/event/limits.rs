//! The events of spending limits.

use super::{Event, EventKind, Occurrence, Subject};
use crate::domain::{KeyId, LimitRefusal};

impl Event {
    /// The event of refusals by one limit of a key: the last of them, and how many no event has told before.
    pub fn of_refusals(key: &KeyId, refusal: &LimitRefusal, count: u64, occurrence: Occurrence) -> Event {
        let name = format!("{key}#{}", refusal.limit.as_str());
        let subject = Subject::Limit { key: key.clone(), refusal: Box::new(refusal.clone()), count };
        Event::new(occurrence, EventKind::LimitRefused, &name, subject)
    }
}
