//! Changes of a customer's keys.

use super::item::parse_account;
use super::keys::{stored_keys, used_at};
use crate::domain::{ApiKeyInfo, ApiKeys, CustomerId, Event, KeyDisplay};
use crate::error::Error;
use crate::store::conditional::condition_failure;
use crate::store::event::occurrence;
use crate::store::transactions::{contended, update_write};
use crate::store::{Store, Values, number, store_error, table_keys};
use aws_sdk_dynamodb::operation::update_item::builders::UpdateItemFluentBuilder;
use aws_sdk_dynamodb::types::ReturnValuesOnConditionCheckFailure;
use jiff::Timestamp;
use std::convert::Infallible;
use std::sync::{Mutex, PoisonError};

/// Attempts against concurrent changes of the same customer's keys.
const MAX_ATTEMPTS: usize = 8;

impl Store {
    /// Changes the keys of a customer, and returns them. `change` gets the keys as `seen`, and again as stored if they
    /// differ, so no concurrent change is lost. It may refuse.
    pub async fn change_keys<E>(
        &self,
        id: CustomerId,
        mut seen: ApiKeys,
        now: Timestamp,
        change: impl Fn(&ApiKeys) -> Result<ApiKeys, E>,
    ) -> Result<Result<ApiKeys, E>, Error> {
        for _ in 0..MAX_ATTEMPTS {
            let changed = match change(&seen) {
                Ok(changed) => changed,
                Err(refusal) => return Ok(Err(refusal)),
            };
            let events = Event::of_keys(&seen, &changed, occurrence(id, now));
            let Some(stored) = self.store_keys(id, &seen, &changed, &events, now).await? else {
                return Ok(Ok(changed));
            };
            seen = stored;
            // The SDK retries after a lost response; the first attempt may have stored the keys.
            if stored_keys(&seen)? == stored_keys(&changed)? {
                return Ok(Ok(changed));
            }
        }
        Err(contended())
    }

    /// Replaces the keys that were seen, together with the events that report it. Returns the keys that are stored
    /// instead.
    async fn store_keys(
        &self,
        id: CustomerId,
        seen: &ApiKeys,
        changed: &ApiKeys,
        events: &[Event],
        now: Timestamp,
    ) -> Result<Option<ApiKeys>, Error> {
        let update = self.keys_update(id, seen, changed)?;
        let missing = || Error::internal("a customer without an account");
        if events.is_empty() {
            let Err(error) = update.send().await else { return Ok(None) };
            let stored = error.as_service_error().and_then(condition_failure).map(|item| item.cloned());
            let stored = stored.ok_or_else(|| store_error(error))?.ok_or_else(missing)?;
            return Ok(Some(parse_account(stored, now)?.keys));
        }
        let mut writes = vec![update_write(update)?];
        for event in events {
            writes.push(self.event_write(event)?);
        }
        if self.transact(writes).await?.is_empty() {
            return Ok(None);
        }
        Ok(Some(self.account(id, now).await?.ok_or_else(missing)?.keys))
    }

    /// Replaces all keys of a customer by the default key with this hash, and keeps sessions that began before from
    /// changing keys. Returns the keys that ended; `None` if the account does not exist.
    pub async fn reset_keys(
        &self,
        id: CustomerId,
        key_hash: &str,
        display: impl Into<KeyDisplay>,
        now: Timestamp,
    ) -> Result<Option<ApiKeys>, Error> {
        let Some(account) = self.account(id, now).await? else { return Ok(None) };
        let (ended, display) = (Mutex::new(account.keys.clone()), display.into());
        let only = |seen: &ApiKeys| {
            ended.lock().unwrap_or_else(PoisonError::into_inner).clone_from(seen);
            Ok::<_, Infallible>(ApiKeys::default_alone(key_hash, display.clone(), now).replaced(Some(now)))
        };
        let Ok(_) = self.change_keys(id, account.keys, now, only).await?;
        Ok(Some(ended.into_inner().unwrap_or_else(PoisonError::into_inner)))
    }

    /// Replaces the keys, and forgets the last uses of secrets that end, if the stored keys are those that were seen.
    fn keys_update(&self, id: CustomerId, seen: &ApiKeys, changed: &ApiKeys) -> Result<UpdateItemFluentBuilder, Error> {
        let stays = |ended: &ApiKeyInfo| changed.all().iter().any(|key| key.hash == ended.hash);
        let ended: Vec<String> = seen.all().iter().filter(|key| !stays(key)).map(|key| used_at(&key.id)).collect();
        let remove = if ended.is_empty() { String::new() } else { format!(" REMOVE {}", ended.join(", ")) };
        let replaced_at = changed.replaced_at().filter(|at| seen.replaced_at() != Some(*at));
        let set_replaced = if replaced_at.is_some() { ", keys_replaced_at = :replaced" } else { "" };
        let update = self
            .update_item(&table_keys::account(id))
            .update_expression(format!("SET api_keys = :keys{set_replaced}{remove}"))
            .condition_expression("api_keys = :seen_keys")
            .values([(":keys", stored_keys(changed)?), (":seen_keys", stored_keys(seen)?)])
            .return_values_on_condition_check_failure(ReturnValuesOnConditionCheckFailure::AllOld);
        Ok(match replaced_at {
            Some(at) => update.value(":replaced", number(at.as_millisecond())),
            None => update,
        })
    }
}
