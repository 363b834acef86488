//! Changes that wait for their time.

use super::history::id_of;
use super::item::item;
use crate::concurrent::for_each;
use crate::domain::{
    CampaignId, Change, ChangeError, ChangeId, ChangeState, ChangeStatus, Connection, CustomerId, Event, KeyId,
    Platform, WaitingChange,
};
use crate::error::Error;
use crate::store::idempotency::IdempotencyClaim;
use crate::store::table_keys::{OPEN_LATE, OPEN_SORT, parse_open_sort};
use crate::store::transactions::put_write;
use crate::store::{Item, Store, Values, store_error, table_keys, text};
use futures_util::future::join_all;
use jiff::Timestamp;
use std::collections::HashSet;

impl Store {
    /// Stores a change that waits, for its time or for a person, with the claim of its request's `Idempotency-Key` if it
    /// has one. `at` is now: the time of its event. `false`, with nothing stored, if the key is known.
    pub async fn schedule_change(
        &self,
        change: &Change,
        claim: Option<&IdempotencyClaim<'_>>,
        at: Timestamp,
    ) -> Result<bool, Error> {
        let Some(claim) = claim else { return self.begin_change(change, at).await.map(|()| true) };
        let mut writes = vec![self.idempotency_claim(claim, &[change.id])?, put_write(self.put_item(item(change)?))?];
        writes.extend(Event::of_new(change, at).map(|event| self.event_write(&event)).transpose()?);
        Ok(self.transact(writes).await?.is_empty())
    }

    /// The waiting changes that count against the bounds of a customer. They come from an index, so one of a moment ago
    /// may be missing.
    pub async fn counted_changes(&self, customer: CustomerId) -> Result<Vec<WaitingChange>, Error> {
        let items = self.waiting_items(table_keys::customer(customer), "").await?;
        Ok(items.iter().filter_map(|item| Some(parse_open_sort(item.get(OPEN_SORT)?.as_s().ok()?))).collect())
    }

    /// How many changes in the ad accounts of these connections wait for their time, and how many for a person, without
    /// those that the service holds and those of bulk changes. Reads the index entries of the customer, of which there are
    /// at most as many as may wait, and the changes that may be in one of the accounts: the id of another account may begin
    /// with this one.
    pub async fn count_waiting(
        &self,
        customer: CustomerId,
        connections: &[Connection],
        now: Timestamp,
    ) -> Result<(usize, usize), Error> {
        let connected = connections.iter().filter(|one| one.account.is_some());
        let accounts: HashSet<(Platform, &str)> = connected.map(|one| (one.platform, one.account_id())).collect();
        if accounts.is_empty() {
            return Ok((0, 0));
        }
        let prefix = |(platform, account): &(Platform, &str)| CampaignId::new(*platform, account, "").to_string();
        let prefixes: Vec<String> = accounts.iter().map(prefix).collect();
        let may_be_there = |item: &&Item| {
            let sort = item.get(OPEN_SORT).and_then(|sort| sort.as_s().ok());
            sort.is_some_and(|sort| prefixes.iter().any(|prefix| sort.starts_with(prefix)))
        };
        let items = self.waiting_items(table_keys::customer(customer), "").await?;
        let ids: Vec<ChangeId> = items.iter().filter(may_be_there).filter_map(id_of).collect();
        let mut changes = self.changes_by_id(customer, &ids, now).await?;
        changes.retain(|change| accounts.contains(&(change.platform, change.account_id.as_str())));
        let count = |status| changes.iter().filter(|change| change.status(now) == status).count();
        Ok((count(ChangeStatus::Scheduled), count(ChangeStatus::AwaitingApproval)))
    }

    /// Ends a change that waits, for its time or for a person. Returns it as it is then; `None` if it does not wait any
    /// more.
    pub async fn end_waiting(
        &self,
        change: &Change,
        state: &ChangeState,
        at: Timestamp,
    ) -> Result<Option<Change>, Error> {
        Ok(self.transition(change, |latest| latest.ended(state, at)).await?.made())
    }

    /// Ends a change that waits for a person. Returns it as it is then; `None` if it does not wait for one any more.
    pub async fn end_awaiting(
        &self,
        change: &Change,
        state: &ChangeState,
        at: Timestamp,
    ) -> Result<Option<Change>, Error> {
        Ok(self.transition(change, |latest| latest.awaiting()?.ended(state, at)).await?.made())
    }

    /// The changes of a customer that wait although their time is over. They come from an index, so one of a moment ago
    /// may be missing.
    pub async fn late_changes(&self, customer: CustomerId) -> Result<Vec<ChangeId>, Error> {
        let (own, others) = (table_keys::customer(customer), table_keys::open_key_of_others(customer));
        let (own, others) = tokio::join!(self.waiting_as(own, OPEN_LATE), self.waiting_as(others, OPEN_LATE));
        let mut ids = [own?, others?].concat();
        ids.sort_unstable();
        Ok(ids)
    }

