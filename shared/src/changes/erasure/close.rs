//! Closes the connections of a user that is erased: nothing is changed in them any more, and no outcome is missing.

use super::{LEASE, LOOK, add_connection, connections_of, keep, leave};
use crate::changes::cancel::cancel_changes_of_key;
use crate::changes::find_connection;
use crate::domain::erasure::ErasureStep;
use crate::domain::spending::Spender;
use crate::domain::stop::IN_FLIGHT;
use crate::domain::{
    ApiKeyInfo, ApiKeys, Change, ChangeId, ChangeState, ConnectionStatus, CustomerId, Erasure, ExternalRef,
    SpendingLimit,
};
use crate::error::Error;
use crate::store::{ConnectionRef, DueRecord, Store, TakenErasure};
use futures_util::StreamExt;
use jiff::{SignedDuration, Timestamp};
use std::convert::Infallible;

/// Every change without an outcome is due within this time.
const DUE_WITHIN: SignedDuration = SignedDuration::from_hours(48);
/// Most changes that an erasure names.
const MAX_OPEN: usize = 100;

/// Refuses all changes from now on, and waits until each that was sent before has its outcome.
pub(super) async fn close(store: &Store, taken: TakenErasure, now: Timestamp) -> Result<(), Error> {
    let (customer, spender) = (taken.customer, Spender::User(taken.user.clone()));
    let since = store.set_leaving(customer, &spender, Some(now)).await?.unwrap_or(now);
    let bound = bound_keys(store, customer, &taken.user, now).await?;
    let mut erasure = Erasure { closed_at: Some(since), ..taken.erasure.clone() };
    connections_of(store, &taken, now).await?.iter().for_each(|known| add_connection(&mut erasure, known));
    bound.iter().for_each(|key| erasure.subject.add_key(&key.id));
    // First, because nothing leads to a key that is deleted.
    let Some(taken) = keep(store, taken, erasure.clone(), now + LEASE).await? else { return Ok(()) };
    delete_keys(store, customer, &bound, now).await?;
    if now < since + IN_FLIGHT {
        return leave(store, taken, erasure, since + IN_FLIGHT).await;
    }
    let open = open_changes(store, &taken, now).await?;
    if open.is_empty() {
        return leave(store, taken, erasure.at(ErasureStep::Disconnecting), now).await;
    }
    leave(store, taken, Erasure { open, ..erasure }, now + LOOK).await
}

/// The API keys that act for the user only.
pub(super) async fn bound_keys(
    store: &Store,
    customer: CustomerId,
    user: &ExternalRef,
    now: Timestamp,
) -> Result<Vec<ApiKeyInfo>, Error> {
    let account = store.account(customer, now).await?;
    let keys = account.map_or_else(ApiKeys::none, |account| account.keys);
    Ok(keys.all().iter().filter(|key| key.external_ref.as_ref() == Some(user)).cloned().collect())
}

/// Deletes API keys that act for the user only. None of them makes keys (D160), so none is the last one that must stay.
async fn delete_keys(store: &Store, customer: CustomerId, bound: &[ApiKeyInfo], now: Timestamp) -> Result<(), Error> {
    if bound.is_empty() {
        return Ok(());
    }
    for key in bound.iter().filter(|key| key.is_limited) {
        store.set_limit(customer, &Spender::Key(key.id.clone()), Some(&SpendingLimit::zero())).await?;
    }
    let account = store.account(customer, now).await?;
    let keys = account.ok_or_else(|| Error::internal("a customer without an account"))?.keys;
    let Ok(_) = store.change_keys(customer, keys, now, |keys| Ok::<_, Infallible>(keys.without_bound(bound))).await?;
    for key in bound {
        cancel_changes_of_key(store, customer, &key.id, now).await?;
    }
    Ok(())
}

/// The changes of the user without an outcome. One whose outcome nobody can read any more does not count if the erasure leaves
/// what runs.
async fn open_changes(store: &Store, taken: &TakenErasure, now: Timestamp) -> Result<Vec<ChangeId>, Error> {
    let due: Vec<DueRecord<ChangeId>> = store.due_changes(now + DUE_WITHIN).collect().await;
    let due = due.into_iter().collect::<Result<Vec<_>, Error>>()?;
    let ids: Vec<ChangeId> = due.into_iter().filter(|(of, _)| *of == taken.customer).map(|(_, id)| id).collect();
    let changes = store.changes_by_id(taken.customer, &ids, now).await?;
    let mut open = Vec::new();
    for change in changes.into_iter().filter(|change| is_open(change, taken)) {
        if !taken.erasure.leave_running || is_readable(store, &change, now).await? {
            open.push(change.id);
        }
    }
    open.truncate(MAX_OPEN);
    Ok(open)
}

fn is_open(change: &Change, taken: &TakenErasure) -> bool {
    let is_own = match &change.external_ref {
        Some(user) => *user == taken.user,
        None => taken.erasure.subject.has_account(change.platform, &change.account_id),
    };
    is_own && change.state == ChangeState::Sending
}

async fn is_readable(store: &Store, change: &Change, now: Timestamp) -> Result<bool, Error> {
    let name = [ConnectionRef::of_change(change)];
    let connected = store.named_connections(change.customer, &name, now).await?;
    Ok(find_connection(&connected, change).is_ok_and(|known| known.status == ConnectionStatus::Active))
}
