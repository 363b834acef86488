//! Why a change cannot be undone.

use crate::domain::{Action, Change, ChangeState, ChangeStatus, Reason};
use crate::error::{Error, Kind};
use jiff::Timestamp;

/// The refusal to undo a change that has ended and that has no [inverse](Change::inverse).
pub fn no_inverse(change: &Change) -> Error {
    let is_removed = change.after.as_ref().is_some_and(|after| after.status.is_final());
    let why = match (&change.action, &change.state) {
        (Action::Create(_), _) => "it has created a campaign, which can be paused or removed",
        (_, ChangeState::PartlyApplied(_)) => "only a part of it was applied, and the campaign shows which",
        (Action::Delete, _) => "a removed campaign does not come back",
        (Action::Update(_), _) if is_removed => "a removed campaign does not come back",
        (Action::Update(changes), _) if changes.names_date() => "it has moved dates",
        (Action::Update(changes), _) if changes.budget_period.is_some() => "it has named the period of the budget",
        (Action::Update(_), _) => "it has changed nothing that can be set again",
    };
    let message = format!("The change cannot be undone: {why}. Change the campaign itself.");
    Error::new(Kind::Conflict, message).because(Reason::StateConflict)
}

/// Refuses to undo a change that was not applied, or whose outcome is not known yet.
pub fn require_outcome(change: &Change, now: Timestamp) -> Result<(), Error> {
    let status = change.status(now);
    let message = match status {
        ChangeStatus::Sending | ChangeStatus::Unknown => {
            "The outcome of the change is not known yet, so it cannot be undone now. Send this request again once \
             getChange tells it."
                .to_owned()
        }
        ChangeStatus::Failed | ChangeStatus::Rejected | ChangeStatus::Expired => {
            format!("The change is {}: it has changed nothing, so nothing can be undone.", status.as_str())
        }
        ChangeStatus::Scheduled
        | ChangeStatus::AwaitingApproval
        | ChangeStatus::Applied
        | ChangeStatus::PartlyApplied
        | ChangeStatus::Canceled => return Ok(()),
    };
    let refusal = Error::new(Kind::Conflict, message).because(Reason::StateConflict);
    Err(if status.is_final() { refusal } else { refusal.retryable() })
}
