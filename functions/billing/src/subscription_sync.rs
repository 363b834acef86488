//! Reads a customer's subscriptions at the payment provider and stores their state. Every event and every return from
//! a checkout triggers it. The trigger supplies no data, so triggers may be repeated and arrive in any order.

use shared::domain::{CustomerId, SubscriptionState, SubscriptionStatus};
use shared::error::Error;
use shared::serve::ApiRequest;
use shared::store::{ApplyOutcome, BillingRecord};
use tokio::time::Instant;

/// A customer and its id at the payment provider.
pub(crate) struct PaymentCustomer<'a> {
    /// Our customer.
    pub(crate) customer: CustomerId,
    /// The id at the provider.
    pub(crate) id: &'a str,
}

/// Synchronizes the customer's subscription and returns its state. The triggering event is stored with it.
pub(crate) async fn sync_subscription(
    request: &ApiRequest,
    payment_customer: &PaymentCustomer<'_>,
    event: Option<&str>,
    deadline: Instant,
) -> Result<Option<SubscriptionState>, Error> {
    // The read version must be taken before the provider is read: it orders concurrent reads.
    let read_version = request.app.store.begin_billing_read(payment_customer.customer).await?;
    sync_at_version(request, payment_customer, &read_version, event, deadline).await
}

/// The same with a read version that was taken before.
pub(crate) async fn sync_at_version(
    request: &ApiRequest,
    payment_customer: &PaymentCustomer<'_>,
    read_version: &BillingRecord,
    event: Option<&str>,
    deadline: Instant,
) -> Result<Option<SubscriptionState>, Error> {
    let (store, provider, customer) = (&request.app.store, request.app.payments()?, payment_customer.customer);
    let subscriptions = provider.subscriptions(payment_customer.id, deadline).await?;
    let active = subscriptions.iter().filter(|one| SubscriptionStatus::new(&one.status).grants_access()).count();
    if active > 1 {
        tracing::error!(%customer, active, "several active subscriptions; the largest plan counts, cancel the others");
    }
    let Some(state) = provider.prices().subscription_state(&subscriptions)? else {
        store.record_event(event, request.now).await?;
        return Ok(None);
    };
    let outcome = store.apply_subscription_state(customer, read_version, &state, event, request.now).await?;
    let (status, plan) = (state.status.as_str(), state.plan.as_str());
    match outcome {
        ApplyOutcome::Applied => tracing::info!(%customer, status, plan, event, "subscription state stored"),
        ApplyOutcome::DuplicateEvent | ApplyOutcome::Superseded => {
            tracing::info!(%customer, event, ?outcome, "subscription state not stored")
        }
    }
    Ok(Some(state))
}
