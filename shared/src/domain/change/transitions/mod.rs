//! The transitions of a change. Each is a pure function that returns the changed change and its event, or `None` if the
//! transition is not possible. Nothing here reads or writes. The store puts the whole change that follows, if the
//! stored one is the one before it.

mod attempts;
#[cfg(test)]
mod tests;
mod waiting;

pub use attempts::{Ending, Settlement};

use super::{Change, ChangeState};
use crate::domain::Event;
use jiff::Timestamp;

/// A change after a transition, and the event that reports it.
#[derive(Clone, Debug, PartialEq)]
pub struct Transition {
    /// In its next version.
    pub change: Change,
    pub event: Option<Event>,
}

impl Transition {
    fn silent(change: Change) -> Transition {
        Transition { change, event: None }
    }
}

/// When maintenance processes a change next.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum NextLook {
    /// At the time that follows from its state.
    #[default]
    OfState,
    At(Timestamp),
    /// Never, although it has no outcome: nothing was sent.
    Never,
}

impl Change {
    /// The change in its next version. Its due time follows from its state.
    fn next(&self) -> Change {
        Change { version: self.version + 1, next_look: NextLook::OfState, ..self.clone() }
    }

    /// The change, unless a later attempt at it has begun since this one.
    pub fn in_attempt(&self, number: i64) -> Option<&Change> {
        (self.attempt == number).then_some(self)
    }

    /// The time at which maintenance processes the change; `None` for a change that has ended.
    pub fn due_at(&self) -> Option<Timestamp> {
        let of_state = match self.state {
            ChangeState::Scheduled => self.apply_at,
            ChangeState::AwaitingApproval => Some(self.approval_until()),
            ChangeState::Sending => Some(self.send_deadline),
            ChangeState::Applied
            | ChangeState::PartlyApplied(_)
            | ChangeState::Failed(_)
            | ChangeState::Canceled(_)
            | ChangeState::Rejected(_)
            | ChangeState::Expired => None,
        };
        match self.next_look {
            NextLook::OfState => of_state,
            NextLook::At(at) => of_state.map(|_| at),
            NextLook::Never => None,
        }
    }

    /// Extends the retention.
    pub fn renewed(&self, now: Timestamp) -> Option<Transition> {
        let renewed = Change { expires_at: Change::expiry_from(now), next_look: self.next_look, ..self.next() };
        (self.next_look != NextLook::Never).then(|| Transition::silent(renewed))
    }
}