    /// Cancels the waiting changes of a campaign.
    pub async fn cancel_changes_of_campaign(
        &self,
        customer: CustomerId,
        campaign: &CampaignId,
        reason: &ChangeError,
        at: Timestamp,
    ) -> Result<(), Error> {
        let waiting = self.waiting_of_campaign(customer, campaign, at).await?;
        self.cancel_waiting(waiting, reason, at).await
    }

    /// Cancels the waiting changes of a connection's ad account.
    pub async fn cancel_changes_of_account(
        &self,
        customer: CustomerId,
        connection: &Connection,
        reason: &ChangeError,
        at: Timestamp,
    ) -> Result<(), Error> {
        let waiting = self.waiting_of_account(customer, connection, at).await?;
        self.cancel_waiting(waiting, reason, at).await
    }

    /// Gives the waiting changes of an ad account to the user of its connection.
    pub async fn give_changes_of_account(
        &self,
        customer: CustomerId,
        connection: &Connection,
        at: Timestamp,
    ) -> Result<(), Error> {
        let waiting = self.waiting_of_account(customer, connection, at).await?;
        let user = connection.external_ref.as_ref();
        for_each(
            waiting,
            |change: Change| async move { self.transition(&change, |latest| latest.given_to(user)).await },
        )
        .await
        .map(drop)
    }

    async fn waiting_of_account(
        &self,
        customer: CustomerId,
        connection: &Connection,
        at: Timestamp,
    ) -> Result<Vec<Change>, Error> {
        let account = connection.account_id();
        let prefix = CampaignId::new(connection.platform, account, "").to_string();
        let mut waiting = self.waiting_changes(customer, &[prefix], at).await?;
        // The id of another account may begin with this one.
        waiting.retain(|change| change.account_id == account);
        Ok(waiting)
    }

    /// Cancels the waiting changes that a key has asked for.
    pub async fn cancel_changes_of_key(
        &self,
        customer: CustomerId,
        key: &KeyId,
        reason: &ChangeError,
        at: Timestamp,
    ) -> Result<(), Error> {
        let prefixes = Platform::ALL.map(|platform| format!("{}_", platform.prefix()));
        let mut waiting = self.waiting_changes(customer, &prefixes, at).await?;
        waiting.retain(|change| change.requested_by.is_key(key) && change.ends_with_its_key());
        self.cancel_waiting(waiting, reason, at).await
    }

    async fn cancel_waiting(&self, waiting: Vec<Change>, reason: &ChangeError, at: Timestamp) -> Result<(), Error> {
        let canceled = &ChangeState::Canceled(Some(reason.clone()));
        let end = |change: Change| async move { self.end_waiting(&change, canceled, at).await };
        for_each(waiting, end).await.map(drop)
    }

    /// The waiting changes whose campaign and id begin with one of these texts. They come from an index, so one of a moment
    /// ago may be missing.
    pub(super) async fn waiting_changes(
        &self,
        customer: CustomerId,
        prefixes: &[String],
        now: Timestamp,
    ) -> Result<Vec<Change>, Error> {
        let keys = [table_keys::customer(customer), table_keys::open_key_of_others(customer)];
        let queries = prefixes.iter().flat_map(|prefix| keys.iter().map(move |key| self.waiting_under(key, prefix)));
        let waiting = join_all(queries).await.into_iter().collect::<Result<Vec<_>, _>>()?;
        let mut changes = self.changes_by_id(customer, &waiting.concat(), now).await?;
        changes.retain(Change::is_open);
        Ok(changes)
    }

    async fn waiting_under(&self, open_key: &str, prefix: &str) -> Result<Vec<ChangeId>, Error> {
        Ok(self.waiting_items(open_key.to_owned(), prefix).await?.iter().filter_map(id_of).collect())
    }

    /// The waiting changes whose [`OPEN_SORT`] has this end, oldest first.
    pub(super) async fn waiting_as(&self, open_key: String, end: &str) -> Result<Vec<ChangeId>, Error> {
        let waiting = self.waiting_items(open_key, "").await?;
        let has_end = |item: &&Item| {
            let sort = item.get(OPEN_SORT).and_then(|sort| sort.as_s().ok());
            sort.is_some_and(|sort| sort.ends_with(end))
        };
        let mut ids: Vec<ChangeId> = waiting.iter().filter(has_end).filter_map(id_of).collect();
        ids.sort_unstable();
        Ok(ids)
    }

    /// The index entries of waiting changes: their keys.
    async fn waiting_items(&self, open_key: String, prefix: &str) -> Result<Vec<Item>, Error> {
        let query = self.query().index_name(table_keys::OPEN_INDEX).value(":key", text(open_key));
        let query = match prefix {
            "" => query.key_condition_expression("open_key = :key"),
            prefix => query
                .key_condition_expression("open_key = :key AND begins_with(open_sort, :prefix)")
                .value(":prefix", text(prefix)),
        };
        query.into_paginator().items().send().try_collect().await.map_err(store_error)
    }
}
