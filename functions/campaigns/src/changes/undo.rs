//! `undoChange`: cancels a change that waits, and makes the inverse of an applied one. A campaign that somebody has changed
//! since keeps its values. The undo of a bulk change is another bulk change, and so is that of a set of changes.

use super::cancel::require_cancelable;
use super::{KIND, not_found};
use crate::bulk;
use crate::edit;
use crate::request::CampaignInPath;
use shared::changes::request::ChangeRequest;
use shared::changes::request::number::ALL;
use shared::changes::{RemainingWork, StoredState};
use shared::changes::{cancel, execute, find_account, find_connection, no_inverse, remaining_work, require_outcome};
use shared::domain::spending::Spender;
use shared::domain::{
    Action, BulkAccount, BulkId, Change, ChangeId, ChangeOrigin, ChangeState, CustomerId, ExternalRef, Inverse,
    Reference, Requester, Spending,
};
use shared::envelope::query::reject_unknown_params;
use shared::envelope::{Reply, UndoRequest, read_undo};
use shared::error::Error;
use shared::serve::{ApiRequest, Call, ChangeClaim, earlier_outcome_unknown};
use shared::store::SpendingState;
use uuid::Uuid;

/// The change that the path names, or the bulk change and its ad accounts.
pub(crate) enum UndoTarget {
    Change(Box<Change>),
    Bulk(BulkId, Vec<BulkAccount>),
}

/// Reads the change, or the ad accounts of a bulk change, during authentication.
pub(crate) async fn prefetch(request: &ApiRequest, customer: CustomerId) -> Result<UndoTarget, Error> {
    match BulkId::parse(&request.parameter) {
        Some(id) => {
            bulk::prefetch_one(request, customer, id).await.map(|(id, accounts)| UndoTarget::Bulk(id, accounts))
        }
        None => super::prefetch(request, customer).await.map(|change| UndoTarget::Change(Box::new(change))),
    }
}

pub(crate) async fn undo(call: &Call, prefetched: Result<UndoTarget, Error>) -> Result<Reply, Error> {
    reject_unknown_params(&call.request.query, &[])?;
    let UndoRequest { connection, changes, reference } = match call.request.json_body().and_then(read_undo) {
        Ok(request) => request,
        Err(refusal) => return call.replay_earlier_or_refuse(refusal).await,
    };
    call.note_reference(reference.as_ref());
    match (prefetched?, connection) {
        (UndoTarget::Change(change), _) if !changes.is_empty() => undo_set(call, *change, &changes, reference).await,
        (UndoTarget::Bulk(..), _) if !changes.is_empty() => {
            Err(Error::field("changes", "must be absent: the path names a bulk change, which has its changes"))
        }
        (UndoTarget::Bulk(id, accounts), connection) => {
            undo_bulk(call, id, accounts, connection.as_deref(), reference).await
        }
        (UndoTarget::Change(change), None) => undo_change(call, call.require_visible(*change, KIND)?, reference).await,
        (UndoTarget::Change(change), Some(_)) => {
            call.require_visible(*change, KIND)?;
            Err(Error::field("connection_id", "must be absent: it chooses an ad account of a bulk change"))
        }
    }
}

/// Undoes a bulk change, in all of its ad accounts or in the one of a connection.
async fn undo_bulk(
    call: &Call,
    id: BulkId,
    accounts: Vec<BulkAccount>,
    connection: Option<&str>,
    reference: Option<Reference>,
) -> Result<Reply, Error> {
    let accounts: Vec<BulkAccount> = call.visible(accounts).collect();
    if accounts.is_empty() {
        return Err(bulk::not_found());
    }
    let is_chosen = |account: &BulkAccount| connection.is_none_or(|connection| account.connection.0 == connection);
    let chosen: Vec<BulkAccount> = accounts.into_iter().filter(is_chosen).collect();
    let Some(first) = chosen.first() else { return Err(Error::not_found("connection")) };
    require_cancelable(call, &first.requested_by, first.external_ref.as_ref(), id.0).await?;
    if !call.sees_everything() {
        for account in &chosen {
            find_account(&call.connected, account.platform, &account.account_id)?;
        }
    }
    bulk::undo(call, id, &chosen, reference).await
}

