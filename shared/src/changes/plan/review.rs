//! The preview for a person who decides on a change: what its execution would do if they approved it now.

use super::{DueAction, due, plan};
use crate::changes::facts::Facts;
use crate::changes::request::ChangeRequest;
use crate::domain::{Approval, Approver, CampaignChanges, Change, ChangeState, Reason};
use crate::error::{Error, Kind};
use jiff::Timestamp;

/// Plans a change that waits for a person as if they had approved it. Returns the changes for the platform, and refuses
/// what the execution would refuse.
pub(in crate::changes) fn review(request: &ChangeRequest<'_>, facts: &Facts) -> Result<CampaignChanges, Error> {
    let Some(pending) = &request.pending else {
        return Err(Error::internal("a review of a change that does not wait"));
    };
    let seen = Some(facts.values().with_held(&facts.record.held));
    let approval =
        Some(Approval { by: Approver::in_person(pending.requested_by.clone(), pending.request), at: facts.now, seen });
    let at = pending.apply_at.unwrap_or(facts.now);
    let approved = Change { approval, state: ChangeState::Scheduled, apply_at: Some(at), ..pending.clone() };
    match due(&approved, &facts.record, &facts.spendings(), at) {
        DueAction::Canceled(refusal) | DueAction::Failed(refusal) => return Err(*refusal),
        DueAction::Waits(start) => return Err(begins_later(start)),
        DueAction::Begins => {}
    }
    let (campaign, action) = (request.campaign.clone(), request.action.clone());
    let (remote_id, origin) = (request.remote_id.clone(), request.origin.clone());
    let only_if = request.only_if.clone();
    let request = ChangeRequest { pending: Some(approved), campaign, action, remote_id, origin, only_if, ..*request };
    Ok(plan(&request, facts)?.updates())
}

/// Refuses to approve an activation that would have to wait for the start that the service holds for the campaign.
fn begins_later(start: Timestamp) -> Error {
    let message = format!(
        "The campaign waits for its start at {start:.0}, which is later than this activation. It can be asked for with \
         apply_at, at the start or later."
    );
    Error::new(Kind::Conflict, message).because(Reason::DatesHeld)
}
