//! The events of changes.

use super::{Event, EventKind, Occurrence, ReadCampaign, Subject};
use crate::domain::{Change, ChangeState, ChangeStatus};
use jiff::Timestamp;

impl Event {
    /// The event of a change that is stored for the first time, now; `None` for one that is sent at once. The change may
    /// have the id of a request of hours ago.
    pub fn of_new(change: &Change, at: Timestamp) -> Option<Event> {
        match change.state {
            ChangeState::Scheduled if change.apply_at.is_some_and(|apply_at| apply_at > change.created_at()) => {
                Some(Event::of(change, EventKind::ChangeScheduled, None, at))
            }
            ChangeState::AwaitingApproval => Some(Event::of_awaiting(change, None, at)),
            _ => None,
        }
    }

    /// The event of a change that waits for a person from now on.
    pub fn of_awaiting(change: &Change, previous: Option<ChangeStatus>, at: Timestamp) -> Event {
        Event::of(change, EventKind::ChangeAwaitingApproval, previous, at)
    }

    /// The event of a change that a person has approved, as it is after the approval.
    pub fn of_approval(change: &Change, at: Timestamp) -> Event {
        Event::of(change, EventKind::ChangeApproved, Some(ChangeStatus::AwaitingApproval), at)
    }

    /// The event of a change whose outcome is unknown. It is as it is then.
    pub fn of_unknown_outcome(change: &Change, at: Timestamp) -> Event {
        Event::of(change, EventKind::ChangeInDoubt, Some(ChangeStatus::Sending), at)
    }

    /// The event of a change that still waits although its time is over.
    pub fn of_lateness(change: &Change, at: Timestamp) -> Event {
        Event::of(change, EventKind::ChangeLate, None, at)
    }

    /// The event of a change that has ended; `None` if it has none. `seen` is its campaign if that was read to find the
    /// end.
    pub fn of_end(change: &Change, previous: ChangeStatus, seen: Option<ReadCampaign>, at: Timestamp) -> Option<Event> {
        let kind = match change.state {
            ChangeState::Applied => EventKind::ChangeApplied,
            ChangeState::PartlyApplied(_) => EventKind::ChangePartlyApplied,
            ChangeState::Failed(_) => EventKind::ChangeFailed,
            ChangeState::Canceled(_) => EventKind::ChangeCanceled,
            ChangeState::Rejected(_) => EventKind::ChangeRejected,
            ChangeState::Expired => EventKind::ChangeExpired,
            ChangeState::Scheduled | ChangeState::AwaitingApproval | ChangeState::Sending => return None,
        };
        Some(Event::of_seen(change, kind, Some(previous), seen.or_else(|| ReadCampaign::of(change)), at))
    }

    fn of(change: &Change, kind: EventKind, previous: Option<ChangeStatus>, at: Timestamp) -> Event {
        Event::of_seen(change, kind, previous, ReadCampaign::of(change), at)
    }

    fn of_seen(
        change: &Change,
        kind: EventKind,
        previous: Option<ChangeStatus>,
        seen: Option<ReadCampaign>,
        at: Timestamp,
    ) -> Event {
        let occurrence = Occurrence { customer: change.customer, request: Some(change.request), at };
        let subject = Subject::Change { change: Box::new(change.clone()), previous, campaign: seen.map(Box::new) };
        Event::new(occurrence, kind, &format!("{}#{}", change.id, change.attempt), subject)
    }
}

impl ReadCampaign {
    /// The campaign as a change has read it last; `None` if it has not. What was read before the latest of several
    /// attempts may be as old as the first one.
    pub fn of(change: &Change) -> Option<ReadCampaign> {
        let began_at = match change.sent_at {
            Some(sent_at) if change.attempt <= 1 => sent_at,
            _ => change.began_at(),
        };
        let after = change.after.as_ref().map(|values| (values, change.settled_at.unwrap_or(began_at)));
        let before = change.before.as_ref().map(|values| (values, began_at));
        let asked = change.asked.as_ref().map(|values| (values, change.created_at()));
        let (values, read_at) = after.or(before).or(asked)?;
        Some(ReadCampaign { values: values.clone(), read_at })
    }
}
