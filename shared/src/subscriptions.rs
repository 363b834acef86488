//! Reads a customer's subscriptions at the payment provider and stores their state. Every event and every return from
//! a checkout triggers it. The trigger supplies no data, so triggers may be repeated and arrive in any order.

use crate::app::App;
use crate::domain::{CustomerId, SubscriptionState};
use crate::error::Error;
use crate::payments::Provider;
use crate::store::{ApplyOutcome, BillingRecord, Store};
use jiff::Timestamp;
use tokio::time::Instant;

/// A synchronization of one customer's subscription.
#[derive(Clone, Copy, Debug)]
pub struct SubscriptionSync<'a> {
    store: &'a Store,
    provider: &'a Provider,
    customer: CustomerId,
    payment_customer: &'a str,
    event: Option<&'a str>,
    now: Timestamp,
    deadline: Instant,
}

impl<'a> SubscriptionSync<'a> {
    /// `payment_customer` is the customer's id at the provider; `deadline` ends the time for calls to the provider. An
    /// internal error if no provider is configured.
    pub fn new(
        app: &'a App,
        customer: CustomerId,
        payment_customer: &'a str,
        now: Timestamp,
        deadline: Instant,
    ) -> Result<SubscriptionSync<'a>, Error> {
        let provider = app.payments()?;
        Ok(SubscriptionSync { store: &app.store, provider, customer, payment_customer, event: None, now, deadline })
    }

    /// The same, triggered by an event, which is stored with the state.
    pub fn for_event(self, event: &'a str) -> SubscriptionSync<'a> {
        SubscriptionSync { event: Some(event), ..self }
    }

    /// Synchronizes and returns the state; `None` before the first purchase, and for a customer at the provider that
    /// another one has replaced.
    pub async fn run(&self) -> Result<Option<SubscriptionState>, Error> {
        // The read version must be taken before the provider is read: it orders concurrent reads.
        let read_version = self.store.begin_billing_read(self.customer).await?;
        if read_version.payment_customer_id.as_deref() != Some(self.payment_customer) {
            tracing::warn!(customer = %self.customer, event = self.event, "not stored: the payment customer was replaced");
            self.store.record_event(self.event, self.now).await?;
            return Ok(None);
        }
        self.run_at_version(&read_version).await
    }

    /// The same with a read version that was taken before.
    pub async fn run_at_version(&self, read_version: &BillingRecord) -> Result<Option<SubscriptionState>, Error> {
        let SubscriptionSync { store, provider, customer, payment_customer, event, now, deadline } = *self;
        let Some(state) = provider.subscription_state(payment_customer, deadline).await? else {
            store.record_event(event, now).await?;
            return Ok(None);
        };
        let outcome = store.apply_subscription_state(customer, read_version, &state, event, now).await?;
        let (status, plan) = (state.status.as_str(), state.plan.as_str());
        match outcome {
            ApplyOutcome::Applied => tracing::info!(%customer, status, plan, event, "subscription state stored"),
            ApplyOutcome::DuplicateEvent | ApplyOutcome::Superseded => {
                tracing::info!(%customer, event, ?outcome, "subscription state not stored")
            }
        }
        Ok(Some(state))
    }
}
