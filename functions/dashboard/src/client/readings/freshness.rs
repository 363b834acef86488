//! How old a reading may be before it is read again, wherever it is kept.

use jiff::{SignedDuration, Timestamp};

/// How long a reading serves.
const FRESH: SignedDuration = SignedDuration::from_mins(3);
/// How long one serves that failed.
const FRESH_FAILURE: SignedDuration = SignedDuration::from_mins(1);
/// How long one serves a person who asks for newer numbers. Without it each click would ask the platforms again.
const FRESH_FOR_PERSON: SignedDuration = SignedDuration::from_secs(10);
/// A reading that takes longer, with those that it waits for, is lost: the process was frozen meanwhile.
pub(super) const LOST: SignedDuration = SignedDuration::from_secs(90);

/// Whether a reading of this age is shown without another one.
pub(super) fn is_fresh(age: SignedDuration, has_failed: bool, asks_for_newer: bool) -> bool {
    let most = match (asks_for_newer, has_failed) {
        (true, _) => FRESH_FOR_PERSON,
        (false, true) => FRESH_FAILURE,
        (false, false) => FRESH,
    };
    age < most
}

/// In how many seconds a person who asks for newer numbers than those of `read` gets them; `None` if the page has just read
/// them, or if they are old enough already.
pub(super) fn seconds_to_newer(read: Timestamp, now: Timestamp) -> Option<i64> {
    let age = now.duration_since(read);
    let is_too_soon = age >= SignedDuration::from_secs(1) && age < FRESH_FOR_PERSON;
    is_too_soon.then(|| FRESH_FOR_PERSON.as_secs() - age.as_secs())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reading_serves_for_minutes_and_for_seconds_if_a_person_asks() {
        let serves = |seconds, has_failed, asks| is_fresh(SignedDuration::from_secs(seconds), has_failed, asks);
        assert!(serves(179, false, false) && !serves(180, false, false));
        assert!(serves(59, true, false) && !serves(60, true, false));
        for has_failed in [false, true] {
            assert!(serves(9, has_failed, true) && !serves(10, has_failed, true));
        }
    }

    #[test]
    fn a_person_who_asks_too_soon_is_told_when_it_works() {
        let wait = |seconds| seconds_to_newer(Timestamp::UNIX_EPOCH, Timestamp::from_second(seconds).unwrap());
        assert_eq!([0, 1, 4, 9, 10, 60].map(wait), [None, Some(9), Some(6), Some(1), None, None]);
        assert_eq!(wait(-1), None, "it was read for this page");
    }
}
