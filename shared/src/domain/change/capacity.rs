//! How many changes of a customer may wait. A key with a spending limit has a share of that room, so that it takes none
//! from people, and a user of the customer has one, so that it takes none from other users (D95). Nothing counts them: what
//! waits is in an index, and leaves it however it ends.

use crate::domain::{ExternalRef, KeyId};
use std::collections::BTreeMap;

/// Most changes of a customer that wait, for their time or for a person.
pub const MAX_SCHEDULED: usize = 1_000;
/// Most changes of a customer that wait for a person.
pub const MAX_AWAITING: usize = 200;
/// A key with a spending limit has one part of this many; a user has it of what other users and the customer leave.
const SHARE: usize = 5;

/// A waiting change, as far as it counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WaitingChange {
    /// The requesting key, with or without a limit; `None` for a person.
    pub key: Option<KeyId>,
    /// The user of its connection.
    pub user: Option<ExternalRef>,
    pub awaits_person: bool,
}

/// Another change that is to wait.
#[derive(Clone, Copy, Debug)]
pub struct WaitRequest<'a> {
    /// The key of the request, if it has a spending limit.
    pub limited: Option<&'a KeyId>,
    /// The user of its connection.
    pub user: Option<&'a ExternalRef>,
    pub awaits_person: bool,
    /// Whether it waits already, for its time, and then for a person.
    pub is_waiting: bool,
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
    /// The user has its share of what waits.
    UserShare(usize),
    /// The user has its share of what waits for a person.
    UserShareOfApprovals(usize),
}

/// Refuses another waiting change if the customer has too many. A key with a spending limit may use a fifth of the capacity,
/// and none of the last fifth. A user may use a fifth of what the others leave, and at least one place: alone as much as
/// a key, and less where many wait, so that ten users who take all they may leave a tenth to the next ones.
pub fn check_capacity(waiting: &[WaitingChange], request: &WaitRequest<'_>) -> Result<(), CapacityError> {
    let approvals = waiting.iter().filter(|one| one.awaits_person).count();
    if let Some(key) = request.limited {
        check_share_of_key(waiting, key, request.awaits_person)?;
    }
    if request.awaits_person && approvals >= MAX_AWAITING {
        return Err(CapacityError::Approvals(approvals));
    }
    if waiting.len() >= MAX_SCHEDULED {
        return Err(CapacityError::All(waiting.len(), busiest(waiting)));
    }
    let Some(user) = request.user else { return Ok(()) };
    let (all, asked) = counts(waiting, |one| one.user.as_ref() == Some(user));
    if request.awaits_person && asked >= share_of_user(MAX_AWAITING, approvals - asked) {
        return Err(CapacityError::UserShareOfApprovals(asked));
    }
    if !request.is_waiting && all >= share_of_user(MAX_SCHEDULED, waiting.len() - all) {
        return Err(CapacityError::UserShare(all));
    }
    Ok(())
}

fn check_share_of_key(waiting: &[WaitingChange], key: &KeyId, awaits_person: bool) -> Result<(), CapacityError> {
    let (all, asked) = counts(waiting, |one| one.key.as_ref() == Some(key));
    if awaits_person && asked >= MAX_AWAITING / SHARE {
        return Err(CapacityError::ShareOfApprovals(asked));
    }
    if all >= MAX_SCHEDULED / SHARE {
        return Err(CapacityError::Share(all));
    }
    if waiting.len() >= MAX_SCHEDULED - MAX_SCHEDULED / SHARE {
        return Err(CapacityError::Reserved(waiting.len()));
    }
    Ok(())
}

/// The share of a user of this room, of which others use a part.
fn share_of_user(room: usize, others: usize) -> usize {
    (room.saturating_sub(others) / SHARE).max(1)
}

