//! Resumes a stopped key: it is valid again, and its contributions still count. The pauses of the stop stay.

use crate::domain::spending::Spender;
use crate::domain::{ApiKeys, CustomerId, KeyId, Reason};
use crate::error::{Error, Kind};
use crate::store::Store;
use jiff::Timestamp;

/// Resumes a key that is stopped in `keys`, as a person has seen them. A stop that follows or overlaps wins. Each step may
/// be repeated.
pub async fn resume_key(
    store: &Store,
    customer: CustomerId,
    keys: ApiKeys,
    key: &KeyId,
    now: Timestamp,
) -> Result<(), Error> {
    let stopped_at = |keys: &ApiKeys| keys.all().iter().find(|known| known.id == *key).map(|key| key.stopped_at);
    let Some(seen) = stopped_at(&keys) else { return Err(Error::not_found("API key")) };
    let Some(at) = seen else { return Ok(()) };
    let stop = store.stop(customer, key).await?;
    if stop.as_ref().is_some_and(|stop| stop.next.is_some()) {
        let message = "What this key had in flight is looked at once more. Resume it in a minute or two.";
        return Err(Error::new(Kind::Conflict, message).retryable());
    }
    if let Some(stop) = &stop
        && (stop.stopped_at != at || !store.end_stop(stop).await?)
    {
        return Err(stopped_again());
    }
    // The key last, so that it is not valid before its limit admits something.
    if !store.resume_spending(customer, &Spender::Key(key.clone()), at).await? {
        return Err(stopped_again());
    }
    let replaced_at = keys.replaced_at();
    let resumed = |keys: &ApiKeys| {
        if keys.replaced_at() != replaced_at {
            // The operator has ended the session.
            return Err(
                Error::new(Kind::Unauthorized, "Your session has ended. Sign in again.").because(Reason::SessionEnded)
            );
        }
        match stopped_at(keys) {
            Some(known) if known == seen => Ok(keys.stopped(key, None)),
            _ => Err(stopped_again()),
        }
    };
    store.change_keys(customer, keys, now, resumed).await?.map(drop)
}

/// The error for a key that others stop, resume or delete at the same time.
pub(super) fn stopped_again() -> Error {
    let message = "Somebody has stopped, resumed or deleted this key at the same time. Look at it again.";
    Error::new(Kind::Conflict, message).because(Reason::ChangedMeanwhile)
}
