//! How many changes of a customer may wait. A key with a spending limit has a share of that room, so that it takes none
//! from people (D95). Nothing counts them: what waits is in an index, and leaves it however it ends.

use crate::domain::KeyId;
use std::collections::BTreeMap;

/// Most changes of a customer that wait, for their time or for a person.
pub const MAX_SCHEDULED: usize = 1_000;
/// Most changes of a customer that wait for a person.
pub const MAX_AWAITING: usize = 200;
/// A key with a spending limit has one part of this many.
const SHARE: usize = 5;

/// A waiting change, as far as it counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WaitingChange {
    /// The requesting key, with or without a limit; `None` for a person.
    pub key: Option<KeyId>,
    pub awaits_person: bool,
}

/// Why another change may not wait. Each has the number of those that wait.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CapacityError {
    /// The key has its share of what waits.
    Share(usize),
    /// The key has its share of what waits for a person.
    ShareOfApprovals(usize),
    /// The rest is reserved for people and for keys without a limit.
    Reserved(usize),
    /// Too many wait for a person.
    Approvals(usize),
    /// Too many wait; with the key that has asked for most of them, and their number.
    All(usize, Option<(KeyId, usize)>),
}

/// Refuses another waiting change if the customer has too many. `limited` is the key of the request if it has a
/// spending limit: it may use a fifth of the capacity, and none of the last fifth.
pub fn check_capacity(
    waiting: &[WaitingChange],
    limited: Option<&KeyId>,
    awaits_person: bool,
) -> Result<(), CapacityError> {
    let approvals = waiting.iter().filter(|one| one.awaits_person).count();
    if let Some(key) = limited {
        let own = || waiting.iter().filter(move |one| one.key.as_ref() == Some(key));
        let (all, asked) = (own().count(), own().filter(|one| one.awaits_person).count());
        if awaits_person && asked >= MAX_AWAITING / SHARE {
            return Err(CapacityError::ShareOfApprovals(asked));
        }
        if all >= MAX_SCHEDULED / SHARE {
            return Err(CapacityError::Share(all));
        }
        if waiting.len() >= MAX_SCHEDULED - MAX_SCHEDULED / SHARE {
            return Err(CapacityError::Reserved(waiting.len()));
        }
    }
    if awaits_person && approvals >= MAX_AWAITING {
        return Err(CapacityError::Approvals(approvals));
    }
    if waiting.len() >= MAX_SCHEDULED {
        return Err(CapacityError::All(waiting.len(), busiest(waiting)));
    }
    Ok(())
}

/// The key that has asked for most of these changes, and their number.
fn busiest(waiting: &[WaitingChange]) -> Option<(KeyId, usize)> {
    let mut counts: BTreeMap<&KeyId, usize> = BTreeMap::new();
    for key in waiting.iter().filter_map(|one| one.key.as_ref()) {
        *counts.entry(key).or_default() += 1;
    }
    counts.into_iter().max_by_key(|(_, count)| *count).map(|(key, count)| (key.clone(), count))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(number: u32) -> KeyId {
        KeyId(format!("key_{number}"))
    }

    fn waiting(key: Option<KeyId>, count: usize, awaits_person: bool) -> Vec<WaitingChange> {
        vec![WaitingChange { key, awaits_person }; count]
    }

    #[test]
    fn a_key_with_a_limit_has_a_fifth_and_leaves_the_rest() {
        let own = waiting(Some(key(1)), 200, false);
        assert_eq!(check_capacity(&own, Some(&key(1)), false), Err(CapacityError::Share(200)));
        assert_eq!(check_capacity(&own[1..], Some(&key(1)), false), Ok(()));
        assert_eq!((check_capacity(&own, Some(&key(2)), false), check_capacity(&own, None, false)), (Ok(()), Ok(())));
        let asked = waiting(Some(key(1)), 40, true);
        assert_eq!(check_capacity(&asked, Some(&key(1)), true), Err(CapacityError::ShareOfApprovals(40)));
        assert_eq!(check_capacity(&asked, Some(&key(1)), false), Ok(()), "it may still schedule");
        assert_eq!(check_capacity(&asked, Some(&key(2)), true), Ok(()));
    }

    #[test]
    fn the_last_fifth_is_for_those_without_a_limit() {
        let others: Vec<WaitingChange> = (1..=4).flat_map(|number| waiting(Some(key(number)), 200, false)).collect();
        assert_eq!(check_capacity(&others, Some(&key(5)), false), Err(CapacityError::Reserved(800)));
        assert_eq!(check_capacity(&others, None, false), Ok(()));
        let all = [others, waiting(None, 199, false), waiting(Some(key(4)), 1, false)].concat();
        assert_eq!(check_capacity(&all[1..], None, false), Ok(()));
        assert_eq!(check_capacity(&all, None, false), Err(CapacityError::All(1_000, Some((key(4), 201)))));
        let asked: Vec<WaitingChange> = (1..=5).flat_map(|number| waiting(Some(key(number)), 40, true)).collect();
        assert_eq!(check_capacity(&asked, Some(&key(6)), true), Err(CapacityError::Approvals(200)));
    }
}
