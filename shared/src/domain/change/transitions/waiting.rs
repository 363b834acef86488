//! The transitions of a change that waits, for its time or for a person.

use super::{NextLook, Transition};
use crate::domain::change::{
    Approval, Attempt, CampaignValues, Change, ChangeError, ChangeState, ChangeStatus, Executor, ReportedStates,
};
use crate::domain::{Event, ExternalRef};
use jiff::Timestamp;

impl Change {
    /// The change, if it waits for a person.
    pub fn awaiting(&self) -> Option<&Change> {
        (self.state == ChangeState::AwaitingApproval).then_some(self)
    }

    fn scheduled_one(&self) -> Option<&Change> {
        (self.state == ChangeState::Scheduled).then_some(self)
    }

    /// Puts off the next attempt at a change that waits for its time.
    pub fn postponed(&self, at: Timestamp) -> Option<Transition> {
        let known = self.scheduled_one()?;
        Some(Transition::silent(Change { next_look: NextLook::At(at), ..known.next() }))
    }

    /// Lets an activation wait for the start of its campaign. It is not late any more.
    pub fn moved_to_start(&self, at: Timestamp) -> Option<Transition> {
        let known = self.scheduled_one()?;
        let told = ReportedStates { late: false, ..known.told };
        Some(Transition::silent(Change { apply_at: Some(at), told, ..known.next() }))
    }

    /// Reports once that the change waits although its time is over.
    pub fn lateness_reported(&self, at: Timestamp) -> Option<Transition> {
        let known = self.scheduled_one().filter(|known| !known.told.late)?;
        let told = ReportedStates { late: true, ..known.told };
        let change = Change { told, next_look: known.next_look, ..known.next() };
        let event = Some(Event::of_lateness(&change, at));
        Some(Transition { change, event })
    }

    /// Lets a due change wait for approval. `asked` is the present campaign.
    pub fn awaiting_approval(&self, asked: &CampaignValues, at: Timestamp) -> Option<Transition> {
        let known = self.scheduled_one().filter(|known| known.approval.is_none())?;
        let (state, asked) = (ChangeState::AwaitingApproval, Some(asked.clone()));
        let change = Change { state, apply_at: None, send_deadline: at, asked, sent_at: None, ..known.next() };
        let event = Some(Event::of_awaiting(&change, Some(ChangeStatus::Scheduled), at));
        Some(Transition { change, event })
    }

    /// Approves an update or a removal, which is then due at its time.
    pub fn approved(&self, approval: &Approval) -> Option<Transition> {
        let known = self.awaiting_at(approval.at)?;
        let executed_by = if known.apply_at.is_some() { known.executed_by } else { Executor::Approval };
        let change = Change {
            state: ChangeState::Scheduled,
            executed_by,
            apply_at: Some(known.apply_at.unwrap_or(approval.at)),
            approval: Some(approval.clone()),
            ..known.next()
        };
        Some(Transition::approval(change, approval))
    }

    /// Approves a create, and begins its attempt.
    pub fn begun_on_approval(&self, approval: &Approval, attempt: Attempt) -> Option<Transition> {
        let known = self.awaiting_at(approval.at).filter(|known| known.is_next(attempt))?;
        let (executed_by, approved) = (Executor::Approval, Some(approval.clone()));
        Some(Transition::approval(Change { executed_by, approval: approved, ..known.sending(attempt) }, approval))
    }

    /// Gives a change that waits to the user whose connection it has become.
    pub fn given_to(&self, user: Option<&ExternalRef>) -> Option<Transition> {
        let waits = matches!(self.state, ChangeState::Scheduled | ChangeState::AwaitingApproval);
        let is_given = waits && self.external_ref.as_ref() != user;
        let next = || Change { external_ref: user.cloned(), next_look: self.next_look, ..self.next() };
        is_given.then(|| Transition::silent(next()))
    }

    /// Ends a change that waits: it is canceled, rejected or expired, or fails before anything was sent. One of which an
    /// earlier attempt had an effect is canceled in part.
    pub fn ended(&self, state: &ChangeState, at: Timestamp) -> Option<Transition> {
        let previous = match self.state {
            ChangeState::Scheduled => ChangeStatus::Scheduled,
            ChangeState::AwaitingApproval => ChangeStatus::AwaitingApproval,
            _ => return None,
        };
        let state = match state.clone() {
            ChangeState::Canceled(reason) if self.before.is_some() => {
                ChangeState::PartlyApplied(reason.unwrap_or_else(ChangeError::canceled_in_part))
            }
            state => state,
        };
        let change = Change { state, settled_at: Some(at), ..self.next() };
        let event = Event::of_end(&change, previous, None, at);
        Some(Transition { change, event })
    }

    /// The change, if a person may approve it at this time.
    fn awaiting_at(&self, at: Timestamp) -> Option<&Change> {
        self.awaiting().filter(|known| !known.has_expired(at))
    }
}

impl Transition {
    fn approval(change: Change, approval: &Approval) -> Transition {
        let event = Some(Event::of_approval(&change, approval.at));
        Transition { change, event }
    }
}
