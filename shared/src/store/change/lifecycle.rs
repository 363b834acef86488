//! The life of a change: stored before anything is sent, and due for maintenance until its outcome is known.

use super::attributes::FAILED;
use super::item::{item, parse};
use crate::concurrent::for_each;
use crate::domain::{Change, ChangeId, ChangeState, CustomerId, Event, Settlement};
use crate::error::Error;
use crate::store::transactions::contended;
use crate::store::{Store, Values, number, table_keys, text};
use aws_sdk_dynamodb::operation::put_item::builders::PutItemFluentBuilder;
use jiff::Timestamp;

impl Store {
    /// Stores a new change, or the next attempt at one that has failed or was never sent. Call this before sending. An
    /// existing one of the same attempt was stored before a lost response. One that waits for its first attempt, with the
    /// number 0, replaces nothing. `at` is now: the time of its event.
    pub async fn begin_change(&self, change: &Change, at: Timestamp) -> Result<(), Error> {
        let is_stored = self.put_with_event(self.new_change_put(change)?, Event::of_new(change, at).as_ref()).await?;
        if is_stored || self.has_begun(change).await? { Ok(()) } else { Err(contended()) }
    }

    /// Stores a change that waits for its first attempt, unless it exists. `at` is now: the time of its event. Returns it
    /// as it is stored.
    pub async fn begin_once(&self, change: Change, at: Timestamp) -> Result<Change, Error> {
        let put = self.new_change_put(&change)?;
        if self.put_with_event(put, Event::of_new(&change, at).as_ref()).await? {
            return Ok(change);
        }
        Ok(self.change(change.customer, change.id).await?.unwrap_or(change))
    }

    /// The same for changes that the service makes itself, due at their time.
    pub async fn begin_all(&self, changes: Vec<Change>, at: Timestamp) -> Result<Vec<Change>, Error> {
        for_each(changes, |change| self.begin_once(change, at)).await
    }

    pub(in crate::store) fn new_change_put(&self, change: &Change) -> Result<PutItemFluentBuilder, Error> {
        let put = self.put_item(item(change)?);
        let ended = "#state = :failed OR expires_at <= :now";
        let condition = match &change.state {
            // What waits for a person has no attempt of its own yet.
            ChangeState::AwaitingApproval => format!("attribute_not_exists(pk) OR {ended}"),
            _ if change.attempt == 0 => return Ok(put.condition_expression("attribute_not_exists(pk)")),
            _ => format!("attribute_not_exists(pk) OR attempt <> :attempt AND ({ended})"),
        };
        let now = change.sent_at.unwrap_or(change.send_deadline);
        let put = put
            .condition_expression(condition)
            .expression_attribute_names("#state", "state")
            .value(":failed", text(FAILED))
            .value(":now", number(now.as_second()));
        let has_attempt = change.state != ChangeState::AwaitingApproval;
        Ok(if has_attempt { put.value(":attempt", number(change.attempt)) } else { put })
    }

    /// Whether a change that exists is this attempt at it.
    pub(super) async fn has_begun(&self, change: &Change) -> Result<bool, Error> {
        if change.attempt == 0 {
            return Ok(true);
        }
        let known = self.change(change.customer, change.id).await?;
        Ok(known.is_some_and(|known| known.attempt == change.attempt && known.state == change.state))
    }

    /// Stores the outcome of a create; it is no longer due. `false`, with nothing changed, if a later attempt has begun, or
    /// the outcome is known and another one.
    pub async fn settle_create(&self, create: &Change, settlement: &Settlement) -> Result<bool, Error> {
        let settled = |latest: &Change| latest.in_attempt(create.attempt)?.settled(settlement);
        let settled = self.transition(create, settled).await?;
        // A request and maintenance may find the same campaign.
        let Change { attempt, campaign, state, .. } = &settled.change;
        let is_same = *state == ChangeState::Applied && *attempt == create.attempt && *campaign == settlement.campaign;
        Ok(settled.is_made || is_same)
    }

    /// Reads a change with a consistent read.
    pub async fn change(&self, customer: CustomerId, id: ChangeId) -> Result<Option<Change>, Error> {
        let item = self.read(&table_keys::change(customer, id)).await?;
        item.map(|item| parse(customer, item)).transpose()
    }
}
