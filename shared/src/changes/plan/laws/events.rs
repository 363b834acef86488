//! Each change that begins to wait, and each that ends, is told once.

use super::*;
use crate::domain::{ChangeError, ChangeStatus, Event, EventKind, ReadCampaign, Settlement, Subject};
use crate::store::RecordMove;
use std::collections::HashSet;

/// What an event tells of a change.
#[derive(Clone, Debug, PartialEq)]
struct Notice {
    change: ChangeId,
    kind: EventKind,
    previous: Option<ChangeStatus>,
    state: ChangeState,
}

impl Notice {
    fn by(event: Event) -> Notice {
        let Subject::Change { change, previous, .. } = event.subject else { panic!("{event:?}") };
        Notice { change: change.id, kind: event.kind, previous, state: change.state }
    }

    /// That a change is stored; `None` for one that is sent at once.
    fn new(change: &Change) -> Option<Notice> {
        let (kind, previous) = match change.state {
            ChangeState::Scheduled => (EventKind::ChangeScheduled, None),
            ChangeState::AwaitingApproval => (EventKind::ChangeAwaitingApproval, None),
            ChangeState::Applied => (EventKind::ChangeApplied, Some(ChangeStatus::Sending)),
            ChangeState::Sending => return None,
            _ => panic!("{change:?} is stored"),
        };
        Some(Notice { change: change.id, kind, previous, state: change.state.clone() })
    }

    fn canceled((change, reason): &(Change, Option<ChangeError>)) -> Notice {
        let previous = Some(ChangeStatus::Scheduled);
        let state = ChangeState::Canceled(reason.clone());
        Notice { change: change.id, kind: EventKind::ChangeCanceled, previous, state }
    }
}

/// The events that the commit of a plan stores.
fn events(request: &ChangeRequest<'_>, facts: &Facts, plan: &ChangePlan) -> Vec<Event> {
    let ChangePlan { cancel, store: put, record, change, .. } = plan;
    let (campaign, before, after) = (&request.campaign, &facts.record, record.clone());
    let moved = RecordMove { campaign, before, after, cancel, put, at: request.now() };
    let moved = if plan.changes_record(facts) { moved.events() } else { Vec::new() };
    // An attempt at a change that has waited has no event.
    let new = if request.pending.is_none() { change.as_ref() } else { None };
    moved.into_iter().chain(new.and_then(|change| Event::of_new(change, request.now()))).collect()
}

fn ids(events: &[Event]) -> Vec<String> {
    events.iter().map(|event| event.id.to_string()).collect()
}

#[test]
fn each_stored_or_canceled_change_has_one_event() {
    for_all(10_000, |numbers, request, facts| {
        let attempt = next_attempt(numbers, request, facts);
        let request = attempt.as_ref().unwrap_or(request);
        let Ok(planned) = plan(request, facts) else { return false };
        // What has waited for its time and waits for a person now moves nothing yet.
        if planned.verdict == Verdict::AwaitsApproval && request.pending.is_some() {
            return false;
        }
        let is_sent_beside = planned.store.iter().any(|change| change.state == ChangeState::Sending);
        assert!(!is_sent_beside, "what is stored beside waits, or has its outcome: {planned:#?}");
        let new = if request.pending.is_none() { planned.change.as_ref() } else { None };
        let stored = planned.store.iter().chain(new).filter_map(Notice::new);
        let mut expected: Vec<Notice> = planned.cancel.iter().map(Notice::canceled).chain(stored).collect();
        let events = events(request, facts, &planned);
        let mut told: Vec<Notice> = events.iter().cloned().map(Notice::by).collect();
        expected.sort_by_key(|told| told.change);
        told.sort_by_key(|told| told.change);
        assert_eq!(told, expected, "{planned:#?}");
        let distinct: HashSet<String> = ids(&events).into_iter().collect();
        assert_eq!(distinct.len(), events.len(), "{planned:#?}");
        let again = super::events::events(request, facts, &plan(request, facts).unwrap());
        assert_eq!(ids(&again), ids(&events), "a commit that is tried again tells nothing twice");
        !events.is_empty()
    });
}

