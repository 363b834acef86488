//! The end of an assistant's tokens. Its key gets another mark, so that no token presents it any more; the record then says
//! why. Key, limit and campaigns stay: only Stop is about campaigns.

use crate::auth::mark;
use crate::domain::{ApiKeys, Assistant, CustomerId, KeyId, PersonId, SignOutReason};
use crate::error::Error;
use crate::store::{Store, back_off, contended};
use jiff::Timestamp;

/// Attempts against other writers of the same key or record.
const ATTEMPTS: u64 = 8;

/// Signs out an assistant. The caller has read its record and the keys. One that is signed out stays as it is.
///
/// New tokens follow a write of the record, and a consent that ends old tokens replaces the mark before that write. So the
/// mark is replaced once more after each write of the record that came between: whatever won the race, its tokens end.
pub async fn sign_out(
    store: &Store,
    customer: CustomerId,
    assistant: &Assistant,
    keys: &ApiKeys,
    why: SignOutReason,
    now: Timestamp,
) -> Result<(), Error> {
    let (mut seen, mut keys) = (assistant.clone(), keys.clone());
    for attempt in 0..ATTEMPTS {
        if seen.signed_out.is_some() {
            return Ok(());
        }
        let is_replaced = replace_mark(store, customer, &seen.key, &keys, now).await?.is_some();
        if is_replaced && store.put_assistant(customer, Some(&seen), &seen.sign_out(why, now)).await? {
            return Ok(());
        }
        back_off(attempt).await;
        let (Some(account), Some(again)) = store.account_and_assistant(customer, &seen.key, now).await? else {
            return Ok(());
        };
        (seen, keys) = (again, account.keys);
        if keys.all().iter().all(|key| key.id != seen.key) {
            // It was deleted meanwhile, and no token presents a key that is not there.
            return Ok(());
        }
    }
    Err(contended())
}

/// Signs out the assistants that a person has connected, who belongs to the customer no more, or only
/// looks now. Returns their number. It may be repeated.
pub async fn sign_out_of_person(
    store: &Store,
    customer: CustomerId,
    person: &PersonId,
    now: Timestamp,
) -> Result<usize, Error> {
    let is_theirs = |one: &Assistant| one.person == *person && one.signed_out.is_none();
    let theirs: Vec<Assistant> = store.assistants(customer).await?.into_iter().filter(is_theirs).collect();
    for assistant in &theirs {
        let Some(account) = store.account(customer, now).await? else { return Ok(0) };
        sign_out(store, customer, assistant, &account.keys, SignOutReason::ByPerson, now).await?;
    }
    Ok(theirs.len())
}

/// Gives the key of an assistant another mark, which ends all tokens. Returns it; `None` if the key is not there any more,
/// or has another mark than the one that was seen.
pub async fn replace_mark(
    store: &Store,
    customer: CustomerId,
    id: &KeyId,
    seen: &ApiKeys,
    now: Timestamp,
) -> Result<Option<String>, Error> {
    let find = |keys: &ApiKeys| keys.all().iter().find(|key| key.id == *id && key.is_of_assistant).cloned();
    let Some(known) = find(seen) else { return Ok(None) };
    let mark = mark()?;
    let replace = |keys: &ApiKeys| match find(keys) {
        Some(key) if key.hash == known.hash => Ok(keys.rotated(id, &mark, &key.display, now)),
        Some(_) | None => Err(()),
    };
    let replaced = store.change_keys(customer, seen.clone(), now, replace).await?;
    Ok(replaced.ok().map(|_| mark))
}
