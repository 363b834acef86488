//! Invariants of the events of a run: every transition of a change has exactly one.

use super::environment::Environment;
use shared::domain::{Change, ChangeState, ChangeStatus, Event, EventFilters, EventKind, Subject};
use shared::store::table_keys;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Events read at a time.
const PAGE_SIZE: i32 = 1_000;
const ENDS: [EventKind; 6] = [
    EventKind::ChangeApplied,
    EventKind::ChangePartlyApplied,
    EventKind::ChangeFailed,
    EventKind::ChangeCanceled,
    EventKind::ChangeRejected,
    EventKind::ChangeExpired,
];

/// An event of a change.
struct ChangeEvent {
    kind: EventKind,
    change: Change,
    previous: Option<ChangeStatus>,
}

/// The violations of a run in which nothing is due any more.
pub(super) async fn violations(environment: &Environment) -> Vec<String> {
    let store = Arc::clone(&environment.start_without_faults().app);
    let (store, customer, now) = (&store.store, environment.customer, environment.now());
    let mut events =
        store.events(customer, &EventFilters::default(), None, PAGE_SIZE, now).await.expect("the table").events;
    events.reverse();
    let mut by_change: BTreeMap<String, Vec<ChangeEvent>> = BTreeMap::new();
    for Event { kind, subject, .. } in events {
        let Subject::Change { change, previous, .. } = subject else { continue };
        by_change.entry(change.id.to_string()).or_default().push(ChangeEvent { kind, change: *change, previous });
    }
    let mut violations = Vec::new();
    for id in environment.sort_keys().iter().filter_map(|sk| table_keys::parse_change_sk(sk)) {
        let change = store.change(customer, id).await.expect("the table").expect("a change");
        let events = by_change.remove(&id.to_string()).unwrap_or_default();
        let kinds: Vec<&str> = events.iter().map(|event| event.kind.as_str()).collect();
        let is_discarded = change.expires_at <= now;
        for broken in broken_rules(&change, is_discarded, &events) {
            violations.push(format!("{broken}: {kinds:?} of {change:?}"));
        }
    }
    violations.extend(by_change.keys().map(|id| format!("events of an unknown change: {id}")));
    violations
}

fn broken_rules(change: &Change, is_discarded: bool, events: &[ChangeEvent]) -> Vec<&'static str> {
    let count = |kind: EventKind| events.iter().filter(|event| event.kind == kind).count();
    let ends: Vec<&ChangeEvent> = events.iter().filter(|event| ENDS.contains(&event.kind)).collect();
    let of_attempt = |event: &ChangeEvent| event.change.attempt == change.attempt;
    let last = ends.iter().filter(|event| of_attempt(event)).count();
    let is_final = change.status(change.created_at()).is_final() && !is_discarded;
    let mut broken = Vec::new();
    let mut expect = |holds: bool, rule: &'static str| {
        if !holds {
            broken.push(rule);
        }
    };
    expect(last == usize::from(is_final), "the latest attempt has not exactly one end event");
    expect(ends.iter().all(|event| event.kind == end_of(&event.change.state)), "an end differs from its change");
    if let (true, Some(end)) = (is_final, ends.last()) {
        expect(same_end(&end.change, change), "the last end differs from the change");
        let was_in_doubt = events.iter().any(|event| event.kind == EventKind::ChangeInDoubt && of_attempt(event));
        let has_in_doubt_before = end.previous == Some(ChangeStatus::Unknown);
        expect(!has_in_doubt_before || was_in_doubt, "an in-doubt event is missing");
    }
    let is_later = change.apply_at.is_some_and(|apply_at| apply_at > change.created_at()) && change.asked.is_none();
    expect(count(EventKind::ChangeScheduled) == usize::from(is_later), "the schedule has not exactly one event");
    expect(
        count(EventKind::ChangeApproved) == usize::from(change.approval.is_some()),
        "the approval has not exactly one event",
    );
    expect(count(EventKind::ChangeLate) <= 1, "the lateness has two events");
    let doubts = events.iter().filter(|event| event.kind == EventKind::ChangeInDoubt && of_attempt(event)).count();
    expect(doubts <= 1, "an attempt has two in-doubt events");
    broken
}

fn end_of(state: &ChangeState) -> EventKind {
    match state {
        ChangeState::Applied => EventKind::ChangeApplied,
        ChangeState::PartlyApplied(_) => EventKind::ChangePartlyApplied,
        ChangeState::Failed(_) => EventKind::ChangeFailed,
        ChangeState::Canceled(_) => EventKind::ChangeCanceled,
        ChangeState::Rejected(_) => EventKind::ChangeRejected,
        _ => EventKind::ChangeExpired,
    }
}

/// Whether an event has the same end as the stored change.
fn same_end(event: &Change, change: &Change) -> bool {
    let of = |change: &Change| {
        let Change { state, campaign, before, after, settled_at, approval, action, .. } = change.clone();
        (state, campaign, before, after, settled_at, approval, action)
    };
    of(event) == of(change)
}