/// Undoes a set of changes: the one of the path, and those of the body.
async fn undo_set(call: &Call, change: Change, ids: &[ChangeId], reference: Option<Reference>) -> Result<Reply, Error> {
    let others: Vec<ChangeId> = ids.iter().filter(|id| **id != change.id).copied().collect();
    let found = call.store().changes_by_id(call.customer.id, &others, call.request.now).await?;
    if found.len() != others.len() {
        return Err(not_found());
    }
    let mut set = vec![call.require_visible(change, KIND)?];
    for other in found {
        set.push(call.require_visible(other, KIND)?);
    }
    let mut checked: Vec<(&Requester, Option<&ExternalRef>, Uuid)> = Vec::new();
    for change in &set {
        let asked = (&change.requested_by, change.external_ref.as_ref(), change.request);
        if !checked.contains(&asked) {
            require_cancelable(call, asked.0, asked.1, asked.2).await?;
            checked.push(asked);
        }
        if !call.sees_everything() {
            find_account(&call.connected, change.platform, &change.account_id)?;
        }
    }
    bulk::undo_set(call, &set, reference).await
}

async fn undo_change(call: &Call, change: Change, reference: Option<Reference>) -> Result<Reply, Error> {
    let earlier = match call.claim_change(ALL).await? {
        ChangeClaim::Replayed(stored) => return Ok(Reply::Replayed(stored)),
        ChangeClaim::New => Vec::new(),
        ChangeClaim::Repeated(earlier) => earlier,
    };
    if change.is_open() && earlier.is_empty() {
        require_cancelable(call, &change.requested_by, change.external_ref.as_ref(), change.request).await?;
        let by = ChangeOrigin::new(call.request.request_id, call.requester()?);
        let canceled = cancel(call.store(), change, &by, call.request.now).await?;
        return Ok(Reply::Change(Box::new(canceled)));
    }
    if matches!(change.state, ChangeState::Canceled(_)) {
        return Ok(Reply::Change(Box::new(change)));
    }
    require_outcome(&change, call.request.now)?;
    let inverse = change.inverse().ok_or_else(|| no_inverse(&change))?;
    make_inverse(call, change, inverse, earlier, reference).await
}

/// Makes the inverse of a change. `earlier` has the changes that attempts under the same `Idempotency-Key` have made.
async fn make_inverse(
    call: &Call,
    change: Change,
    inverse: Inverse,
    earlier: Vec<Change>,
    reference: Option<Reference>,
) -> Result<Reply, Error> {
    let Inverse { changes, only_if } = inverse;
    let (connection, action) = (find_connection(&call.connected, &change)?, Action::Update(changes));
    let id = change.campaign.clone().ok_or_else(not_found)?;
    let remote_id = id.remote_in(&change.account_id).unwrap_or_default().to_owned();
    let campaign = CampaignInPath { id, connection, remote_id };
    let request = campaign.request(call, action.clone(), reference, None)?;
    // The amounts are those of the change, whatever the shape of the request.
    let request = ChangeRequest { only_if: Some(only_if), is_flat: false, ..request };
    let stored = read_stored_state(call, &campaign).await?;
    let context = call.platform_context();
    let remaining = if earlier.is_empty() {
        RemainingWork::Action(request.number, Box::new(action.clone()))
    } else {
        let remaining = remaining_work(context, &request, Some(&stored.record), earlier, None, &call.recorded).await;
        remaining.map_err(earlier_outcome_unknown)?
    };
    if let RemainingWork::Action(number, remaining) = remaining {
        let request = ChangeRequest { action: *remaining, number, ..request };
        let made = execute(context, &request, stored, &call.recorded).await;
        made.map_err(|not_made| not_made.into_error(&action))?;
    }
    answer(call, change).await
}

/// The record of the campaign, and what a change counts against. Both are read here: the path names the change, not the
/// campaign.
async fn read_stored_state(call: &Call, campaign: &CampaignInPath<'_>) -> Result<StoredState, Error> {
    let record = call.store().latest_record(call.customer.id, &campaign.id).await;
    let stored = edit::stored(call, campaign, record).await?;
    let Some(state) = &stored.spending else { return Ok(stored) };
    let spenders: Vec<Spender> = state.spendings.iter().map(|spending| spending.spender.clone()).collect();
    let latest = call.store().spending_state(call.customer.id, &spenders, Some(&campaign.id)).await?;
    let known = |known: &Spending| latest.spendings.of(&known.spender).unwrap_or(known).clone();
    let spending = SpendingState { spendings: state.spendings.map(known), turn: latest.turn };
    Ok(StoredState { spending: Some(spending), ..stored })
}

/// The change that undoes another one, as it is now; the other one itself if the campaign has its former values already,
/// so that nothing was sent.
async fn answer(call: &Call, undone: Change) -> Result<Reply, Error> {
    let Some(id) = call.recorded.ids().first().copied() else { return Ok(Reply::Change(Box::new(undone))) };
    let made = call.store().change(call.customer.id, id).await?;
    Ok(Reply::Change(Box::new(made.unwrap_or(undone))))
}
