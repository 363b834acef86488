//! The position of a campaign in the list.

use crate::platforms::errors::invalid_cursor;
use crate::platforms::gamma::wire::Id;
use crate::platforms::prelude::*;
use std::fmt;

/// The sort key of campaigns: the largest is the newest. Of two campaigns created in the same second, the larger id is
/// the newer one. A campaign without a creation time is older than all others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Key {
    pub(super) created_at: Option<Timestamp>,
    pub(super) id: Id,
}

/// A position: `{seconds since the epoch}.{id}.{place}`, with a dash for an unknown creation time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Position {
    /// The next page starts after this campaign.
    pub(super) key: Key,
    /// The index of its row in the platform's list: a hint where to start reading.
    pub(super) place: usize,
}

impl Position {
    /// Parses a position that a caller sends, in the form of [`fmt::Display`].
    pub(super) fn read(text: &str) -> Result<Position, Error> {
        // Rejects other spellings of a position, such as leading zeros.
        parse(text).filter(|position| position.to_string() == text).ok_or_else(invalid_cursor)
    }
}

fn parse(text: &str) -> Option<Position> {
    let mut parts = text.splitn(3, '.');
    let created_at = match parts.next()? {
        "-" => None,
        seconds => Some(Timestamp::from_second(seconds.parse().ok()?).ok()?),
    };
    let id = Id::parse(parts.next()?)?;
    let place = usize::try_from(parts.next()?.parse::<u32>().ok()?).ok()?;
    Some(Position { key: Key { created_at, id }, place })
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.key.created_at {
            Some(created_at) => write!(f, "{}.{}.{}", created_at.as_second(), self.key.id, self.place),
            None => write!(f, "-.{}.{}", self.key.id, self.place),
        }
    }
}
