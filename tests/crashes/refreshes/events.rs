//! Invariants of the events of a run: the creation of its connection, each change of its status and its removal have
//! exactly one.

use super::service::Service;
use shared::domain::{Connection, ConnectionStatus, Event, EventFilters, EventKind, Subject};

/// Events read at a time.
const PAGE_SIZE: i32 = 1_000;

/// The violations of a run that is over, in which the connection is as it is stored; `None` for one that is removed.
pub(super) async fn violations(service: &Service, stored: Option<&Connection>) -> Vec<String> {
    let (store, now) = (&service.app.store, service.app.clock.now());
    let events = store.events(service.customer, &EventFilters::default(), None, PAGE_SIZE, now).await;
    let events = events.expect("a read without faults").events;
    let count = |kind: EventKind| events.iter().filter(|event| event.kind == kind).count();
    let mut broken = Vec::new();
    let mut expect = |holds: bool, rule: &str| {
        if !holds {
            broken.push(format!("{rule}: {events:#?} of {stored:?}"));
        }
    };
    expect(count(EventKind::ConnectionActivated) == 1, "the consent is not told once");
    expect(count(EventKind::ConnectionRemoved) == usize::from(stored.is_none()), "the removal is not told once");
    expect(events.iter().all(fits), "an event does not fit its connection");
    let last = stored.map(|connection| connection.status).or_else(|| removed_as(&events));
    // Events of one moment have no order. Each status is left as often as it is reached, but for the last one.
    for status in [ConnectionStatus::Active, ConnectionStatus::Error, ConnectionStatus::Revoked] {
        let reached =
            usize::from(status == ConnectionStatus::Active) + events.iter().filter(|e| leads_to(e, status)).count();
        let left = events.iter().filter(|event| leaves(event, status)).count();
        expect(reached == left + usize::from(last == Some(status)), "the statuses are no way from one to the next");
    }
    broken
}

fn connection(event: &Event) -> Option<(&Connection, Option<ConnectionStatus>)> {
    match &event.subject {
        Subject::Connection { connection, previous } => {
            Some((connection, previous.as_ref().map(|previous| previous.status)))
        }
        _ => None,
    }
}

/// Whether the event is a change of the status of a connection that still exists.
fn is_move(event: &Event) -> bool {
    event.kind != EventKind::ConnectionRemoved
}

fn leads_to(event: &Event, status: ConnectionStatus) -> bool {
    let leads = |(connection, previous): (&Connection, Option<ConnectionStatus>)| {
        previous.is_some() && connection.status == status
    };
    is_move(event) && connection(event).is_some_and(leads)
}

fn leaves(event: &Event, status: ConnectionStatus) -> bool {
    is_move(event) && connection(event).is_some_and(|(_, previous)| previous == Some(status))
}

/// The status that a removed connection had.
fn removed_as(events: &[Event]) -> Option<ConnectionStatus> {
    let removal = events.iter().find(|event| event.kind == EventKind::ConnectionRemoved)?;
    connection(removal)?.1
}

/// Whether kind and status of an event agree, and an explanation is there where it belongs.
fn fits(event: &Event) -> bool {
    let Some((connection, previous)) = connection(event) else { return false };
    let has_reason = connection.reason.is_some();
    match event.kind {
        EventKind::ConnectionActivated => connection.status == ConnectionStatus::Active && previous.is_none(),
        EventKind::ConnectionRecovered => connection.status == ConnectionStatus::Active && !has_reason,
        EventKind::ConnectionError => connection.status == ConnectionStatus::Error && has_reason,
        EventKind::ConnectionRevoked => connection.status == ConnectionStatus::Revoked && has_reason,
        EventKind::ConnectionRemoved => connection.status == ConnectionStatus::Revoked && previous.is_some(),
        _ => false,
    }
}
