//! Cancels waiting changes: one, or all of a key or of an ad account.

use super::failure::change_error;
use super::record_update::{RecordUpdate, RecordWriter, UpdateOutcome, cancellations};
use crate::domain::{
    CampaignRecord, Change, ChangeOrigin, ChangeState, Connection, CustomerId, HeldDates, KeyId, Reason,
};
use crate::error::{Error, Kind};
use crate::store::Store;
use jiff::Timestamp;

/// Cancels a waiting change, and returns it. 409 for a change that does not wait. If the change is the pause at a held
/// end, the end is removed too.
pub async fn cancel(store: &Store, change: Change, by: &ChangeOrigin, at: Timestamp) -> Result<Change, Error> {
    if change.has_expired(at) {
        return Err(not_waiting(&change, at));
    }
    let (customer, id) = (change.customer, change.id);
    let of_end = if change.is_held { remove_end(store, &change, by, at).await? } else { UpdateOutcome::NotReferenced };
    // A pause at a held end is canceled only together with the end.
    if of_end == UpdateOutcome::NotReferenced
        && let Some(canceled) = store.end_waiting(&change, &ChangeState::Canceled(None), at).await?
    {
        return Ok(canceled);
    }
    let latest = store.change(customer, id).await?.unwrap_or(change);
    let is_canceled = of_end == UpdateOutcome::Stored && matches!(latest.state, ChangeState::Canceled(_));
    if is_canceled { Ok(latest) } else { Err(not_waiting(&latest, at)) }
}

/// Removes the held end of a pause. `NotReferenced` if the record names another pause, `Unchanged` if the pause does
/// not wait any more.
async fn remove_end(store: &Store, pause: &Change, by: &ChangeOrigin, at: Timestamp) -> Result<UpdateOutcome, Error> {
    let Some(campaign) = &pause.campaign else { return Ok(UpdateOutcome::NotReferenced) };
    let record = RecordWriter { store, customer: pause.customer, campaign, at };
    let named = |record: &CampaignRecord| (record.held.pause == Some(pause.id)).then(|| vec![pause.id]);
    let becomes = |record: &CampaignRecord, pauses| without_end(record, pauses, by, at);
    record.update(None, Some(vec![pause.clone()]), named, becomes).await
}

/// The record without its end. Cancels the pause with it: a campaign must not keep an end at which nothing happens.
fn without_end(record: &CampaignRecord, pauses: Vec<Change>, by: &ChangeOrigin, at: Timestamp) -> Option<RecordUpdate> {
    if pauses.iter().any(|pause| pause.state != ChangeState::Scheduled) {
        return None;
    }
    let held = HeldDates { end_at: None, pause: None, ..record.held };
    let (moved_by, updated_at) = (Some((by.request, at)), at.max(record.updated_at));
    let after = CampaignRecord { held, moved_by, updated_at, ..record.next() };
    let message = format!("The end was taken away by {}: the campaign runs until somebody pauses it.", by.requested_by);
    let reason = Error::new(Kind::Conflict, message).because(Reason::Superseded);
    Some(RecordUpdate { after, cancel: cancellations(pauses, &reason), store: Vec::new() })
}

fn not_waiting(change: &Change, now: Timestamp) -> Error {
    let state = change.status(now).as_str();
    let message =
        format!("The change is {state}. Only a change that waits, for its time or for approval, can be canceled.");
    Error::new(Kind::Conflict, message).because(Reason::NotWaiting)
}

/// Cancels the waiting changes of a key that is deleted.
pub async fn cancel_changes_of_key(
    store: &Store,
    customer: CustomerId,
    key: &KeyId,
    at: Timestamp,
) -> Result<(), Error> {
    let deleted = change_error(&Error::new(Kind::Conflict, "The API key was deleted.").because(Reason::KeyRevoked));
    store.cancel_changes_of_key(customer, key, &deleted, at).await
}

/// Cancels the changes that await approval because of a key's limit, once the limit is removed.
pub async fn cancel_awaiting_approval(
    store: &Store,
    customer: CustomerId,
    key: &KeyId,
    at: Timestamp,
) -> Result<(), Error> {
    let message = "The limit of the API key was taken away, so nobody has to approve this. Send it again.";
    let reason = change_error(&Error::new(Kind::Conflict, message).because(Reason::Superseded));
    store.cancel_awaiting_of_key(customer, key, &reason, at).await
}

/// Cancels the waiting changes of a key that is stopped.
pub(super) async fn cancel_changes_of_stopped_key(
    store: &Store,
    customer: CustomerId,
    key: &KeyId,
    at: Timestamp,
) -> Result<(), Error> {
    store.cancel_changes_of_key(customer, key, &change_error(&key_stopped()), at).await
}

/// Cancels the waiting changes of an ad account that is not connected any more.
pub async fn cancel_changes_of_account(
    store: &Store,
    customer: CustomerId,
    connection: &Connection,
    at: Timestamp,
) -> Result<(), Error> {
    let removed =
        change_error(&Error::new(Kind::Conflict, "The connection was removed.").because(Reason::NotConnected));
    store.cancel_changes_of_account(customer, connection, &removed, at).await
}

/// The reason of canceled changes of a stopped key.
pub(super) fn key_stopped() -> Error {
    Error::new(Kind::Conflict, "The API key was stopped.").because(Reason::KeyStopped)
}

#[cfg(test)]
#[test]
fn an_end_is_removed_with_its_pause() {
    use super::record_update::examples::{assert_consistent, at, by, waiting};
    use crate::domain::{CampaignChanges, CampaignStatus, Purpose};
    let pause = waiting(1, Purpose::HeldDate, CampaignChanges::of_status(CampaignStatus::Paused));
    let held = HeldDates { end_at: Some(at(90)), pause: Some(pause.id), ..HeldDates::default() };
    let record = CampaignRecord { held, updated_at: at(5), ..CampaignRecord::default() };
    let by = &ChangeOrigin::new(uuid::Uuid::from_u128(9), by("owner"));
    let moved = without_end(&record, vec![pause.clone()], by, at(3)).unwrap();
    assert_consistent(&record, &moved);
    assert_eq!(moved.after.held, HeldDates::default());
    assert_eq!((moved.after.moved_by, moved.after.updated_at), (Some((by.request, at(3))), at(5)));
    let under_way = Change { state: ChangeState::Sending, ..pause };
    assert_eq!(without_end(&record, vec![under_way], by, at(3)), None);
}
