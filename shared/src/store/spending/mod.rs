//! The spending of API keys and users with a limit.
//!
//! - A **spending** is the limit of a key or of a user, and what counts against it. A change is reserved in the transaction
//!   that stores it, under the condition that nobody has written the spending since it was read.
//! - A campaign's **turn** is a lock: one change that counts against a limit runs at a time. So no other one changes the
//!   campaign between the read and the write. The record also holds how much of its budget was raised today.

mod changes;
mod item;
mod refusals;
mod turn;

pub use changes::EndResult;
pub use turn::Turn;

use super::conditional::conditional_put;
use super::table_keys::{self, Key};
use super::transactions::{back_off, contended, put_write};
use super::{Item, Store, Values, from_item, number};
use crate::domain::spending::{Spender, Spendings};
use crate::domain::{ApiKeys, CampaignId, ConnectionId, CustomerId, KeyId, Spending, SpendingLimit};
use crate::error::Error;
use aws_sdk_dynamodb::operation::put_item::builders::PutItemFluentBuilder;
use aws_sdk_dynamodb::types::TransactWriteItem;
use jiff::Timestamp;
use std::collections::HashMap;

/// Attempts to write a spending against changes that count against it.
const MAX_ATTEMPTS: u64 = 40;

/// The condition that the stored version is the one that was read.
const IS_LATEST: &str = "attribute_not_exists(pk) OR version = :version";

/// What a change of a campaign counts against, and the turn of the campaign.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpendingState {
    pub spendings: Spendings,
    pub turn: Turn,
}

impl SpendingState {
    /// The state as far as it is in force; `None` if nothing is. An error for a user that leaves: every change of a
    /// campaign of a user asks here.
    pub fn in_force(self) -> Result<Option<SpendingState>, Error> {
        self.with(Spending::is_in_force)
    }

    /// The state as far as a change in a connection has to look at it: it is in force, or the connection has left the user
    /// since the change may have read it, which refuses the change. `None` if nothing is. An error for a user that leaves.
    pub fn for_change_in(self, connection: &ConnectionId, now: Timestamp) -> Result<Option<SpendingState>, Error> {
        self.with(|one| one.is_in_force() || one.has_left(connection, now))
    }

    /// The state with those spendings that count; `None` if none does.
    fn with(self, counts: impl Fn(&Spending) -> bool) -> Result<Option<SpendingState>, Error> {
        if self.spendings.iter().any(|one| one.leaving_since.is_some()) {
            return Err(Error::user_leaves());
        }
        let spendings: Spendings = self.spendings.iter().filter(|one| counts(one)).cloned().collect();
        Ok((!spendings.is_empty()).then_some(SpendingState { spendings, ..self }))
    }
}

impl Store {
    /// Parses the item of a spending.
    pub(super) fn parse_spending(&self, item: Item) -> Result<Spending, Error> {
        item::parse(item)
    }

    /// Reads a spending with a consistent read. `None` for a spender that never had a limit.
    pub async fn spending(&self, customer: CustomerId, spender: &Spender) -> Result<Option<Spending>, Error> {
        let item = self.read(&table_keys::spending(customer, spender)).await?;
        item.map(item::parse).transpose()
    }

    /// Reads spendings, in this order, and the turn of a campaign, in one round trip. The campaign must be read after it. A
    /// spender that never had a limit is missing.
    pub async fn spending_state(
        &self,
        customer: CustomerId,
        spenders: &[Spender],
        campaign: Option<&CampaignId>,
    ) -> Result<SpendingState, Error> {
        if spenders.is_empty() {
            return Ok(SpendingState { spendings: Spendings::default(), turn: Turn::default() });
        }
        let of_campaign = campaign.map(|campaign| table_keys::turn(customer, campaign));
        let spendings = spenders.iter().map(|spender| table_keys::spending(customer, spender));
        let keys: Vec<_> = spendings.chain(of_campaign).collect();
        let (mut found, mut turn) = (Vec::new(), Turn::default());
        for item in self.batch_read(&keys).await? {
            match item::spender_of(&item) {
                Some(_) => found.push(item::parse(item)?),
                None => turn = from_item(item)?,
            }
        }
        let found: Spendings = found.into_iter().collect();
        let spendings = spenders.iter().filter_map(|spender| found.of(spender).cloned()).collect();
        Ok(SpendingState { spendings, turn })
    }

