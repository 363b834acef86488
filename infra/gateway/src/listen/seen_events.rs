//! Which events of a list are new.

use super::listed_event::ListedEvent;
use jiff::{SignedDuration, Timestamp};
use shared::domain::EventId;
use std::collections::BTreeSet;
use tokio::time::Instant;

/// An event may appear in the list below newer ones: its id has the time at which it happened, and it is stored at the
/// end of a transition, at most one run of a function later. The longest runs take five minutes.
const LONGEST_DELAY: SignedDuration = SignedDuration::from_mins(6);

/// The events that have been seen. It uses the service's clock: the time of the newest event plus the time that has
/// passed on this machine since.
#[derive(Debug)]
pub(super) struct SeenEvents {
    /// The events from the horizon on.
    ids: BTreeSet<EventId>,
    /// No new event is older.
    horizon: EventId,
    /// The newest event, and when it was seen.
    newest: Option<(EventId, Instant)>,
}

impl SeenEvents {
    /// Nothing yet, in a list that begins with this event.
    pub(super) fn before(newest: Option<EventId>) -> SeenEvents {
        let horizon = newest.map_or(EventId::first_at(Timestamp::UNIX_EPOCH), |newest| horizon(newest.at()));
        SeenEvents { ids: BTreeSet::new(), horizon, newest: None }
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
    pub(super) fn take_new(&mut self, mut listed: Vec<ListedEvent>, now: Instant) -> Vec<ListedEvent> {
        listed.retain(|event| event.id >= self.horizon && self.ids.insert(event.id));
        listed.sort_by_key(|event| event.id);
        if let Some(id) = self.ids.last().filter(|id| self.newest.is_none_or(|(newest, _)| **id > newest)) {
            self.newest = Some((*id, now));
        }
        if let Some((id, seen_at)) = self.newest {
            // The time of the service is this or a later one.
            let passed = SignedDuration::try_from(now.duration_since(seen_at)).unwrap_or(LONGEST_DELAY);
            self.horizon = self.horizon.max(horizon(id.at().saturating_add(passed).unwrap_or(id.at())));
            self.ids = self.ids.split_off(&self.horizon);
        }
        listed
    }
}

/// The oldest event that may appear in the list at a time.
fn horizon(now: Timestamp) -> EventId {
    EventId::first_at(now.saturating_sub(LONGEST_DELAY).unwrap_or(Timestamp::UNIX_EPOCH))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    /// An event of a second.
    fn event(second: i64, name: &str) -> ListedEvent {
        let id = EventId::of_name(Timestamp::from_second(1_800_000_000 + second).unwrap(), name);
        ListedEvent { id, kind: name.to_owned(), payload: Default::default() }
    }

    fn new(seen: &mut SeenEvents, listed: Vec<ListedEvent>) -> Vec<ListedEvent> {
        seen.take_new(listed, Instant::now())
    }

    fn names(events: &[ListedEvent]) -> Vec<&str> {
        events.iter().map(|event| event.kind.as_str()).collect()
    }

    #[test]
    fn each_event_is_new_once_and_the_oldest_comes_first() {
        let mut seen = SeenEvents::before(None);
        assert_eq!(names(&new(&mut seen, vec![event(2, "b"), event(1, "a")])), ["a", "b"]);
        assert_eq!(names(&new(&mut seen, vec![event(3, "c"), event(2, "b"), event(1, "a")])), ["c"]);
        assert!(new(&mut seen, vec![event(3, "c"), event(3, "c")]).is_empty());
    }

    #[test]
    fn events_of_the_same_moment_are_told_apart() {
        let mut seen = SeenEvents::before(None);
        assert_eq!(names(&new(&mut seen, vec![event(1, "a")])), ["a"]);
        let mut listed = vec![event(1, "a"), event(1, "b"), event(1, "c")];
        listed.sort_by_key(|event| std::cmp::Reverse(event.id));
        let mut new = new(&mut seen, listed);
        new.sort_by(|a, b| a.kind.cmp(&b.kind));
        assert_eq!(names(&new), ["b", "c"]);
    }

    #[test]
    fn an_event_that_is_stored_late_is_new() {
        let mut seen = SeenEvents::before(None);
        new(&mut seen, vec![event(100, "b")]);
        assert_eq!(names(&new(&mut seen, vec![event(100, "b"), event(71, "late")])), ["late"]);
    }

    #[test]
    fn a_quiet_list_is_read_no_further_back_than_an_event_may_be_late() {
        let (mut seen, began) = (SeenEvents::before(None), Instant::now());
        seen.take_new(vec![event(2, "b"), event(1, "a")], began);
        assert!(!seen.is_reached(event(1, "a").id));
        seen.take_new(vec![event(2, "b"), event(1, "a")], began + Duration::from_secs(359));
        assert!(seen.is_reached(event(0, "old").id) && !seen.is_reached(event(2, "b").id));
        seen.take_new(vec![event(2, "b")], began + Duration::from_secs(600));
        assert!(seen.is_reached(event(2, "b").id) && seen.len() == 0);
        let listed = vec![event(700, "c"), event(2, "b")];
        assert_eq!(names(&seen.take_new(listed, began + Duration::from_secs(701))), ["c"]);
    }

    #[test]
    fn old_events_are_forgotten_and_never_new_again() {
        let mut seen = SeenEvents::before(Some(event(0, "first").id));
        new(&mut seen, vec![event(0, "first")]);
        assert!(!seen.is_reached(event(-300, "x").id) && seen.is_reached(event(-400, "x").id));
        // The API was away for an hour.
        assert_eq!(names(&new(&mut seen, vec![event(3600, "c"), event(1800, "b"), event(0, "first")])), ["b", "c"]);
        assert_eq!(seen.len(), 1);
        assert!(new(&mut seen, vec![event(1800, "b"), event(0, "first")]).is_empty());
    }
}
