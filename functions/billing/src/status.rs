//! `GET /v1/billing/status` (spec 2.4).

use shared::domain::{BillingStatus, SubscriptionStatus};
use shared::envelope::Reply;
use shared::envelope::query::refuse_strangers;
use shared::error::Error;
use shared::serve::Call;

/// Tells plan, status, period and usage, as stored.
pub(crate) async fn status(call: &Call) -> Result<Reply, Error> {
    refuse_strangers(&call.public.query, &[])?;
    let (store, customer) = (call.store(), &call.customer);
    let (billing, usage) = tokio::try_join!(store.billing(customer.id), store.usage(customer.id, call.public.now))?;
    let status = billing.standing.map_or_else(SubscriptionStatus::none, |standing| standing.status);
    Ok(Reply::BillingStatus(BillingStatus { plan: customer.plan, status, usage }))
}
