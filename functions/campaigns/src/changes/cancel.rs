//! `cancelChange`.

use super::{KIND, not_found};
use shared::changes::change_error;
use shared::domain::{CampaignRecord, Change, ChangeId, ChangeState, HeldDates, Reason};
use shared::envelope::Reply;
use shared::envelope::query::reject_unknown_params;
use shared::error::{Error, Kind};
use shared::serve::Call;
use shared::store::RecordMove;

/// Cancels a change that waits for its time or for a person. 409 for any other. Without the pause at its end that this
/// service holds, a campaign has no end.
pub(crate) async fn cancel(call: &Call) -> Result<Reply, Error> {
    reject_unknown_params(&call.request.query, &[])?;
    call.request.reject_body()?;
    let id = ChangeId::parse(&call.request.parameter).ok_or_else(not_found)?;
    let change = read(call, id).await?;
    require_own(call, &change)?;
    if change.has_expired(call.request.now) {
        return Err(too_late(&change, call));
    }
    let canceled = match change.is_held && cancel_end(call, &change).await? {
        true => Some(read(call, id).await?).filter(|change| matches!(change.state, ChangeState::Canceled(_))),
        false => call.store().end_waiting(&change, &ChangeState::Canceled(None), call.request.now).await?,
    };
    match canceled {
        Some(canceled) => Ok(Reply::Change(Box::new(canceled))),
        None => Err(too_late(&read(call, id).await?, call)),
    }
}

/// A key with a limit cancels what it has asked for, and nothing else: another change may be what stops a campaign.
fn require_own(call: &Call, change: &Change) -> Result<(), Error> {
    let Some(state) = &call.spending else { return Ok(()) };
    if change.requested_by.is_key(&state.spending.key) {
        return Ok(());
    }
    let message = "An API key with a spending limit cancels only changes that it has asked for.";
    Err(Error::new(Kind::Forbidden, message).because(Reason::SpendingLimit))
}

async fn read(call: &Call, id: ChangeId) -> Result<Change, Error> {
    let change = call.store().change(call.customer.id, id).await?;
    let change = change.filter(|change| change.expires_at > call.request.now).ok_or_else(not_found)?;
    call.require_visible(change, KIND)
}

/// Cancels the pause at the end of a campaign, and takes the end away. `false`, with nothing changed, if the change is
/// another one or does not wait.
async fn cancel_end(call: &Call, change: &Change) -> Result<bool, Error> {
    let Some(campaign) = &change.campaign else { return Ok(false) };
    let (store, customer, at) = (call.store(), call.customer.id, call.request.now);
    let record = store.latest_record(customer, campaign).await?.unwrap_or_default();
    if record.held.pause != Some(change.id) {
        return Ok(false);
    }
    let held = HeldDates { end_at: None, pause: None, ..record.held };
    let (moved_by, updated_at) = (Some((call.request.request_id, at)), at.max(record.updated_at));
    let after = CampaignRecord { held, moved_by, updated_at, ..record.next() };
    let message =
        format!("The end was taken away by {}: the campaign runs until somebody pauses it.", call.requester()?);
    let reason = change_error(&Error::new(Kind::Conflict, message).because(Reason::Superseded));
    let cancel = &[(change.clone(), Some(reason))];
    let moved = RecordMove { campaign, before: &record, after, cancel, put: &[], at };
    if store.move_record(customer, &moved).await? || read(call, change.id).await?.state != ChangeState::Scheduled {
        return Ok(true);
    }
    // Without the pause alone the campaign would keep an end at which nothing happens.
    let message = "Another request has moved a date of the campaign. Send this request again.";
    Err(Error::new(Kind::Conflict, message).because(Reason::ChangedMeanwhile).retryable())
}

fn too_late(change: &Change, call: &Call) -> Error {
    let state = change.status(call.request.now).as_str();
    let message =
        format!("The change is {state}. Only a change that waits, for its time or for approval, can be canceled.");
    Error::new(Kind::Conflict, message).because(Reason::NotWaiting)
}
