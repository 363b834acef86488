//! Which events of a list are new.

use super::listed_event::ListedEvent;
use jiff::{SignedDuration, Timestamp};
use shared::domain::EventId;
use std::collections::BTreeSet;

/// An event may appear in the list below newer ones: its id has the time at which it happened, and it is stored at the
/// end of a transition, at most one run of a function later. The longest runs take five minutes.
const LONGEST_DELAY: SignedDuration = SignedDuration::from_mins(6);

/// The events that have been seen. All times are those of the service, so the clock of this machine does not matter.
#[derive(Debug)]
pub(super) struct Seen {
    /// The events from the horizon on.
    ids: BTreeSet<EventId>,
    /// No new event is older.
    horizon: EventId,
}

impl Seen {
    /// Nothing yet, in a list that begins with this event.
    pub(super) fn before(newest: Option<EventId>) -> Seen {
        Seen { ids: BTreeSet::new(), horizon: newest.map_or(EventId::first_at(Timestamp::UNIX_EPOCH), horizon) }
    }

    /// Whether a list that reaches down to this event has every new one.
    pub(super) fn is_reached(&self, oldest: EventId) -> bool {
        oldest < self.horizon
    }

    /// The number of events from the horizon on.
    pub(super) fn len(&self) -> usize {
        self.ids.len()
    }

    /// The new events of a list, oldest first. They have been seen from now on.
    pub(super) fn take_new(&mut self, mut listed: Vec<ListedEvent>) -> Vec<ListedEvent> {
        listed.retain(|event| event.id >= self.horizon && self.ids.insert(event.id));
        listed.sort_by_key(|event| event.id);
        if let Some(newest) = self.ids.last() {
            self.horizon = self.horizon.max(horizon(*newest));
            self.ids = self.ids.split_off(&self.horizon);
        }
        listed
    }
}

fn horizon(newest: EventId) -> EventId {
    EventId::first_at(newest.at().saturating_sub(LONGEST_DELAY).unwrap_or(Timestamp::UNIX_EPOCH))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An event of a second.
    fn event(second: i64, name: &str) -> ListedEvent {
        let id = EventId::of_name(Timestamp::from_second(1_800_000_000 + second).unwrap(), name);
        ListedEvent { id, kind: name.to_owned(), payload: Default::default() }
    }

    fn names(events: &[ListedEvent]) -> Vec<&str> {
        events.iter().map(|event| event.kind.as_str()).collect()
    }

    #[test]
    fn each_event_is_new_once_and_the_oldest_comes_first() {
        let mut seen = Seen::before(None);
        assert_eq!(names(&seen.take_new(vec![event(2, "b"), event(1, "a")])), ["a", "b"]);
        assert_eq!(names(&seen.take_new(vec![event(3, "c"), event(2, "b"), event(1, "a")])), ["c"]);
        assert!(seen.take_new(vec![event(3, "c"), event(3, "c")]).is_empty());
    }

    #[test]
    fn events_of_the_same_moment_are_told_apart() {
        let mut seen = Seen::before(None);
        assert_eq!(names(&seen.take_new(vec![event(1, "a")])), ["a"]);
        let mut listed = vec![event(1, "a"), event(1, "b"), event(1, "c")];
        listed.sort_by_key(|event| std::cmp::Reverse(event.id));
        let mut new = seen.take_new(listed);
        new.sort_by(|a, b| a.kind.cmp(&b.kind));
        assert_eq!(names(&new), ["b", "c"]);
    }

    #[test]
    fn an_event_that_is_stored_late_is_new() {
        let mut seen = Seen::before(None);
        seen.take_new(vec![event(100, "b")]);
        assert_eq!(names(&seen.take_new(vec![event(100, "b"), event(71, "late")])), ["late"]);
    }

    #[test]
    fn old_events_are_forgotten_and_never_new_again() {
        let mut seen = Seen::before(Some(event(0, "first").id));
        seen.take_new(vec![event(0, "first")]);
        assert!(!seen.is_reached(event(-300, "x").id) && seen.is_reached(event(-400, "x").id));
        // The API was away for an hour.
        assert_eq!(names(&seen.take_new(vec![event(3600, "c"), event(1800, "b"), event(0, "first")])), ["b", "c"]);
        assert_eq!(seen.len(), 1);
        assert!(seen.take_new(vec![event(1800, "b"), event(0, "first")]).is_empty());
    }
}
