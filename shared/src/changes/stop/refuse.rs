//! Refuses a key, and leaves its campaigns alone.

use super::super::cancel::cancel_changes_of_stopped_key;
use super::resume::stopped_again;
use crate::domain::spending::Spender;
use crate::domain::{ApiKeys, CustomerId, KeyId};
use crate::error::Error;
use crate::store::Store;
use jiff::Timestamp;
use std::convert::Infallible;

/// Stops a key of `keys`, as a person has seen them, and cancels what waits for it. Its campaigns run on, so there is no
/// [`Stop`](crate::domain::Stop): one that pauses them may follow. `false` if the key has a stop that pauses them
/// already. Each step may be repeated.
pub async fn stop_only_key(
    store: &Store,
    customer: CustomerId,
    keys: ApiKeys,
    key: &KeyId,
    now: Timestamp,
) -> Result<bool, Error> {
    let stopped_at = |keys: &ApiKeys| keys.all().iter().find(|known| known.id == *key).map(|key| key.stopped_at);
    let Some(seen) = stopped_at(&keys) else { return Err(Error::not_found("API key")) };
    // Stored keys have whole milliseconds.
    let at = seen.unwrap_or(Timestamp::from_millisecond(now.as_millisecond()).unwrap_or(now));
    if let Some(stop) = store.stop(customer, key).await? {
        if seen == Some(stop.stopped_at) {
            return Ok(false);
        }
        // It is left from a key with the same id that the operator has replaced, and would be in the way of a resumption.
        if !store.end_stop(&stop).await? {
            return Err(stopped_again());
        }
    }
    let stopped = |keys: &ApiKeys| {
        let is_live = stopped_at(keys) == Some(None);
        Ok::<_, Infallible>(if is_live { keys.stopped(key, Some(at)) } else { keys.clone() })
    };
    let Ok(keys) = match seen {
        None => store.change_keys(customer, keys, now, stopped).await?,
        Some(_) => Ok(keys),
    };
    if stopped_at(&keys) != Some(Some(at)) {
        // A stop that pauses its campaigns has come first, or the key is deleted.
        return Ok(false);
    }
    store.stop_spending(customer, &Spender::Key(key.clone()), at).await?;
    cancel_changes_of_stopped_key(store, customer, key, now).await?;
    Ok(true)
}
