//! Closes the connections of a user that is erased: nothing is changed in them any more, and no outcome is missing.

use super::open::open_changes;
use super::{LEASE, LOOK, add_connection, connections_of, keep, leave};
use crate::changes::cancel::cancel_changes_of_key;
use crate::domain::erasure::ErasureStep;
use crate::domain::spending::Spender;
use crate::domain::stop::IN_FLIGHT;
use crate::domain::{ApiKeyInfo, ApiKeys, CustomerId, Erasure, ExternalRef, SpendingLimit};
use crate::error::Error;
use crate::store::{Store, TakenErasure};
use jiff::Timestamp;
use std::convert::Infallible;
use tokio::time::Instant;

/// Refuses all changes from now on, and waits until each that was sent before has its outcome. Begins nothing after `until`.
pub(super) async fn close(store: &Store, taken: TakenErasure, until: Instant, now: Timestamp) -> Result<(), Error> {
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
    match open_changes(store, &taken, until, now).await? {
        None => leave(store, taken, erasure.at(ErasureStep::Disconnecting), now).await,
        Some(waits) if waits.open.is_empty() => leave(store, taken, waits, now).await,
        Some(waits) => leave(store, taken, waits, now + LOOK).await,
    }
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
