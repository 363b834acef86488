//! The checkout sessions that this service created. The return page carries no key, so it calls the payment provider
//! only for these.

use crate::domain::CustomerId;
use crate::error::Error;
use crate::store::{Store, from_item, table_keys, to_item};
use jiff::fmt::serde::timestamp::second;
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};

/// Retention of a checkout. Stripe closes a session after 24 hours; a bank debit may need days more, and its customer
/// may reload the page meanwhile.
const CHECKOUT_RETENTION: SignedDuration = SignedDuration::from_hours(7 * 24);

/// The owner of a checkout session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checkout {
    pub customer: CustomerId,
    /// The customer's id at the payment provider.
    pub payment_customer: String,
}

#[derive(Serialize, Deserialize)]
struct CheckoutItem {
    customer_id: CustomerId,
    /// Another name than in the billing record, because roles guard that one.
    payment_customer: String,
    #[serde(with = "second::required")]
    expires_at: Timestamp,
}

impl Store {
    /// Records a checkout session. A replayed checkout has the same session and writes the same owner again.
    pub async fn put_checkout(&self, session: &str, checkout: &Checkout, now: Timestamp) -> Result<(), Error> {
        let item = CheckoutItem {
            customer_id: checkout.customer,
            payment_customer: checkout.payment_customer.clone(),
            expires_at: now + CHECKOUT_RETENTION,
        };
        let item = to_item(&table_keys::checkout(session), &item)?;
        self.put(item).await
    }

    /// The owner of a checkout session; `None` if this service did not create it, or its record has expired.
    pub async fn checkout(&self, session: &str, now: Timestamp) -> Result<Option<Checkout>, Error> {
        let Some(item) = self.read(&table_keys::checkout(session)).await? else { return Ok(None) };
        let CheckoutItem { customer_id: customer, payment_customer, expires_at } = from_item(item)?;
        // DynamoDB deletes expired items within days; until then they do not count.
        let is_valid = expires_at.as_second() > now.as_second();
        Ok(is_valid.then_some(Checkout { customer, payment_customer }))
    }
}
