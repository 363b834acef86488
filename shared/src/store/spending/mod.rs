//! The spending of API keys with a limit.
//!
//! - A key's **spending** is its limit and what counts against it. A change is reserved in the transaction that stores
//!   it, under the condition that nobody has written the spending since it was read.
//! - A campaign's **turn** is a lock: one change by a key with a limit runs at a time. So no other such key changes the
//!   campaign between the read and the write. The record also holds how much such keys have raised the budget today.

mod changes;
mod item;
mod refusals;
mod turn;

pub use changes::EndResult;
pub use turn::Turn;

use super::conditional::conditional_put;
use super::table_keys::{self, Key};
use super::transactions::{back_off, contended};
use super::{Store, Values, from_item, number};
use crate::domain::{ApiKeys, CampaignId, CustomerId, KeyId, KeySpending, SpendingLimit};
use crate::error::Error;
use aws_sdk_dynamodb::operation::put_item::builders::PutItemFluentBuilder;
use jiff::Timestamp;
use std::collections::HashMap;

/// Attempts to set a limit against changes of the key.
const MAX_ATTEMPTS: u64 = 40;

/// The condition that the stored version is the one that was read.
const IS_LATEST: &str = "attribute_not_exists(pk) OR version = :version";

/// The spending of a key and the turn of a campaign.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpendingState {
    pub spending: KeySpending,
    pub turn: Turn,
}

impl Store {
    /// Reads the spending of a key with a consistent read. `None` for a key that never had a limit.
    pub async fn spending(&self, customer: CustomerId, key: &KeyId) -> Result<Option<KeySpending>, Error> {
        let item = self.read(&table_keys::spending(customer, key)).await?;
        item.map(item::parse).transpose()
    }

    /// Reads the spending of a key, and the turn of a campaign, in one round trip. The campaign must be read after it.
    pub async fn spending_state(
        &self,
        customer: CustomerId,
        key: &KeyId,
        campaign: Option<&CampaignId>,
    ) -> Result<Option<SpendingState>, Error> {
        let of_campaign = campaign.map(|campaign| table_keys::turn(customer, campaign));
        let keys: Vec<_> = [table_keys::spending(customer, key)].into_iter().chain(of_campaign).collect();
        let (mut spending, mut turn) = (None, Turn::default());
        for item in self.batch_read(&keys).await? {
            match item::key_of(&item) {
                Some(_) => spending = Some(item::parse(item)?),
                None => turn = from_item(item)?,
            }
        }
        Ok(spending.map(|spending| SpendingState { spending, turn }))
    }

    /// The spendings of those of a customer's keys that have a limit, in one round trip.
    pub async fn spendings(&self, customer: CustomerId, keys: &ApiKeys) -> Result<Vec<KeySpending>, Error> {
        let limited = keys.all().iter().filter(|key| key.is_limited);
        let limited: Vec<Key> = limited.map(|key| table_keys::spending(customer, &key.id)).collect();
        self.batch_read(&limited).await?.into_iter().map(item::parse).collect()
    }

    /// The limits of those of a customer's keys that have one, in one round trip.
    pub async fn limits(&self, customer: CustomerId, keys: &ApiKeys) -> Result<HashMap<KeyId, SpendingLimit>, Error> {
        let all = self.spendings(customer, keys).await?;
        Ok(all.into_iter().filter_map(|KeySpending { key, limit, .. }| Some((key, limit?))).collect())
    }

