//! The customer at the payment provider: one for each of ours, created once however many requests need it.

use shared::error::Error;
use shared::serve::Call;
use shared::store::BillingRecord;

/// The customer's id at the provider. Creates the customer there if the record has no id.
///
/// Concurrent requests send the same key, so that the provider creates one customer. A failure that the provider
/// stores under the key is counted: the next attempt uses another key. The id is stored before any purchase, so a
/// customer whose id was lost has no purchases.
pub(crate) async fn payment_customer_id(call: &Call, billing: &BillingRecord) -> Result<String, Error> {
    if let Some(known) = &billing.payment_customer_id {
        return Ok(known.clone());
    }
    let (store, customer) = (call.store(), &call.customer);
    let provider = call.request.app.payments()?;
    let failures = billing.customer_failures;
    let key = format!("customer-{}-{failures}", customer.id);
    let created = provider.create_customer(customer.id, &customer.email, &key, call.request.deadline).await;
    let created = match created {
        Ok(created) => created,
        Err(failed) => {
            if failed.is_stored {
                store.count_customer_failure(customer.id, failures).await?;
            }
            return Err(failed.error);
        }
    };
    let bound = store.bind_payment_customer(customer.id, &created.id).await?;
    bound.ok_or_else(|| Error::internal(format!("{} belongs to another customer", created.id)))
}
