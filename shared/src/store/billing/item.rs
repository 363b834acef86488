//! Subscription states, and the payment customer of each customer.
//!
//! Concurrent requests read the state at the payment provider, and a slow reader may write last. So each reader first
//! takes a read version, and a state with a lower version than the stored one is dropped. A version taken after an
//! event arrives covers the event.

use crate::domain::{CustomerId, Plan, SubscriptionState, SubscriptionStatus};
use crate::error::Error;
use crate::store::conditional::conditional_update;
use crate::store::transactions::{put_write, update_write};
use crate::store::{Item, Store, Values, from_item, number, store_error, table_keys, text, to_item};
use aws_sdk_dynamodb::types::{AttributeValue, ReturnValue, TransactWriteItem};
use jiff::Timestamp;
use jiff::fmt::serde::timestamp::second;
use serde::{Deserialize, Serialize};

/// Billing record of a customer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BillingRecord {
    /// Customer id at the payment provider.
    pub payment_customer_id: Option<String>,
    /// Attempts to create that customer that failed, or whose customer is gone. Stripe replays each under its
    /// idempotency key.
    pub customer_failures: i64,
    /// Subscription state; `None` before the first purchase.
    pub state: Option<SubscriptionState>,
    /// The latest read version. In the result of [`Store::begin_billing_read`] it is the caller's.
    pub read_version: i64,
    /// Read version of the stored state.
    pub(super) applied_version: i64,
}

#[derive(Default, Serialize, Deserialize)]
#[serde(default)]
struct BillingItem {
    payment_customer_id: Option<String>,
    customer_failures: i64,
    subscription_id: Option<String>,
    status: Option<SubscriptionStatus>,
    plan: Option<Plan>,
    #[serde(with = "second::optional")]
    period_start: Option<Timestamp>,
    #[serde(with = "second::optional")]
    period_end: Option<Timestamp>,
    cancel_at_period_end: bool,
    reads: i64,
    applied: i64,
}

#[derive(Serialize, Deserialize)]
struct PaymentCustomerItem {
    customer_id: CustomerId,
}

#[derive(Serialize)]
struct EventItem {
    #[serde(with = "second::required")]
    expires_at: Timestamp,
}

impl Store {
    /// Reads the billing record of a customer; an empty record if there is none.
    pub async fn billing(&self, customer: CustomerId) -> Result<BillingRecord, Error> {
        let item = self.read(&table_keys::billing(customer)).await?;
        item.map_or_else(|| Ok(BillingRecord::default()), parse_billing)
    }

    /// The customer of a payment customer.
    pub async fn customer_by_payment_customer(&self, payment_customer: &str) -> Result<Option<CustomerId>, Error> {
        let item = self.read(&table_keys::payment_customer(payment_customer)).await?;
        let record = item.map(from_item::<PaymentCustomerItem>).transpose()?;
        Ok(record.map(|record| record.customer_id))
    }

    /// Binds a payment customer, unless the customer has one. Returns the bound one; `None` if `payment_customer`
    /// belongs to another customer.
    pub async fn bind_payment_customer(
        &self,
        customer: CustomerId,
        payment_customer: &str,
    ) -> Result<Option<String>, Error> {
        let bind = self
            .update_item(&table_keys::billing(customer))
            .update_expression("SET payment_customer_id = :id")
            .condition_expression("attribute_not_exists(payment_customer_id)")
            .value(":id", text(payment_customer));
        let item =
            to_item(&table_keys::payment_customer(payment_customer), &PaymentCustomerItem { customer_id: customer })?;
        let reserve = self.put_item(item).condition_expression("attribute_not_exists(pk)");
        if self.transact(vec![update_write(bind)?, put_write(reserve)?]).await?.is_empty() {
            return Ok(Some(payment_customer.to_owned()));
        }
        Ok(self.billing(customer).await?.payment_customer_id)
    }

    /// Forgets a payment customer that does not exist any more, so that the next purchase makes another one. It gets
    /// another idempotency key, because Stripe would replay the creation of the first one.
    pub async fn unbind_payment_customer(&self, customer: CustomerId, gone: &str) -> Result<(), Error> {
        let update = self
            .update_item(&table_keys::billing(customer))
            .update_expression(
                "SET customer_failures = if_not_exists(customer_failures, :zero) + :one REMOVE payment_customer_id",
            )
            .condition_expression("payment_customer_id = :gone")
            .values([(":gone", text(gone)), (":zero", number(0)), (":one", number(1))]);
        conditional_update(update).await.map(drop)
    }

