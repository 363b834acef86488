//! `reviewChange`, `approveChange`, `rejectChange`: a person decides in the product of the customer, whose key tells who
//! it was (D161). What is checked is what the dashboard checks.

use super::KIND;
use shared::changes::{self, Proposal, Review, not_awaiting_approval};
use shared::domain::{Approver, Change, Reason};
use shared::envelope::query::reject_unknown_params;
use shared::envelope::{ApprovalRequest, ChangeReview, RejectionRequest, Reply, read_approval, read_rejection};
use shared::error::Error;
use shared::serve::Call;

/// Where the version of a change is, in an error.
const LOOK_AGAIN: &str = "GET /v1/changes/{id}/review has the version to approve.";

/// Reads what a person decides on. 409 for a change that does not wait for a person, and the error of a platform that
/// could not be asked.
pub(crate) async fn review(call: &Call, prefetched: Result<Change, Error>) -> Result<Reply, Error> {
    reject_unknown_params(&call.request.query, &[])?;
    let change = call.require_visible(prefetched?, KIND)?;
    let (reviewed, now) = (changes::review(&call.request.app, change).await?, call.request.now);
    let (version, before, after) = (reviewed.version(), reviewed.before().cloned(), reviewed.after(now));
    let Review { change, spendings, raised, proposal } = reviewed;
    let Some(Proposal { run, .. }) = proposal else { return Err(not_awaiting_approval(&change, now)) };
    let refusal = match run.outcome {
        Err(error) if error.kind.is_inconclusive() => return Err(error),
        outcome => outcome.err(),
    };
    Ok(Reply::Review(Box::new(ChangeReview {
        change,
        version,
        before,
        after,
        spendings: spendings.map(|spending| call.visible_spending(spending)),
        raised_from: raised.map(|raised| raised.from),
        requests: run.requests,
        is_checked_by_platform: run.is_checked_by_platform,
        refusal,
    })))
}

/// Approves a change that waits for a person, and answers with the change. A key approves nothing that it has asked for.
pub(crate) async fn approve(call: &Call, prefetched: Result<Change, Error>) -> Result<Reply, Error> {
    reject_unknown_params(&call.request.query, &[])?;
    let ApprovalRequest { version, approved_by } = read_approval(call.request.json_body()?)?;
    let change = call.require_visible(prefetched?, KIND)?;
    let by = approver(call, approved_by)?;
    let approved = changes::approve(&call.request.app, change, by, &version).await;
    approved.map(|change| Reply::Change(Box::new(change))).map_err(|error| match error.reason() {
        Reason::ChangedMeanwhile => Error { message: error.message.and(LOOK_AGAIN), ..error },
        _ => error,
    })
}

/// Rejects a change that waits for a person, and answers with the change.
pub(crate) async fn reject(call: &Call, prefetched: Result<Change, Error>) -> Result<Reply, Error> {
    reject_unknown_params(&call.request.query, &[])?;
    let RejectionRequest { rejected_by, reason } = read_rejection(call.request.json_body()?)?;
    let change = call.require_visible(prefetched?, KIND)?;
    let by = approver(call, rejected_by)?;
    let rejected = changes::reject(&call.request.app, change, &by, reason.as_deref()).await?;
    Ok(Reply::Change(Box::new(rejected)))
}

/// The key of the request, with its product's word for the person.
fn approver(call: &Call, person: String) -> Result<Approver, Error> {
    Ok(Approver { by: call.requester()?, person: Some(person), request: Some(call.request.request_id) })
}
