//! `GET /v1/customer/me`.

use shared::envelope::Reply;
use shared::envelope::query::reject_unknown_params;
use shared::error::Error;
use shared::serve::Call;
use shared::store::BillingRecord;

/// The customer of the API key. PENDING connections do not count.
pub(crate) async fn me(call: &Call, billing: BillingRecord) -> Result<Reply, Error> {
    reject_unknown_params(&call.request.query, &[])?;
    // Shown from the first purchase on; a checkout creates it earlier.
    let payment_customer_id = billing.state.and(billing.payment_customer_id);
    let connections_count = call.connection_count;
    Ok(Reply::Customer { customer: call.customer.clone(), connections_count, payment_customer_id })
}