    /// Counts a failure that Stripe replays. Concurrent callers with the same `seen` count it once.
    pub async fn count_customer_failure(&self, customer: CustomerId, seen: i64) -> Result<(), Error> {
        let update = self
            .update_item(&table_keys::billing(customer))
            .update_expression("SET customer_failures = :next")
            .condition_expression("attribute_not_exists(customer_failures) OR customer_failures = :seen")
            .values([(":seen", number(seen)), (":next", number(seen.saturating_add(1)))]);
        conditional_update(update).await.map(drop)
    }

    /// Takes a read version. Call this before reading at the payment provider.
    pub async fn begin_billing_read(&self, customer: CustomerId) -> Result<BillingRecord, Error> {
        let update = self
            .update_item(&table_keys::billing(customer))
            .update_expression("ADD #reads :one")
            .expression_attribute_names("#reads", "reads")
            .value(":one", number(1))
            .return_values(ReturnValue::AllNew);
        let item = update.send().await.map_err(store_error)?.attributes.unwrap_or_default();
        parse_billing(item)
    }

    /// Returns `true` if an event was processed before.
    pub async fn payment_event_processed(&self, id: &str) -> Result<bool, Error> {
        Ok(self.read(&table_keys::payment_event(id)).await?.is_some())
    }

    /// Records an event as processed.
    pub async fn put_payment_event(&self, id: &str, expires_at: Timestamp) -> Result<(), Error> {
        self.put(event_item(id, expires_at)?).await
    }

    /// The record of an event as part of a transaction. Its condition is that the event is new.
    pub(super) fn event_put(&self, id: &str, expires_at: Timestamp) -> Result<TransactWriteItem, Error> {
        let put = self.put_item(event_item(id, expires_at)?);
        put_write(put.condition_expression("attribute_not_exists(pk)"))
    }

    /// A subscription state as part of a transaction. Its condition is that `seen` is still the stored state.
    pub(super) fn subscription_state_update(
        &self,
        customer: CustomerId,
        seen: &BillingRecord,
        read_version: i64,
        state: &SubscriptionState,
    ) -> Result<TransactWriteItem, Error> {
        let SubscriptionState { subscription_id, status, plan, period_start, period_end, cancel_at_period_end } = state;
        let update = self
            .update_item(&table_keys::billing(customer))
            .update_expression(
                "SET applied = :read_version, subscription_id = :subscription, #status = :status, #plan = :plan, \
                 period_start = :start, period_end = :end, cancel_at_period_end = :cancels",
            )
            .condition_expression("attribute_not_exists(applied) OR applied = :seen")
            .expression_attribute_names("#status", "status")
            .expression_attribute_names("#plan", "plan")
            .values([
                (":read_version", number(read_version)),
                (":seen", number(seen.applied_version)),
                (":subscription", text(subscription_id)),
                (":status", text(status.as_str())),
                (":plan", text(plan.as_str())),
                (":start", number(period_start.as_second())),
                (":end", number(period_end.as_second())),
                (":cancels", AttributeValue::Bool(*cancel_at_period_end)),
            ]);
        update_write(update)
    }
}

fn event_item(id: &str, expires_at: Timestamp) -> Result<Item, Error> {
    to_item(&table_keys::payment_event(id), &EventItem { expires_at })
}

fn parse_billing(item: Item) -> Result<BillingRecord, Error> {
    let record: BillingItem = from_item(item)?;
    let state = match (record.subscription_id, record.period_start, record.period_end) {
        (Some(subscription_id), Some(period_start), Some(period_end)) => Some(SubscriptionState {
            subscription_id,
            status: record.status.unwrap_or_else(|| SubscriptionStatus::new("")),
            plan: record.plan.ok_or_else(|| Error::internal("a billing record has no plan"))?,
            period_start,
            period_end,
            cancel_at_period_end: record.cancel_at_period_end,
        }),
        _ => None,
    };
    Ok(BillingRecord {
        payment_customer_id: record.payment_customer_id,
        customer_failures: record.customer_failures,
        state,
        read_version: record.reads,
        applied_version: record.applied,
    })
}