    /// Sets the limit of a key, or takes it away. What counts against it stays. A key that never had one keeps none.
    pub async fn set_limit(
        &self,
        customer: CustomerId,
        key: &KeyId,
        limit: Option<&SpendingLimit>,
    ) -> Result<(), Error> {
        for attempt in 0..MAX_ATTEMPTS {
            let known = self.spending(customer, key).await?;
            if known.is_none() && limit.is_none() {
                return Ok(());
            }
            // This is the key's first limit, so it had none before.
            let first = || KeySpending { was_unlimited: true, ..KeySpending::new(key.clone(), SpendingLimit::zero()) };
            let known = known.unwrap_or_else(first);
            let was_unlimited = known.was_unlimited || limit.is_none();
            let set = KeySpending { limit: limit.cloned(), was_unlimited, ..known };
            if self.put_spending(customer, &set).await? {
                return Ok(());
            }
            back_off(attempt).await;
        }
        Err(contended())
    }

    /// Marks the key as once unlimited before its limit is removed, so a stop also searches the history.
    pub async fn note_unlimited(&self, customer: CustomerId, key: &KeyId) -> Result<(), Error> {
        for attempt in 0..MAX_ATTEMPTS {
            let Some(known) = self.spending(customer, key).await? else { return Ok(()) };
            if known.was_unlimited || self.put_spending(customer, &KeySpending { was_unlimited: true, ..known }).await?
            {
                return Ok(());
            }
            back_off(attempt).await;
        }
        Err(contended())
    }

    /// Frees what a key has added to a campaign. `false`, with nothing changed, while a change of it is under way.
    pub async fn free_contribution(
        &self,
        customer: CustomerId,
        key: &KeyId,
        campaign: &CampaignId,
    ) -> Result<bool, Error> {
        for attempt in 0..MAX_ATTEMPTS {
            let Some(spending) = self.spending(customer, key).await? else { return Ok(true) };
            let Some(freed) = spending.freed(campaign) else { return Ok(false) };
            if freed == spending || self.put_spending(customer, &freed).await? {
                return Ok(true);
            }
            back_off(attempt).await;
        }
        Err(contended())
    }

    /// Stops the spending of a key. What is reserved at the same moment and not stored yet
    /// loses its condition. `None` for a key that never had a limit; else the spending as it is then.
    pub async fn stop_spending(
        &self,
        customer: CustomerId,
        key: &KeyId,
        at: Timestamp,
    ) -> Result<Option<KeySpending>, Error> {
        for attempt in 0..MAX_ATTEMPTS {
            let Some(known) = self.spending(customer, key).await? else { return Ok(None) };
            if known.stopped_at == Some(at) {
                return Ok(Some(known));
            }
            let stopped = KeySpending { stopped_at: Some(at), ..known };
            if self.put_spending(customer, &stopped).await? {
                return Ok(Some(stopped.written()));
            }
            back_off(attempt).await;
        }
        Err(contended())
    }

    /// Resumes the spending of a key that was stopped at a time. `false`, with nothing changed, if it was stopped at
    /// another one.
    pub async fn resume_spending(
        &self,
        customer: CustomerId,
        key: &KeyId,
        stopped_at: Timestamp,
    ) -> Result<bool, Error> {
        for attempt in 0..MAX_ATTEMPTS {
            let Some(known) = self.spending(customer, key).await? else { return Ok(true) };
            match known.stopped_at {
                None => return Ok(true),
                Some(at) if at != stopped_at => return Ok(false),
                Some(_) if self.put_spending(customer, &KeySpending { stopped_at: None, ..known }).await? => {
                    return Ok(true);
                }
                Some(_) => back_off(attempt).await,
            }
        }
        Err(contended())
    }

    /// Stores a spending in place of the one that it follows. `false`, with nothing stored, if that is not the latest.
    pub async fn put_spending(&self, customer: CustomerId, spending: &KeySpending) -> Result<bool, Error> {
        conditional_put(self.spending_put(customer, spending)?).await
    }

    pub(super) fn spending_put(
        &self,
        customer: CustomerId,
        spending: &KeySpending,
    ) -> Result<PutItemFluentBuilder, Error> {
        let put = self.put_item(item::item(customer, &spending.written())?);
        Ok(put.condition_expression(IS_LATEST).value(":version", number(spending.version)))
    }
}
