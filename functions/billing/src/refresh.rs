//! Reads at the payment provider how a customer stands, and stores it. Whatever hints at a change leads here: nothing
//! is taken from the hint itself, so it does not matter how often and in which order hints come.

use shared::domain::{CustomerId, SubscriptionState, SubscriptionStatus};
use shared::error::Error;
use shared::serve::ApiRequest;
use shared::store::{ApplyOutcome, BillingRecord};
use tokio::time::Instant;

/// Whose standing is read.
pub(crate) struct Payer<'a> {
    /// Our customer.
    pub(crate) customer: CustomerId,
    /// The same at the provider.
    pub(crate) payment_customer: &'a str,
}

/// Brings the customer's standing up to date; answers it as read. The event that led here is noted with it.
pub(crate) async fn refresh(
    call: &ApiRequest,
    payer: &Payer<'_>,
    event: Option<&str>,
    deadline: Instant,
) -> Result<Option<SubscriptionState>, Error> {
    // Before the provider is read: see the store's billing.
    let drawn = call.app.store.begin_billing_read(payer.customer).await?;
    refresh_as_drawn(call, payer, &drawn, event, deadline).await
}

/// The same for who has drawn his number already.
pub(crate) async fn refresh_as_drawn(
    call: &ApiRequest,
    payer: &Payer<'_>,
    drawn: &BillingRecord,
    event: Option<&str>,
    deadline: Instant,
) -> Result<Option<SubscriptionState>, Error> {
    let (store, provider, customer) = (&call.app.store, call.app.payments()?, payer.customer);
    let subscriptions = provider.subscriptions(payer.payment_customer, deadline).await?;
    let going = subscriptions.iter().filter(|one| SubscriptionStatus::new(&one.status).grants_access()).count();
    if going > 1 {
        tracing::error!(%customer, going, "pays for several subscriptions; the largest plan counts: end the others");
    }
    let Some(state) = provider.prices().subscription_state(&subscriptions)? else {
        store.record_event(event, call.now).await?;
        return Ok(None);
    };
    let outcome = store.apply_subscription_state(customer, drawn, &state, event, call.now).await?;
    let (status, plan) = (state.status.as_str(), state.plan.as_str());
    match outcome {
        ApplyOutcome::Applied => tracing::info!(%customer, status, plan, event, "standing stored"),
        ApplyOutcome::DuplicateEvent | ApplyOutcome::Superseded => {
            tracing::info!(%customer, event, ?outcome, "standing dropped")
        }
    }
    Ok(Some(state))
}
