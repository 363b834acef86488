//! The transitions of a change: each says whether it is possible, what the change is then, and which event tells it.
//! Nothing here reads or writes. The store puts the whole change that follows, if the stored one is the one before it.

mod attempts;
#[cfg(test)]
mod tests;
mod waiting;

pub use attempts::{Ending, Settlement};

use super::{Change, ChangeState};
use crate::domain::Event;
use jiff::Timestamp;

/// A change as a transition leaves it, and the event that tells it.
#[derive(Clone, Debug, PartialEq)]
pub struct Transition {
    /// Of the version after the one that it follows.
    pub change: Change,
    pub event: Option<Event>,
}

impl Transition {
    fn silent(change: Change) -> Transition {
        Transition { change, event: None }
    }
}

/// When maintenance looks at a change next.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum NextLook {
    /// At the time that its state says.
    #[default]
    OfState,
    At(Timestamp),
    /// Never, although it has no outcome: nothing of it was sent.
    Never,
}

impl Change {
    /// The change in its next version. Maintenance looks at it when its state says.
    fn next(&self) -> Change {
        Change { version: self.version + 1, next_look: NextLook::OfState, ..self.clone() }
    }

    /// The change, unless a later attempt at it has begun since this one.
    pub fn in_attempt(&self, number: i64) -> Option<&Change> {
        (self.attempt == number).then_some(self)
    }

    /// The time at which maintenance looks at the change; `None` for one that has ended.
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
