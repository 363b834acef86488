//! Who a customer is at the payment provider: one there for each of ours, however many requests need it at once.

use shared::error::Error;
use shared::serve::Call;
use shared::store::BillingRecord;

/// The customer's identifier at the provider, made if the record that was just read has none.
///
/// Two who make it at once send the same key, so that the provider makes one. A failure that the provider keeps under
/// the key is counted, and the next attempt has another key. Nobody makes a purchase before the identifier is stored,
/// so one that was made and forgotten is empty.
pub(crate) async fn payer(call: &Call, billing: &BillingRecord) -> Result<String, Error> {
    if let Some(known) = &billing.payment_customer_id {
        return Ok(known.clone());
    }
    let (store, customer) = (call.store(), &call.customer);
    let provider = call.request.app.payments()?;
    let failures = billing.customer_failures;
    let key = format!("customer-{}-{failures}", customer.id);
    let made = provider.create_customer(customer.id, &customer.email, &key, call.request.deadline).await;
    let made = match made {
        Ok(made) => made,
        Err(failed) => {
            if failed.is_stored {
                store.count_customer_failure(customer.id, failures).await?;
            }
            return Err(failed.error);
        }
    };
    let bound = store.bind_payment_customer(customer.id, &made.id).await?;
    bound.ok_or_else(|| Error::internal(format!("{} is another customer's at the payment provider", made.id)))
}