    /// Reads spendings again. One that is not stored stays as it is known.
    pub async fn spendings_again(&self, customer: CustomerId, known: &Spendings) -> Result<Spendings, Error> {
        let spenders: Vec<Spender> = known.iter().map(|spending| spending.spender.clone()).collect();
        let latest = self.spending_state(customer, &spenders, None).await?.spendings;
        Ok(known.map(|known| latest.of(&known.spender).unwrap_or(known).clone()))
    }

    /// The spendings of those of a customer's keys that have a limit, in one round trip.
    pub async fn spendings(&self, customer: CustomerId, keys: &ApiKeys) -> Result<Vec<Spending>, Error> {
        let limited = keys.all().iter().filter(|key| key.is_limited);
        let limited: Vec<Key> =
            limited.map(|key| table_keys::spending(customer, &Spender::Key(key.id.clone()))).collect();
        self.batch_read(&limited).await?.into_iter().map(item::parse).collect()
    }

    /// The limits of those of a customer's keys that have one, in one round trip.
    pub async fn limits(&self, customer: CustomerId, keys: &ApiKeys) -> Result<HashMap<KeyId, SpendingLimit>, Error> {
        let all = self.spendings(customer, keys).await?;
        Ok(all.into_iter().filter_map(|one| Some((one.spender.key()?.clone(), one.limit?))).collect())
    }

    /// Sets the limit of a spender, or takes it away. What counts against that of a key stays. A spender that never had one
    /// keeps none.
    pub async fn set_limit(
        &self,
        customer: CustomerId,
        spender: &Spender,
        limit: Option<&SpendingLimit>,
    ) -> Result<(), Error> {
        let set = |known: Option<Spending>| match known {
            None if limit.is_none() => None,
            Some(known) => Some(known.limited_to(limit.cloned())),
            // This is its first limit, so it had none before.
            None => {
                Some(Spending { was_unlimited: true, ..Spending::none(spender.clone()) }.limited_to(limit.cloned()))
            }
        };
        self.move_spending(customer, spender, set).await.map(drop)
    }

    /// Moves a spending by a pure function, and again if it has changed since it was read. `None` of the function leaves it
    /// as it is. Returns the spending as it is then, if there is one.
    async fn move_spending(
        &self,
        customer: CustomerId,
        spender: &Spender,
        moved: impl Fn(Option<Spending>) -> Option<Spending>,
    ) -> Result<Option<Spending>, Error> {
        for attempt in 0..MAX_ATTEMPTS {
            let known = self.spending(customer, spender).await?;
            let Some(next) = moved(known.clone()).filter(|next| known.as_ref() != Some(next)) else { return Ok(known) };
            if self.put_spending(customer, &next).await? {
                return Ok(Some(next.written()));
            }
            back_off(attempt).await;
        }
        Err(contended())
    }

    /// Marks the key as once unlimited before its limit is removed, so a stop also searches the history.
    pub async fn note_unlimited(&self, customer: CustomerId, key: &KeyId) -> Result<(), Error> {
        let noted = |known: Option<Spending>| known.map(|known| Spending { was_unlimited: true, ..known });
        self.move_spending(customer, &Spender::Key(key.clone()), noted).await.map(drop)
    }

    /// Frees what a spender has added to a campaign. `false`, with nothing changed, while a change of it is under way.
    pub async fn free_contribution(
        &self,
        customer: CustomerId,
        spender: &Spender,
        campaign: &CampaignId,
    ) -> Result<bool, Error> {
        let spending = self.move_spending(customer, spender, |known| known?.freed(campaign)).await?;
        Ok(spending.is_none_or(|spending| !spending.contributions.contains_key(campaign)))
    }

    /// Stops the spending of a spender. What is reserved at the same moment and not stored yet loses its condition. Returns
    /// the spending as it is then; `None` for a key that never had a limit.
    pub async fn stop_spending(
        &self,
        customer: CustomerId,
        spender: &Spender,
        at: Timestamp,
    ) -> Result<Option<Spending>, Error> {
        let stopped = |known: Option<Spending>| {
            let of_user = || spender.user().map(|_| Spending::none(spender.clone()));
            known.or_else(of_user).map(|known| Spending { stopped_at: Some(at), ..known })
        };
        self.move_spending(customer, spender, stopped).await
    }

