//! `getBillingStatus` and `getCustomer`: what is stored of a customer.

use shared::domain::{BillingStatus, SubscriptionStatus};
use shared::envelope::Reply;
use shared::envelope::query::reject_unknown_params;
use shared::error::Error;
use shared::serve::Call;
use shared::store::BillingRecord;

/// Plan, subscription status, period and usage, as stored.
pub(crate) fn status(call: &Call, billing: BillingRecord) -> Result<Reply, Error> {
    reject_unknown_params(&call.request.query, &[])?;
    let status = billing.state.map_or_else(SubscriptionStatus::none, |state| state.status);
    Ok(Reply::BillingStatus(BillingStatus { plan: call.customer.plan, status, usage: call.usage }))
}

/// The customer of the API key. PENDING connections do not count.
pub(crate) async fn customer(call: &Call, billing: BillingRecord) -> Result<Reply, Error> {
    reject_unknown_params(&call.request.query, &[])?;
    // Shown from the first purchase on; a checkout creates it earlier.
    let payment_customer_id = billing.state.and(billing.payment_customer_id);
    let connections_count = call.connection_count;
    Ok(Reply::Customer { customer: call.customer.clone(), connections_count, payment_customer_id })
}