/// A change whose attempt is under way, or whose outcome is unknown.
fn sending(numbers: &mut TestRandom, request: &ChangeRequest<'_>, facts: &Facts) -> Change {
    let change = waiting(numbers, request.connection, CampaignStatus::Paused, now());
    let attempt = numbers.one_of(&[1, 2, 3]);
    let in_doubt = numbers.once_in(2).then(|| numbers.one_of(&[1, 2, 3]));
    let told = crate::domain::ReportedStates { in_doubt, ..change.told };
    let before = numbers.once_in(2).then(|| facts.values());
    Change { state: ChangeState::Sending, attempt, told, before, ..change }
}

fn settlement(numbers: &mut TestRandom, request: &ChangeRequest<'_>) -> Settlement {
    let error = ChangeError { message: "no".into(), ..ChangeError::default() };
    let state = match numbers.below(9) {
        0 => ChangeState::Scheduled,
        1 => ChangeState::AwaitingApproval,
        2 => ChangeState::Sending,
        3 => ChangeState::Applied,
        4 => ChangeState::PartlyApplied(error),
        5 => ChangeState::Failed(error),
        6 => ChangeState::Canceled(numbers.once_in(2).then_some(error)),
        7 => ChangeState::Rejected(error),
        _ => ChangeState::Expired,
    };
    let read = |numbers: &mut TestRandom| {
        let values = CampaignValues::of(&campaign(numbers, request.connection));
        numbers.once_in(2).then_some(values)
    };
    let (before, after, seen) = (read(numbers), read(numbers), read(numbers));
    let seen = seen.map(|values| ReadCampaign { values, read_at: now() });
    let campaign = numbers.once_in(2).then(|| request.campaign.clone());
    Settlement { state, campaign, before, after, seen, at: hours(numbers.one_of(&[1, 2])) }
}

/// The kind of the event that tells an outcome; `None` for a state that is none.
fn kind_of(state: &ChangeState) -> Option<EventKind> {
    match state {
        ChangeState::Scheduled | ChangeState::AwaitingApproval | ChangeState::Sending => None,
        ChangeState::Applied => Some(EventKind::ChangeApplied),
        ChangeState::PartlyApplied(_) => Some(EventKind::ChangePartlyApplied),
        ChangeState::Failed(_) => Some(EventKind::ChangeFailed),
        ChangeState::Canceled(_) => Some(EventKind::ChangeCanceled),
        ChangeState::Rejected(_) => Some(EventKind::ChangeRejected),
        ChangeState::Expired => Some(EventKind::ChangeExpired),
    }
}

#[test]
fn each_outcome_has_one_event_with_the_former_state() {
    for_all(50_000, |numbers, request, facts| {
        let (change, settlement) = (sending(numbers, request, facts), settlement(numbers, request));
        let told_by = |change: &Change| change.settled(&settlement).expect("it has no outcome").event;
        let told = told_by(&change);
        assert_eq!(told, told_by(&change), "a write that is tried again tells nothing twice");
        let Some(kind) = kind_of(&settlement.state) else {
            assert_eq!(told, None);
            return false;
        };
        let event = told.expect("an event");
        let doubt = Event::of_unknown_outcome(&change, settlement.at);
        let next = told_by(&Change { attempt: change.attempt + 1, ..change.clone() }).expect("an event");
        assert!(doubt.id != event.id && next.id != event.id, "each attempt has events of its own");
        let is_doubted = change.told.in_doubt == Some(change.attempt);
        let before = if is_doubted { ChangeStatus::Unknown } else { ChangeStatus::Sending };
        let Subject::Change { change: settled, previous, campaign } = event.subject else { panic!("{kind:?}") };
        assert_eq!((event.kind, previous, event.request), (kind, Some(before), Some(change.request)));
        assert_eq!((settled.state, settled.settled_at), (settlement.state, Some(settlement.at)));
        assert_eq!((settled.id, settled.attempt), (change.id, change.attempt));
        assert_eq!(settled.before, settlement.before.or(change.before));
        let seen = settlement.seen.map(|seen| seen.values).or(settlement.after).or(settled.before);
        assert_eq!(campaign.map(|campaign| campaign.values), seen, "the campaign as it was read last");
        true
    });
}
