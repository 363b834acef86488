//! Stores subscription states. Plan and period of the account change in the same transaction.

use super::item::BillingRecord;
use super::plan_change::PlanChange;
use crate::domain::{CustomerId, Plan, SubscriptionState};
use crate::error::Error;
use crate::store::transactions::update_write;
use crate::store::{Store, Values, number, table_keys, text};
use aws_sdk_dynamodb::types::TransactWriteItem;
use jiff::{SignedDuration, Timestamp};

/// Retention of processed events. Stripe redelivers an event for three days, on request for thirty.
const EVENT_RETENTION: SignedDuration = SignedDuration::from_hours(31 * 24);
/// Attempts against concurrent changes.
const MAX_ATTEMPTS: usize = 8;

/// Index of the state among the writes of the transaction; event and account follow, if any.
const SUBSCRIPTION_STATE: usize = 0;

/// Result of storing a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ApplyOutcome {
    /// The state is stored.
    Applied,
    /// The event was processed before.
    DuplicateEvent,
    /// A state that was read later is stored already.
    Superseded,
}

impl Store {
    /// Stores a state that was read under the version of `read`, with the change of the account and the event that
    /// caused the read. An event changes the account at most once.
    pub async fn apply_subscription_state(
        &self,
        customer: CustomerId,
        read: &BillingRecord,
        state: &SubscriptionState,
        event: Option<&str>,
        now: Timestamp,
    ) -> Result<ApplyOutcome, Error> {
        let read_version = read.read_version;
        let mut seen = read.clone();
        let mut period_is_new = true;
        for _ in 0..MAX_ATTEMPTS {
            if seen.applied_version >= read_version {
                self.record_event(event, now).await?;
                return Ok(ApplyOutcome::Superseded);
            }
            let change = PlanChange::of(seen.state.as_ref(), state, now);
            let before = seen.state.as_ref();
            let told = self.billing_events(customer, before, state, change, period_is_new, now).await?;
            let mut writes = vec![self.subscription_state_update(customer, &seen, read_version, state)?];
            writes.extend(event.map(|id| self.event_put(id, now + EVENT_RETENTION)).transpose()?);
            let account = writes.len();
            writes.extend(self.account_update(customer, change, told.plan_before, period_is_new)?);
            for event in &told.events {
                writes.push(self.event_write(event)?);
            }
            let failed = self.transact(writes).await?;
            if failed.is_empty() {
                return Ok(ApplyOutcome::Applied);
            }
            if failed.iter().any(|part| *part != SUBSCRIPTION_STATE && *part < account) {
                return Ok(ApplyOutcome::DuplicateEvent);
            }
            if failed.contains(&SUBSCRIPTION_STATE) {
                seen = self.billing(customer).await?;
            }
            if failed.contains(&account) {
                period_is_new = !period_is_new;
            }
        }
        Err(Error::internal(format!("the account of {customer} is missing, or keeps changing")))
    }

    /// Records an event that changes nothing.
    pub async fn record_event(&self, event: Option<&str>, now: Timestamp) -> Result<(), Error> {
        match event {
            Some(id) => self.put_payment_event(id, now + EVENT_RETENTION).await,
            None => Ok(()),
        }
    }

    /// The update of the account. The request count restarts only with another period. `plan_before` is what an event
    /// says was the plan.
    fn account_update(
        &self,
        id: CustomerId,
        change: PlanChange,
        plan_before: Option<Plan>,
        period_is_new: bool,
    ) -> Result<Option<TransactWriteItem>, Error> {
        let mut update = self.update_item(&table_keys::account(id));
        let mut changes = Vec::new();
        let mut condition = "attribute_exists(pk)".to_owned();
        if let Some(plan) = change.plan {
            changes.push("#plan = :plan");
            update = update.expression_attribute_names("#plan", "plan").value(":plan", text(plan.as_str()));
        }
        if let Some(plan) = plan_before {
            condition.push_str(" AND #plan = :plan_before");
            update = update.value(":plan_before", text(plan.as_str()));
        }
        if let Some((start, end)) = change.period {
            changes.push("period_start = :start, period_end = :end");
            update = update.values([(":start", number(start.as_second())), (":end", number(end.as_second()))]);
            if period_is_new {
                if change.restarts_count {
                    changes.push("used = :none");
                    update = update.value(":none", number(0));
                }
                condition.push_str(" AND period_start <> :start");
            } else {
                condition.push_str(" AND period_start = :start");
            }
        }
        if changes.is_empty() {
            return Ok(None);
        }
        let update = update.update_expression(format!("SET {}", changes.join(", "))).condition_expression(condition);
        update_write(update).map(Some)
    }
}
