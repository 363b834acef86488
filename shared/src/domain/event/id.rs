//! The id of an event.

use crate::domain::digest::{sorted_id, time_bits, time_of};
use jiff::Timestamp;
use std::fmt;

/// Prefix of the text form.
const PREFIX: &str = "evt_";

/// Identifies an event over all its deliveries: `evt_` and 32 hexadecimal digits, which sort by time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct EventId(u128);

impl EventId {
    /// The id of an event with a name of its own, at its time.
    pub fn of_name(at: Timestamp, name: &str) -> EventId {
        EventId(sorted_id(at, name))
    }

    /// The smallest id of a time: no event from then on has a smaller one.
    pub fn first_at(at: Timestamp) -> EventId {
        EventId(time_bits(at))
    }

    /// The time of the event, in whole milliseconds.
    pub fn at(self) -> Timestamp {
        time_of(self.0)
    }

    /// One of several parts among which events are spread evenly.
    pub fn shard(self, shards: u8) -> u8 {
        u8::try_from(self.0 % u128::from(shards.max(1))).unwrap_or_default()
    }

    /// The hexadecimal digits of the text form.
    pub fn digits(self) -> String {
        format!("{:032x}", self.0)
    }

    /// Parses the text form.
    pub fn parse(text: &str) -> Option<EventId> {
        let id = EventId(u128::from_str_radix(text.strip_prefix(PREFIX)?, 16).ok()?);
        (id.to_string() == text).then_some(id)
    }
}

impl fmt::Display for EventId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{PREFIX}{}", self.digits())
    }
}
