//! `POST /v1/billing/webhook`: the payment provider tells that something happened (D37 in the README). Events come at
//! least once and in no order; an answer other than 2xx brings them again.

use crate::refresh::{Payer, refresh};
use shared::domain::CustomerId;
use shared::envelope::Reply;
use shared::error::Error;
use shared::payments::signature::{self, verify};
use shared::payments::wire::{Event, EventObject};
use shared::serve::ApiRequest;
use std::time::Duration;
use tokio::time::Instant;
use uuid::Uuid;

/// The provider does not wait long; what is not done by then comes again.
const PATIENCE: Duration = Duration::from_secs(8);

/// The events after which a subscription may be another.
const KINDS: [&str; 10] = [
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

/// Takes an event.
pub(crate) async fn webhook(call: &ApiRequest) -> Result<Reply, Error> {
    let body = call.json_body()?;
    let secrets = call.app.payments()?.webhook_secrets();
    verify(secrets, call.signature(), body, call.now.as_second())
        .map_err(|refused| Error::field(signature::HEADER, refused.to_string()))?;
    let event: Event = serde_json::from_slice(body).map_err(not_an_event)?;
    let (id, kind) = (event.id.as_str(), event.kind.as_str());
    if !KINDS.contains(&kind) {
        tracing::info!(event = id, kind, "event of no interest");
        return Ok(Reply::Received);
    }
    if call.app.store.payment_event_processed(id).await? {
        tracing::info!(event = id, kind, "event taken before");
        return Ok(Reply::Received);
    }
    let object: EventObject = serde_json::from_value(event.data.object).map_err(not_an_event)?;
    let Some(payment_customer) = object.customer.as_ref() else {
        tracing::warn!(event = id, kind, "event of nobody");
        return Ok(Reply::Received);
    };
    let payment_customer = payment_customer.id();
    let Some(customer) = customer_of(call, payment_customer, &object).await? else {
        tracing::warn!(event = id, kind, payment_customer, "event of a customer that is none of ours");
        return Ok(Reply::Received);
    };
    let deadline = call.deadline.min(Instant::now() + PATIENCE);
    refresh(call, &Payer { customer, payment_customer }, Some(id), deadline).await?;
    Ok(Reply::Received)
}

fn not_an_event(reason: serde_json::Error) -> Error {
    Error::field("body", "is not an event of the payment provider").caused_by(reason)
}

/// Whose event it is. A customer who was made at the provider by hand is bound by what its objects say of us.
async fn customer_of(
    call: &ApiRequest,
    payment_customer: &str,
    object: &EventObject,
) -> Result<Option<CustomerId>, Error> {
    let store = &call.app.store;
    if let Some(customer) = store.customer_by_payment_customer(payment_customer).await? {
        return Ok(Some(customer));
    }
    let account = object.metadata.as_ref().and_then(|metadata| metadata.get("account"));
    let said = account.or(object.client_reference_id.as_ref()).and_then(|text| Uuid::parse_str(text).ok());
    let Some(customer) = said.map(CustomerId) else { return Ok(None) };
    if store.account(customer, call.now).await?.is_none() {
        return Ok(None);
    }
    let bound = store.bind_payment_customer(customer, payment_customer).await?;
    Ok((bound.as_deref() == Some(payment_customer)).then_some(customer))
}
