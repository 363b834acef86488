//! Where a page ended.

use crate::error::Error;
use crate::platforms::gamma::wire::Id;
use std::fmt;

/// The last campaign that was shown: `{id}.{place}`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Position {
    /// Its id; the next page begins below it.
    pub(super) id: Id,
    /// Where its row was, counted from 0.
    pub(super) place: usize,
}

impl Position {
    /// The position of a row.
    pub(super) fn at(id: Id, place: usize) -> Position {
        Position { id, place }
    }

    /// Without a hint where to look first.
    pub(super) fn without_place(self) -> Position {
        Position { place: 0, ..self }
    }

    /// Reads what [`fmt::Display`] writes, from the outside.
    pub(super) fn read(text: &str) -> Result<Position, Error> {
        let parts = text.split_once('.');
        let read = parts.and_then(|(id, place)| Some((Id::parse(id)?, place.parse::<u32>().ok()?)));
        let position = read.and_then(|(id, place)| Some(Position { id, place: usize::try_from(place).ok()? }));
        // Only the one way in which it is written.
        let position = position.filter(|position| position.to_string() == text);
        position.ok_or_else(|| Error::field("cursor", "is not one that this list gave out"))
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.id, self.place)
    }
}