    /// Stores since when a user leaves, or that it stays after all. Returns the time that is stored.
    pub async fn set_leaving(
        &self,
        customer: CustomerId,
        spender: &Spender,
        since: Option<Timestamp>,
    ) -> Result<Option<Timestamp>, Error> {
        let leaves = |known: Option<Spending>| {
            let known = known.unwrap_or_else(|| Spending::none(spender.clone()));
            let leaving_since = since.map(|since| known.leaving_since.unwrap_or(since));
            Some(Spending { leaving_since, ..known })
        };
        let spending = self.move_spending(customer, spender, leaves).await?;
        Ok(spending.and_then(|spending| spending.leaving_since))
    }

    /// Resumes a spending that was stopped at a time. `false`, with nothing changed, if it was stopped at another one.
    pub async fn resume_spending(
        &self,
        customer: CustomerId,
        spender: &Spender,
        stopped_at: Timestamp,
    ) -> Result<bool, Error> {
        let resumed = |known: Option<Spending>| {
            let known = known.filter(|known| known.stopped_at == Some(stopped_at))?;
            Some(Spending { stopped_at: None, ..known })
        };
        let spending = self.move_spending(customer, spender, resumed).await?;
        Ok(spending.is_none_or(|spending| spending.stopped_at.is_none()))
    }

    /// Stores a spending in place of the one that it follows. `false`, with nothing stored, if that is not the latest.
    pub async fn put_spending(&self, customer: CustomerId, spending: &Spending) -> Result<bool, Error> {
        conditional_put(self.spending_put(customer, spending)?).await
    }

    /// Stores several spendings, all or none. `false`, with nothing stored, if one of them is not the latest.
    pub async fn put_spendings(&self, customer: CustomerId, spendings: &Spendings) -> Result<bool, Error> {
        match spendings.as_slice() {
            [] => Ok(true),
            [one] => self.put_spending(customer, one).await,
            _ => Ok(self.transact(self.spending_writes(customer, spendings)?).await?.is_empty()),
        }
    }

    /// The writes of spendings, for a transaction.
    pub(super) fn spending_writes(
        &self,
        customer: CustomerId,
        spendings: &Spendings,
    ) -> Result<Vec<TransactWriteItem>, Error> {
        spendings.iter().map(|spending| put_write(self.spending_put(customer, spending)?)).collect()
    }

    fn spending_put(&self, customer: CustomerId, spending: &Spending) -> Result<PutItemFluentBuilder, Error> {
        let put = self.put_item(item::item(customer, &spending.written())?);
        Ok(put.condition_expression(IS_LATEST).value(":version", number(spending.version)))
    }
}

#[cfg(test)]
#[test]
fn a_user_whose_connection_has_left_a_moment_ago_counts_in_a_change_there() {
    use crate::domain::ExternalRef;
    let [gone, other] = ["conn_1", "conn_2"].map(|id| ConnectionId(id.to_owned()));
    let spender = Spender::User(ExternalRef::parse("shop42").unwrap());
    let spending = Spending { left: [(gone.clone(), Timestamp::UNIX_EPOCH)].into(), ..Spending::none(spender) };
    let state = SpendingState { spendings: [spending].into_iter().collect(), turn: Turn::default() };
    let before = Timestamp::UNIX_EPOCH - jiff::SignedDuration::from_secs(1);
    assert_eq!(state.clone().in_force().unwrap(), None, "it has no limit");
    assert_eq!(state.clone().for_change_in(&gone, before).unwrap(), Some(state.clone()), "the change is refused");
    assert_eq!(state.clone().for_change_in(&other, before).unwrap(), None);
    assert_eq!(state.for_change_in(&gone, Timestamp::UNIX_EPOCH).unwrap(), None, "no change has read it before");
}

#[cfg(test)]
#[test]
fn nothing_is_changed_for_a_user_that_leaves() {
    use crate::domain::{ExternalRef, Reason};
    let user = Spending::none(Spender::User(ExternalRef::parse("shop42").unwrap()));
    let state = |of: Spending| SpendingState { spendings: [of].into_iter().collect(), turn: Turn::default() };
    assert_eq!(state(user.clone()).in_force().unwrap(), None);
    let leaves = Spending { leaving_since: Some(Timestamp::UNIX_EPOCH), ..user };
    assert_eq!(state(leaves).in_force().unwrap_err().reason(), Reason::UserErased);
}
