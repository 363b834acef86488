//! The id of a change.

use super::Marker;
use crate::domain::digest::{digest_number, sorted_id, time_bits, time_of};
use jiff::Timestamp;
use std::fmt;
use uuid::Uuid;

/// Prefix of the text form.
const PREFIX: &str = "chg_";

/// Identifies a change: `chg_` and 32 hexadecimal digits, which sort by time.
///
/// The first 48 bits are the time in milliseconds since 1970, the others a hash of the request and of the change's
/// number in it. So the attempts to store a change, and the parts of the service that know its request, agree on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ChangeId(u128);

impl ChangeId {
    /// The id of a change of a request. `number` counts the changes of the request from 0.
    pub fn new(created_at: Timestamp, request: Uuid, number: usize) -> ChangeId {
        ChangeId::of_name(created_at, &format!("{request}#{number}"))
    }

    /// The id of a change that has a name of its own.
    pub(in crate::domain) fn of_name(created_at: Timestamp, name: &str) -> ChangeId {
        ChangeId(sorted_id(created_at, name))
    }

    /// The id of the change that takes this one's place because of another. It is as old as this one.
    pub fn replaced_by(self, because: ChangeId) -> ChangeId {
        ChangeId::of_name(self.created_at(), &format!("{self}#{because}"))
    }

    /// The time of creation, in whole milliseconds.
    pub fn created_at(self) -> Timestamp {
        time_of(self.0)
    }

    /// The smallest id of a time: no change from then on has a smaller one.
    pub fn first_at(at: Timestamp) -> ChangeId {
        ChangeId(time_bits(at))
    }

    /// The id of the change that pauses the campaign of this create at its end.
    pub fn of_pause(self) -> ChangeId {
        ChangeId::of_name(self.created_at(), &format!("{self}#pause"))
    }

    /// Parses the text form.
    pub fn parse(text: &str) -> Option<ChangeId> {
        let id = ChangeId(u128::from_str_radix(text.strip_prefix(PREFIX)?, 16).ok()?);
        (id.to_string() == text).then_some(id)
    }

    /// The marker of the campaign that the change creates. Nothing was sent before the change was created.
    pub fn marker(self) -> Marker {
        self.marker_since(self.created_at())
    }

    /// The same marker of a change of which nothing was sent before this time.
    pub(super) fn marker_since(self, began_at: Timestamp) -> Marker {
        Marker::new(digest_number(&self.to_string()) >> 64, began_at)
    }

    /// One of several parts among which changes are spread evenly.
    pub fn shard(self, shards: u8) -> u8 {
        u8::try_from(self.0 % u128::from(shards.max(1))).unwrap_or_default()
    }
}

impl fmt::Display for ChangeId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{PREFIX}{:032x}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    fn id(milliseconds: i64, number: usize) -> ChangeId {
        ChangeId::new(Timestamp::from_millisecond(milliseconds).unwrap(), Uuid::from_u128(7), number)
    }

    #[test]
    fn an_id_survives_a_round_trip_and_knows_its_time() {
        let id = id(1_796_108_400_123, 3);
        assert_eq!(ChangeId::parse(&id.to_string()), Some(id));
        assert_eq!(id.created_at().as_millisecond(), 1_796_108_400_123);
        let upper = id.to_string().to_uppercase();
        for text in ["", "chg_", "chg_7", "conn_00000000000000000000000000000007", upper.as_str()] {
            assert_eq!(ChangeId::parse(text), None, "{text}");
        }
    }

    #[test]
    fn ids_sort_by_time_as_numbers_and_as_texts() {
        let (earlier, later) = (id(1_796_108_400_123, 9), id(1_796_108_400_124, 0));
        assert!(earlier < later && earlier.to_string() < later.to_string());
        assert!(earlier < ChangeId::first_at(later.created_at()) && ChangeId::first_at(later.created_at()) <= later);
    }

    #[test]
    fn a_marker_is_equal_for_one_change_and_differs_from_that_of_another() {
        let marker = id(7, 0).marker();
        assert_eq!(marker.number(), id(7, 0).marker().number());
        assert_ne!(marker.number(), id(7, 1).marker().number());
        assert!(marker.number() > 0 && i64::try_from(marker.number()).is_ok());
        assert_eq!(marker.label().len(), 19);
    }

    #[test]
    fn changes_fill_every_shard_about_evenly() {
        let mut counts: BTreeMap<u8, u32> = BTreeMap::new();
        for number in 0..8_000 {
            *counts.entry(id(1, number).shard(8)).or_default() += 1;
        }
        assert_eq!(counts.keys().copied().collect::<Vec<_>>(), (0..8).collect::<Vec<_>>());
        assert!(counts.values().all(|count| (850..1_150).contains(count)), "{counts:?}");
    }
}
