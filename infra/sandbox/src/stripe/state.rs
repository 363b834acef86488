//! The state of the payment provider.

use super::error::StripeError;
use super::idempotency::IdempotencyKeys;
use super::objects::checkout_session::CheckoutSession;
use super::objects::customer::Customer;
use super::objects::portal_session::PortalSession;
use super::objects::subscription::Subscription;
use super::outbox::Outbox;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// First part of the provider's paths.
pub(crate) const NAME: &str = "stripe";

/// Every object, idempotency key and event of the provider.
#[derive(Clone, Default, Serialize, Deserialize)]
pub(crate) struct Stripe {
    pub(super) customers: BTreeMap<String, Customer>,
    pub(super) sessions: BTreeMap<String, CheckoutSession>,
    pub(super) portals: BTreeMap<String, PortalSession>,
    pub(super) subscriptions: BTreeMap<String, Subscription>,
    /// Subscription ids, oldest first.
    pub(super) order: Vec<String>,
    pub(super) keys: IdempotencyKeys,
    pub(super) outbox: Outbox,
}

impl Stripe {
    /// The customer with the id that `param` carries, also if it is deleted: its history can still be read.
    pub(super) fn find_customer(&self, id: &str, param: &str) -> Result<&Customer, StripeError> {
        self.customers.get(id).ok_or_else(|| StripeError::no_such("customer", id, param))
    }

    /// The same for a new object, which a deleted customer cannot have.
    pub(super) fn find_buyer(&self, id: &str, param: &str) -> Result<&Customer, StripeError> {
        let customer = self.find_customer(id, param)?;
        if customer.deleted { Err(StripeError::no_such("customer", id, param)) } else { Ok(customer) }
    }

    /// The subscription with the id that the path carries.
    pub(super) fn find_subscription(&self, id: &str) -> Result<&Subscription, StripeError> {
        self.subscriptions.get(id).ok_or_else(|| StripeError::not_found("subscription", id))
    }

    /// Subscriptions, newest first.
    pub(super) fn newest_subscriptions(&self) -> impl Iterator<Item = &Subscription> {
        self.order.iter().rev().filter_map(|id| self.subscriptions.get(id))
    }
}
