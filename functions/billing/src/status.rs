//! `GET /v1/billing/status`.

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
