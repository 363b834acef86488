//! The provider's webhooks: an event is verified, then read for what it says about a customer's subscriptions.

use super::Provider;
use super::signature::{self, verify};
use super::wire::{Event, EventObject, is_object_id};
use crate::domain::CustomerId;
use crate::error::Error;
use jiff::Timestamp;
use serde_json::Value;
use uuid::Uuid;

/// The event types after which a subscription may have changed.
const SUBSCRIPTION_TYPES: [&str; 10] = [
    "checkout.session.completed",
    "checkout.session.async_payment_succeeded",
    "checkout.session.async_payment_failed",
    "customer.subscription.created",
    "customer.subscription.updated",
    "customer.subscription.deleted",
    "customer.subscription.paused",
    "customer.subscription.resumed",
    "invoice.paid",
    "invoice.payment_failed",
];

/// A verified event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WebhookEvent {
    /// The same in every delivery of the event.
    pub id: String,
    /// The provider's name of its type.
    pub kind: String,
    /// The customer whose subscriptions may have changed; `None` for other events.
    pub customer: Option<EventCustomer>,
}

/// The customer of an event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EventCustomer {
    /// The id at the provider.
    pub payment_customer: String,
    /// Our id, where the object of the event has it.
    pub account: Option<CustomerId>,
}

impl Provider {
    /// Verifies the signature of a webhook and reads its event. `signature` is the header, empty without it. A
    /// `Validation` error names the header or the field.
    pub fn read_webhook(&self, signature: &str, body: &[u8], now: Timestamp) -> Result<WebhookEvent, Error> {
        verify(&self.webhook_secrets, signature, body, now.as_second())
            .map_err(|reason| Error::field(signature::HEADER, reason.to_string()))?;
        let event: Event = serde_json::from_slice(body).map_err(invalid_event)?;
        if !is_object_id(&event.id) {
            return Err(invalid_id("id"));
        }
        let is_about_subscription = SUBSCRIPTION_TYPES.contains(&event.kind.as_str());
        let customer = if is_about_subscription { read_customer(event.data.object)? } else { None };
        Ok(WebhookEvent { id: event.id, kind: event.kind, customer })
    }
}

fn read_customer(object: Value) -> Result<Option<EventCustomer>, Error> {
    let object: EventObject = serde_json::from_value(object).map_err(invalid_event)?;
    let Some(customer) = &object.customer else { return Ok(None) };
    if !is_object_id(customer.id()) {
        return Err(invalid_id("customer"));
    }
    let account = object.metadata.as_ref().and_then(|metadata| metadata.get("account"));
    let account = account.or(object.client_reference_id.as_ref()).and_then(|text| Uuid::parse_str(text).ok());
    Ok(Some(EventCustomer { payment_customer: customer.id().to_owned(), account: account.map(CustomerId) }))
}

fn invalid_event(reason: serde_json::Error) -> Error {
    Error::field("body", "must be an event of the payment provider").caused_by(reason)
}

fn invalid_id(field: &str) -> Error {
    Error::field(field, "must be an id of the payment provider: 1 to 255 letters, digits, _ or -")
}
