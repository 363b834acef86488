//! Where a page ended.

use crate::error::Error;
use crate::platforms::gamma::wire::Id;
use jiff::Timestamp;
use std::fmt;

/// Where a campaign stands in the list. The largest is the newest; of two that were made in the same second it is the
/// one with the larger id, and a campaign whose time is not known is older than all others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::platforms::gamma) struct Key {
    /// When it was made.
    pub(in crate::platforms::gamma) made: Option<Timestamp>,
    /// Its id.
    pub(in crate::platforms::gamma) id: Id,
}

/// The last campaign that was shown: `{seconds since the epoch}.{id}.{place}`, the first a dash where they are not
/// known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Position {
    /// The next page begins below it.
    pub(super) key: Key,
    /// Where its row was on the platform's list, counted from 0: a hint where to look first.
    pub(super) place: usize,
}

impl Position {
    /// Reads what [`fmt::Display`] writes, from the outside.
    pub(super) fn read(text: &str) -> Result<Position, Error> {
        // Only the one way in which it is written.
        let position = parse(text).filter(|position| position.to_string() == text);
        position.ok_or_else(|| {
            Error::field(
                "cursor",
                "is invalid, or an earlier version of this service gave it out; start again without it",
            )
        })
    }
}

fn parse(text: &str) -> Option<Position> {
    let mut parts = text.splitn(3, '.');
    let made = match parts.next()? {
        "-" => None,
        seconds => Some(Timestamp::from_second(seconds.parse().ok()?).ok()?),
    };
    let id = Id::parse(parts.next()?)?;
    let place = usize::try_from(parts.next()?.parse::<u32>().ok()?).ok()?;
    Some(Position { key: Key { made, id }, place })
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.key.made {
            Some(made) => write!(f, "{}.{}.{}", made.as_second(), self.key.id, self.place),
            None => write!(f, "-.{}.{}", self.key.id, self.place),
        }
    }
}
