//! Filters of the list of events.

use super::{Event, EventId, EventKind, Subject, settled_at};
use crate::domain::change::is_same;
use crate::domain::{Change, Connection, ConnectionId, ExternalRef, Reference};
use jiff::Timestamp;

/// Filters of `listEvents`. A filter of `None` accepts every event; any other only events that have such a thing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EventFilters {
    pub kind: Option<EventKind>,
    /// Of changes with this reference.
    pub reference: Option<Reference>,
    /// Of changes that were requested under the `Idempotency-Key` with this digest.
    pub key_digest: Option<String>,
    /// Of changes and connections of this user of the customer.
    pub external_ref: Option<ExternalRef>,
    /// Of this connection and its changes.
    pub connection: Option<ConnectionId>,
    /// After this one, oldest first, of those that are settled: none with a smaller id can follow.
    pub since: Option<EventId>,
}

impl EventFilters {
    /// Returns `true` if the filters are on what a query reads by, so that it skips nothing.
    pub fn only_by_key(&self) -> bool {
        *self == EventFilters { external_ref: self.external_ref.clone(), since: self.since, ..EventFilters::default() }
    }

    /// The end of what a list since an event has: an event of the last moments may still be stored before others of its
    /// time. Events of a user are read by an index.
    pub fn settled_until(&self, now: Timestamp) -> EventId {
        EventId::first_at(settled_at(now, self.external_ref.is_some()))
    }

    /// Where the next list since an event continues: after a page that has a next one, or at the end of what is settled.
    /// That may be before `since`: a young one may still get others before it. It is not before the page, which begins
    /// after `after`: the clock of another process may be ahead. `None` for a list of another kind.
    pub fn next_since(&self, after: Option<EventId>, next: Option<EventId>, now: Timestamp) -> Option<EventId> {
        let end = after.max(Some(self.settled_until(now)));
        self.since.and(next.or(end))
    }

    /// Returns `true` if a page of the list may begin after this event. The end of a list since an event moves with the
    /// clock, so it does not count.
    pub fn contains(&self, id: EventId) -> bool {
        self.since.is_none_or(|since| id > since)
    }

    /// Returns `true` if an event passes all filters.
    pub fn accept(&self, event: &Event) -> bool {
        let EventFilters { kind, reference, key_digest, external_ref, connection, since: _ } = self;
        let change = event.subject.change();
        kind.is_none_or(|kind| event.kind == kind)
            && is_same(reference.as_ref(), change.and_then(|change| change.reference.as_ref()))
            && is_same(key_digest.as_ref(), change.and_then(|change| change.key_digest.as_ref()))
            && is_same(external_ref.as_ref(), event.subject.external_ref())
            && is_same(connection.as_ref(), event.subject.connection_id())
    }
}

impl Subject {
    /// The change that it is about.
    pub fn change(&self) -> Option<&Change> {
        match self {
            Subject::Change { change, .. } => Some(change),
            _ => None,
        }
    }

    /// The user of the customer that it is about, or whose connection, as it was then.
    pub fn external_ref(&self) -> Option<&ExternalRef> {
        match self {
            Subject::Change { change, .. } => change.external_ref.as_ref(),
            Subject::Connection { connection, .. } => connection.external_ref.as_ref(),
            Subject::User { user, .. } => Some(&user.external_ref),
            Subject::Limit { refusal, .. } => refusal.of.user(),
            Subject::Endpoint(_) | Subject::ApiKey { .. } | Subject::Quota { .. } | Subject::Billing { .. } => None,
        }
    }

    /// The connection that it is about.
    pub fn connection_id(&self) -> Option<&ConnectionId> {
        self.connection().map(|own| &own.id).or_else(|| self.change().map(|change| &change.connection))
    }

    fn connection(&self) -> Option<&Connection> {
        match self {
            Subject::Connection { connection, .. } => Some(connection),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_since_a_young_event_goes_on_from_what_is_settled() {
        let at = |second| EventId::first_at(Timestamp::from_second(second).unwrap());
        let now = Timestamp::from_second(1_000).unwrap();
        let next_since = |since, next| EventFilters { since, ..EventFilters::default() }.next_since(None, next, now);
        let settled = at(1_000 - 120);
        assert_eq!(next_since(Some(at(100)), None), Some(settled), "all were listed");
        assert_eq!(next_since(Some(at(100)), Some(at(200))), Some(at(200)), "there is another page");
        // An event of 989 s may still be stored.
        assert_eq!(next_since(Some(at(990)), None), Some(settled), "a young one");
        assert_eq!(next_since(None, None), None);
    }

    #[test]
    fn a_list_of_a_user_waits_until_its_index_has_followed() {
        let now = Timestamp::from_second(1_000).unwrap();
        let of_all = EventFilters { since: Some(EventId::first_at(Timestamp::UNIX_EPOCH)), ..EventFilters::default() };
        let of_user = EventFilters { external_ref: ExternalRef::parse("shop42"), ..of_all.clone() };
        let of_reference = EventFilters { reference: Reference::parse("order-42"), ..of_all.clone() };
        let seconds = |filters: &EventFilters| filters.next_since(None, None, now).unwrap().at().as_second();
        assert_eq!([&of_all, &of_user, &of_reference].map(seconds), [880, 100, 880]);
        let ahead = EventId::first_at(now);
        assert_eq!(of_all.next_since(Some(ahead), None, now), Some(ahead), "not before its own page");
    }

    #[test]
    fn a_page_begins_after_the_place_of_its_list() {
        let since = EventId::first_at(Timestamp::from_second(1_000).unwrap());
        let after = EventId::of_name(since.at(), "later");
        let filters = EventFilters { since: Some(since), ..EventFilters::default() };
        assert!(filters.contains(after) && !filters.contains(since));
        assert!(!filters.contains(EventId::first_at(Timestamp::UNIX_EPOCH)));
        assert!(EventFilters::default().contains(since));
    }
}
