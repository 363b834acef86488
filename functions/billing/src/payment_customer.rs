//! The customer at the payment provider: one for each of ours, created once however many requests need it.

use shared::domain::{Reason, sha256_hex};
use shared::error::{Error, Kind};
use shared::serve::Call;
use shared::store::BillingRecord;

/// Replaces a customer that was deleted at the provider. Returns the id of the new one. `missing` is the provider's
/// response.
///
/// The provider ends a customer's subscriptions with the customer. So one that is unknown there, though it has a
/// subscription in our record, means that the service has the API key of another account. It is not replaced: the
/// subscription would be forgotten and bought again.
pub(crate) async fn replace_customer(call: &Call, gone: &str, missing: Error) -> Result<String, Error> {
    let store = call.store();
    let customer = call.customer.id;
    tracing::warn!(%customer, payment_customer = gone, source = missing.source, "the payment customer is gone");
    let is_subscribed = store.billing(customer).await?.state.is_some_and(|state| !state.status.is_terminal());
    let at_provider = call.request.app.payments()?.customer(gone, call.request.deadline).await?;
    if is_subscribed && !at_provider.is_some_and(|customer| customer.deleted) {
        return Err(unknown_at_provider(missing));
    }
    store.unbind_payment_customer(customer, gone).await?;
    payment_customer_id(call, &store.billing(customer).await?).await
}

/// The error of a call for the customer that has just replaced another one: a missing customer is no fault of the
/// caller.
pub(crate) fn unknown_at_provider(error: Error) -> Error {
    if error.kind != Kind::NotFound {
        return error;
    }
    let message = "The payment provider does not know this customer. Nothing was charged; contact the operator of this \
                   service.";
    Error { source: error.source, ..Error::new(Kind::PlatformFailed, message).because(Reason::PaymentProviderFailed) }
}

/// The idempotency key at the provider of a request's session for a customer: the provider refuses a key that was sent
/// for another one.
pub(crate) fn session_key(request: &str, payment_customer: &str) -> String {
    sha256_hex(&format!("{request} {payment_customer}"))
}

/// The customer's id at the provider. Creates the customer there if the record has no id.
///
/// Concurrent requests send the same key, so that the provider creates one customer. A failure that the provider
/// stores under the key is counted: the next attempt uses another key. The id is stored before any purchase, so a
/// customer whose id was lost has no purchases.
pub(crate) async fn payment_customer_id(call: &Call, billing: &BillingRecord) -> Result<String, Error> {
    if let Some(known) = &billing.payment_customer_id {
        return Ok(known.clone());
    }
    let store = call.store();
    let customer = &call.customer;
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
            // Another key follows, so that the caller may try again with its own.
            return Err(failed.error);
        }
    };
    let bound = store.bind_payment_customer(customer.id, &created.id).await?;
    bound.ok_or_else(|| Error::internal(format!("{} belongs to another customer", created.id)))
}