/// How many of these changes wait, and how many of those for a person.
fn counts(waiting: &[WaitingChange], is_counted: impl Fn(&WaitingChange) -> bool) -> (usize, usize) {
    let counted = || waiting.iter().filter(|one| is_counted(one));
    (counted().count(), counted().filter(|one| one.awaits_person).count())
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
        vec![WaitingChange { key, user: None, awaits_person }; count]
    }

    /// Another change of a key with a limit, or of somebody without one.
    fn check(waiting: &[WaitingChange], limited: Option<&KeyId>, awaits_person: bool) -> Result<(), CapacityError> {
        check_capacity(waiting, &WaitRequest { limited, user: None, awaits_person, is_waiting: false })
    }

    fn user(number: usize) -> ExternalRef {
        ExternalRef::parse(&format!("shop{number}")).unwrap()
    }

    fn of_user(number: usize, count: usize, awaits_person: bool) -> Vec<WaitingChange> {
        vec![WaitingChange { key: None, user: Some(user(number)), awaits_person }; count]
    }

    /// Another change of a user.
    fn check_user(waiting: &[WaitingChange], number: usize, awaits_person: bool) -> Result<(), CapacityError> {
        let request = WaitRequest { limited: None, user: Some(&user(number)), awaits_person, is_waiting: false };
        check_capacity(waiting, &request)
    }

    #[test]
    fn a_key_with_a_limit_has_a_fifth_and_leaves_the_rest() {
        let own = waiting(Some(key(1)), 200, false);
        assert_eq!(check(&own, Some(&key(1)), false), Err(CapacityError::Share(200)));
        assert_eq!(check(&own[1..], Some(&key(1)), false), Ok(()));
        assert_eq!((check(&own, Some(&key(2)), false), check(&own, None, false)), (Ok(()), Ok(())));
        let asked = waiting(Some(key(1)), 40, true);
        assert_eq!(check(&asked, Some(&key(1)), true), Err(CapacityError::ShareOfApprovals(40)));
        assert_eq!(check(&asked, Some(&key(1)), false), Ok(()), "it may still schedule");
        assert_eq!(check(&asked, Some(&key(2)), true), Ok(()));
    }

    /// Fills the share of a user; returns its size.
    fn fill_share(waiting: &mut Vec<WaitingChange>, number: usize, awaits_person: bool) -> usize {
        let before = waiting.len();
        while check_user(waiting, number, awaits_person).is_ok() {
            waiting.extend(of_user(number, 1, awaits_person));
        }
        waiting.len() - before
    }

    #[test]
    fn a_user_has_a_fifth_of_what_the_others_leave() {
        for (room, awaits_person) in [(MAX_AWAITING, true), (MAX_SCHEDULED, false)] {
            let mut waiting = Vec::new();
            let shares = [1, 2].map(|number| fill_share(&mut waiting, number, awaits_person));
            assert_eq!(shares, [room / 5, room * 4 / 25]);
            let is_person = |error| matches!(error, CapacityError::UserShareOfApprovals(_));
            let refused = check_user(&waiting, 1, awaits_person).map_err(is_person);
            assert_eq!(refused, Err(awaits_person), "the share of the first");
            assert_eq!(check(&waiting, None, awaits_person), Ok(()), "what is of no user has no share");
            let asked = waiting.iter().filter(|one| one.user == Some(user(2))).count();
            waiting.retain(|one| one.user == Some(user(2)));
            assert_eq!(asked + fill_share(&mut waiting, 2, awaits_person), room / 5, "the first has room again");
        }
    }

    #[test]
    fn what_waits_for_its_time_and_then_for_a_person_takes_one_place() {
        let mut waiting = Vec::new();
        let scheduled = fill_share(&mut waiting, 1, false);
        assert_eq!(check_user(&waiting, 1, true), Err(CapacityError::UserShare(scheduled)));
        let asks = WaitRequest { limited: None, user: Some(&user(1)), awaits_person: true, is_waiting: true };
        assert_eq!(check_capacity(&waiting, &asks), Ok(()));
        let asked = fill_share(&mut vec![], 1, true);
        let waiting = [waiting, of_user(1, asked, true)].concat();
        assert_eq!(check_capacity(&waiting, &asks), Err(CapacityError::UserShareOfApprovals(asked)));
    }

    #[test]
    fn ten_users_who_take_all_they_may_leave_a_tenth_to_the_next_ones() {
        let mut waiting = Vec::new();
        let shares: Vec<usize> = (1..=10).map(|number| fill_share(&mut waiting, number, true)).collect();
        assert_eq!(shares, [40, 32, 25, 20, 16, 13, 10, 8, 7, 5]);
        assert!(waiting.len() < MAX_AWAITING * 9 / 10, "{}", waiting.len());
        while waiting.len() < MAX_AWAITING {
            let next = waiting.len();
            assert!(fill_share(&mut waiting, next, true) > 0, "a user of whom nothing waits finds a place");
        }
        assert_eq!(check_user(&waiting, 1_000, true), Err(CapacityError::Approvals(MAX_AWAITING)));
    }

    #[test]
    fn the_last_fifth_is_for_those_without_a_limit() {
        let others: Vec<WaitingChange> = (1..=4).flat_map(|number| waiting(Some(key(number)), 200, false)).collect();
        assert_eq!(check(&others, Some(&key(5)), false), Err(CapacityError::Reserved(800)));
        assert_eq!(check(&others, None, false), Ok(()));
        let all = [others, waiting(None, 199, false), waiting(Some(key(4)), 1, false)].concat();
        assert_eq!(check(&all[1..], None, false), Ok(()));
        assert_eq!(check(&all, None, false), Err(CapacityError::All(1_000, Some((key(4), 201)))));
        let asked: Vec<WaitingChange> = (1..=5).flat_map(|number| waiting(Some(key(number)), 40, true)).collect();
        assert_eq!(check(&asked, Some(&key(6)), true), Err(CapacityError::Approvals(200)));
    }
}
