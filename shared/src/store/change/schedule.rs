//! Changes that wait for their time.

use super::attributes::ValuesAttribute;
use super::history::id_of;
use super::item::{SCHEDULED, SENDING, item};
use super::lifecycle::map;
use crate::domain::{
    CampaignId, CampaignValues, Change, ChangeError, ChangeId, ChangeState, Connection, CustomerId, Event, KeyId,
    Platform, Told, WaitingChange,
};
use crate::error::Error;
use crate::store::conditional::conditional_update;
use crate::store::due::{change_kind, scheduled_kind};
use crate::store::idempotency::IdempotencyClaim;
use crate::store::table_keys::{OPEN_LATE, OPEN_SORT, parse_open_sort};
use crate::store::transactions::put_write;
use crate::store::{Item, Store, Values, number, store_error, table_keys, text};
use aws_sdk_dynamodb::operation::update_item::builders::UpdateItemFluentBuilder;
use aws_sdk_dynamodb::types::AttributeValue;
use futures_util::future::join_all;
use jiff::Timestamp;

impl Store {
    /// Stores a change that waits, for its time or for a person, with the claim of its request's `Idempotency-Key` if it has one. `false`, with
    /// nothing stored, if the key is known.
    pub async fn schedule_change(&self, change: &Change, claim: Option<&IdempotencyClaim<'_>>) -> Result<bool, Error> {
        let Some(claim) = claim else { return self.begin_change(change).await.map(|()| true) };
        let mut writes = vec![self.idempotency_claim(claim, &[change.id])?, put_write(self.put_item(item(change)?))?];
        writes.extend(Event::of_new(change).map(|event| self.event_write(&event)).transpose()?);
        Ok(self.transact(writes).await?.is_empty())
    }

    /// The waiting changes that count against the bounds of a customer. They come from an index, so one of a moment ago
    /// may be missing.
    pub async fn counted_changes(&self, customer: CustomerId) -> Result<Vec<WaitingChange>, Error> {
        let items = self.waiting_items(table_keys::customer(customer), "").await?;
        Ok(items.iter().filter_map(|item| Some(parse_open_sort(item.get(OPEN_SORT)?.as_s().ok()?))).collect())
    }

    /// Begins an attempt at a waiting change, with its number, deadline and start, and the campaign before it. `false`
    /// if the change does not wait any more.
    pub async fn begin_scheduled(&self, change: &Change, before: Option<&CampaignValues>) -> Result<bool, Error> {
        conditional_update(self.begin_scheduled_update(change, before)?).await
    }

    pub(in crate::store) fn begin_scheduled_update(
        &self,
        change: &Change,
        before: Option<&CampaignValues>,
    ) -> Result<UpdateItemFluentBuilder, Error> {
        let begins = "SET #state = :sending, attempt = :next, #until = :until, sent_at = :sent, due_kind = :kind, \
                      due_at = :due, is_limited = :limited";
        let update = if_waiting(self.update_change(change), change.attempt - 1);
        let update = match before {
            None => update.update_expression(format!("{begins} REMOVE open_key, open_sort")),
            Some(before) => update
                .update_expression(format!("{begins}, #before = :before REMOVE open_key, open_sort"))
                .expression_attribute_names("#before", "before")
                .value(":before", map(&ValuesAttribute::from(before))?),
        };
        Ok(update.expression_attribute_names("#until", "until").values([
            (":sending", text(SENDING)),
            (":limited", AttributeValue::Bool(change.is_limited)),
            (":next", number(change.attempt)),
            (":until", number(change.send_deadline.as_millisecond())),
            (":sent", text(change.sent_at.unwrap_or(change.created_at()).to_string())),
            (":kind", text(change_kind(change.id))),
            (":due", number(change.send_deadline.as_second())),
        ]))
    }

    /// Lets a change wait for its next attempt. `before` is the campaign before an attempt that had an effect on it; the
    /// next attempt reads the campaign anew without it.
    pub async fn reschedule_change(
        &self,
        change: &Change,
        before: Option<&CampaignValues>,
        at: Timestamp,
    ) -> Result<bool, Error> {
        match self.reschedule_update(change, before, at)? {
            Some(update) => conditional_update(update).await,
            None => Ok(false),
        }
    }

    /// `None` for a change without a campaign, which does not wait.
    pub(in crate::store) fn reschedule_update(
        &self,
        change: &Change,
        before: Option<&CampaignValues>,
        at: Timestamp,
    ) -> Result<Option<UpdateItemFluentBuilder>, Error> {
        if change.campaign.is_none() {
            return Ok(None);
        }
        let waiting = Change { state: ChangeState::Scheduled, ..change.clone() };
        let waits = "SET #state = :scheduled, due_kind = :kind, due_at = :due, open_key = :open, open_sort = :sort";
        let update = match before {
            None => self.update_change(change).update_expression(format!("{waits} REMOVE sent_at, #before")),
            Some(before) => self
                .update_change(change)
                .update_expression(format!("{waits}, #before = :before REMOVE sent_at"))
                .value(":before", map(&ValuesAttribute::from(before))?),
        };
        let update = update
            .condition_expression("attempt = :attempt AND #state = :sending")
            .expression_attribute_names("#state", "state")
            .expression_attribute_names("#before", "before")
            .values([
                (":attempt", number(change.attempt)),
                (":sending", text(SENDING)),
                (":scheduled", text(SCHEDULED)),
                (":kind", text(scheduled_kind(change.id))),
                (":due", number(at.as_second())),
                (":open", text(table_keys::open_key(&waiting))),
                (":sort", text(table_keys::open_sort(&waiting))),
            ]);
        Ok(Some(update))
    }

