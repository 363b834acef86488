//! `GET /v1/customer/me` (spec 2.4).

use shared::domain::ConnectionStatus;
use shared::envelope::Reply;
use shared::envelope::query::reject_unknown_params;
use shared::error::Error;
use shared::serve::Call;
use shared::store::BillingRecord;

/// Tells who the key is of. A connection counts once its user has come back.
pub(crate) fn me(call: &Call, billing: BillingRecord) -> Result<Reply, Error> {
    reject_unknown_params(&call.request.query, &[])?;
    // Made ahead of the first purchase, it is of no use to anybody yet.
    let payment_customer_id = billing.state.and(billing.payment_customer_id);
    let connected = call.connected.connections.iter().filter(|link| link.status != ConnectionStatus::Pending);
    Ok(Reply::Customer { customer: call.customer.clone(), connections_count: connected.count(), payment_customer_id })
}
