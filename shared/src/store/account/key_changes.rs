//! Changes of a customer's keys.

use super::keys::{StoredKeys, used_at};
use crate::domain::{ApiKeyInfo, ApiKeys, CustomerId, Event, KeyDisplay};
use crate::error::Error;
use crate::store::event::occurrence;
use crate::store::transactions::{contended, update_write};
use crate::store::{Store, Values, number, table_keys};
use aws_sdk_dynamodb::operation::update_item::builders::UpdateItemFluentBuilder;
use aws_sdk_dynamodb::types::TransactWriteItem;
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
            let mut writes = self.key_writes(id, &seen, &changed)?;
            for event in &events {
                writes.push(self.event_write(event)?);
            }
            if writes.is_empty() || self.transact(writes).await?.is_empty() {
                return Ok(Ok(changed));
            }
            let stored = self.account(id, now).await?;
            seen = stored.ok_or_else(|| Error::internal("a customer without an account"))?.keys;
            // The SDK retries after a lost response; the first attempt may have stored the keys.
            if StoredKeys::of(&seen)? == StoredKeys::of(&changed)? {
                return Ok(Ok(changed));
            }
        }
        Err(contended())
    }

    /// Replaces the keys that were seen, those in the account and those of assistants, as far as they differ.
    fn key_writes(&self, id: CustomerId, seen: &ApiKeys, changed: &ApiKeys) -> Result<Vec<TransactWriteItem>, Error> {
        let (before, after) = (StoredKeys::of(seen)?, StoredKeys::of(changed)?);
        let changes_own = before.own != after.own || seen.replaced_at() != changed.replaced_at();
        let mut writes = Vec::new();
        if changes_own {
            writes.push(update_write(self.keys_update(id, (seen, &before), (changed, &after)))?);
        }
        if before.of_assistants != after.of_assistants {
            if !changes_own {
                writes.push(self.own_keys_check(id, &before)?);
            }
            writes.push(self.assistant_keys_write(id, &before, &after)?);
        }
        Ok(writes)
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

    /// Replaces the keys in the account, and forgets the last uses of secrets that end, if the stored keys are those that
    /// were seen.
    fn keys_update(
        &self,
        id: CustomerId,
        (seen, before): (&ApiKeys, &StoredKeys),
        (changed, after): (&ApiKeys, &StoredKeys),
    ) -> UpdateItemFluentBuilder {
        let ends = |key: &&ApiKeyInfo| !key.is_of_assistant && changed.all().iter().all(|left| left.hash != key.hash);
        let ended: Vec<String> = seen.all().iter().filter(ends).map(|key| used_at(&key.id)).collect();
        let remove = if ended.is_empty() { String::new() } else { format!(" REMOVE {}", ended.join(", ")) };
        let replaced_at = changed.replaced_at().filter(|at| seen.replaced_at() != Some(*at));
        let set_replaced = if replaced_at.is_some() { ", keys_replaced_at = :replaced" } else { "" };
        let update = self
            .update_item(&table_keys::account(id))
            .update_expression(format!("SET api_keys = :keys{set_replaced}{remove}"))
            .condition_expression("api_keys = :seen_keys")
            .values([(":keys", after.own.clone()), (":seen_keys", before.own.clone())]);
        match replaced_at {
            Some(at) => update.value(":replaced", number(at.as_millisecond())),
            None => update,
        }
    }
}