    /// Postpones the next attempt at a change that still waits.
    pub async fn postpone_scheduled(&self, change: &Change, at: Timestamp) -> Result<bool, Error> {
        let update = if_waiting(self.update_change(change), change.attempt)
            .update_expression("SET due_at = :due")
            .value(":due", number(at.as_second()));
        conditional_update(update).await
    }

    /// Moves a change that waits to another time, from which on it is tried. It is not late any more.
    pub async fn move_scheduled(&self, change: &Change, at: Timestamp) -> Result<bool, Error> {
        let moved = told_late(change, false);
        let update = if_waiting(self.update_change(change), change.attempt)
            .update_expression("SET due_at = :due, apply_at = :due, open_sort = :sort REMOVE late_told")
            .value(":due", number(at.as_second()))
            .value(":sort", text(table_keys::open_sort(&moved)));
        conditional_update(update).await
    }

    /// Ends a change that waits: it is canceled, or fails before anything was sent. Returns it as it is then; `None` if
    /// it does not wait any more.
    pub async fn end_scheduled(
        &self,
        customer: CustomerId,
        id: ChangeId,
        state: &ChangeState,
        at: Timestamp,
    ) -> Result<Option<Change>, Error> {
        self.end_open(customer, id, |change| change.is_open(), state, at).await
    }

    /// Tells that a change waits although its time is over, if nobody has told it. Returns the change that says so.
    pub async fn tell_lateness(&self, change: &Change, at: Timestamp) -> Result<Change, Error> {
        let late = told_late(change, true);
        let update = self
            .update_change(&late)
            .update_expression("SET late_told = :true, open_sort = :sort")
            .condition_expression("attempt = :attempt AND #state = :scheduled AND attribute_not_exists(late_told)")
            .expression_attribute_names("#state", "state")
            .values([
                (":true", AttributeValue::Bool(true)),
                (":sort", text(table_keys::open_sort(&late))),
                (":attempt", number(late.attempt)),
                (":scheduled", text(SCHEDULED)),
            ]);
        self.update_and_tell(update, Some(&Event::of_lateness(&late, at))).await?;
        Ok(late)
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
        let canceled = &ChangeState::Canceled(Some(reason.clone()));
        let waiting = self.waiting_changes(customer, &format!("{campaign}#")).await?;
        let ended = join_all(waiting.into_iter().map(|id| self.end_scheduled(customer, id, canceled, at))).await;
        ended.into_iter().try_for_each(|ended| ended.map(drop))
    }

    /// Cancels the waiting changes of a connection's ad account.
    pub async fn cancel_changes_of_account(
        &self,
        customer: CustomerId,
        connection: &Connection,
        reason: &ChangeError,
        at: Timestamp,
    ) -> Result<(), Error> {
        let canceled = &ChangeState::Canceled(Some(reason.clone()));
        let account = connection.account_id();
        // The id of another account may begin with this one.
        let is_of_account = |change: &Change| change.is_open() && change.account_id == account;
        let prefix = CampaignId::new(connection.platform, account, "").to_string();
        let waiting = self.waiting_changes(customer, &prefix).await?;
        let ended = join_all(waiting.into_iter().map(|id| self.end_open(customer, id, is_of_account, canceled, at)));
        ended.await.into_iter().try_for_each(|ended| ended.map(drop))
    }

    /// Cancels the waiting changes that a key has asked for.
    pub async fn cancel_changes_of_key(
        &self,
        customer: CustomerId,
        key: &KeyId,
        reason: &ChangeError,
        at: Timestamp,
    ) -> Result<(), Error> {
        let canceled = &ChangeState::Canceled(Some(reason.clone()));
        let of_platform = |platform: Platform| async move {
            self.waiting_changes(customer, &format!("{}_", platform.prefix())).await
        };
        let waiting = join_all(Platform::ALL.map(of_platform)).await.into_iter().collect::<Result<Vec<_>, _>>()?;
        for change in self.changes_by_id(customer, &waiting.concat(), at).await? {
            if change.requested_by.is_key(key) && change.ends_with_its_key() {
                self.end_scheduled(customer, change.id, canceled, at).await?;
            }
        }
        Ok(())
    }

    /// The waiting changes whose campaign and id begin with a text.
    pub(super) async fn waiting_changes(&self, customer: CustomerId, prefix: &str) -> Result<Vec<ChangeId>, Error> {
        let of_customer = self.waiting_under(table_keys::customer(customer), prefix);
        let others = self.waiting_under(table_keys::open_key_of_others(customer), prefix);
        let (of_customer, others) = tokio::join!(of_customer, others);
        Ok(of_customer?.into_iter().chain(others?).collect())
    }

    async fn waiting_under(&self, open_key: String, prefix: &str) -> Result<Vec<ChangeId>, Error> {
        Ok(self.waiting_items(open_key, prefix).await?.iter().filter_map(id_of).collect())
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

/// The change, with whether an event has told that it is late.
fn told_late(change: &Change, late: bool) -> Change {
    Change { told: Told { late, ..change.told }, ..change.clone() }
}

/// Adds the condition that the change waits, after so many attempts.
fn if_waiting(update: UpdateItemFluentBuilder, attempts: i64) -> UpdateItemFluentBuilder {
    update
        .condition_expression("attempt = :attempt AND #state = :scheduled")
        .expression_attribute_names("#state", "state")
        .values([(":attempt", number(attempts)), (":scheduled", text(SCHEDULED))])
}
