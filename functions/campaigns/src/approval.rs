//! Creates that a person has to approve (D64 in docs/decisions.md): they are stored, and wait.

use crate::request::require_room;
use shared::domain::spending::NewBudget;
use shared::domain::{Change, ChangeState, Create, Reason};
use shared::envelope::Reply;
use shared::error::{Error, Kind};
use shared::serve::{Call, ScheduleOutcome};
use shared::store::SpendingState;

/// Whether a person has to approve a create of this budget with the key of the request.
pub(crate) fn create_needs_approval(call: &Call, budget: &NewBudget<'_>) -> bool {
    call.spending.as_ref().is_some_and(|state| state.spending.create_needs_approval(budget))
}

/// Refuses a create that the limit of the request's key does not admit now. Nothing is counted.
pub(crate) fn check_create(call: &Call, budget: NewBudget<'_>) -> Result<(), Error> {
    let Some(SpendingState { spending, .. }) = &call.spending else { return Ok(()) };
    let counted = spending.count_creates(&[budget], call.request.now);
    counted.map(drop).map_err(|refusal| Error::refused(spending, refusal))
}

/// Stores a create that a person has to approve. Nothing is counted before that.
pub(crate) async fn ask_create(call: &Call, create: &Create) -> Result<Reply, Error> {
    let checked = async {
        check_create(call, create.budget())?;
        require_room(call, true).await
    };
    if let Err(refusal) = checked.await {
        return call.scheduled_or(refusal).await;
    }
    let change = Change::from(create.clone());
    let (state, send_deadline) = (ChangeState::AwaitingApproval, call.request.now);
    let asked = Change { state, sent_at: None, attempt: 0, send_deadline, ..change };
    match call.schedule(asked).await? {
        ScheduleOutcome::Scheduled(change) => Ok(Reply::Waiting(change)),
        ScheduleOutcome::Replayed(stored) => Ok(Reply::Replayed(stored)),
    }
}

/// The refusal of a create with several targets, of which a person has to approve at least one.
pub(crate) fn one_by_one() -> Error {
    let message = "A person has to approve a create of this budget with this API key. Send one create for each ad \
                   account, without targets, so that each can be approved.";
    Error::new(Kind::Forbidden, message).because(Reason::ApprovalRequired)
}
