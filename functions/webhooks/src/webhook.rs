//! `POST /v1/billing/webhook`: events of the payment provider (D37 in `docs/decisions.md`). The provider delivers an
//! event at least once, in any order, and again after a response other than 2xx.

use shared::domain::CustomerId;
use shared::envelope::Reply;
use shared::error::{Error, Kind};
use shared::payments::signature::{self, verify};
use shared::payments::wire::{Event, EventObject, is_object_id};
use shared::serve::ApiRequest;
use shared::subscriptions::SubscriptionSync;
use std::time::Duration;
use tokio::time::Instant;
use uuid::Uuid;

/// Time limit of an event. The provider's own is short; an event that fails is delivered again.
pub const EVENT_TIMEOUT: Duration = Duration::from_secs(8);

/// The event types after which a subscription may have changed. All others are acknowledged and ignored.
const HANDLED_TYPES: [&str; 10] = [
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

/// Verifies and processes an event.
pub(crate) async fn webhook(request: &ApiRequest) -> Result<Reply, Error> {
    let body = request.json_body()?;
    let secrets = request.app.payments()?.webhook_secrets();
    verify(secrets, request.signature(), body, request.now.as_second())
        .map_err(|reason| Error::field(signature::HEADER, reason.to_string()))?;
    let event: Event = serde_json::from_slice(body).map_err(invalid_event)?;
    if !is_object_id(&event.id) {
        return Err(invalid_id("id"));
    }
    let (id, kind) = (event.id.as_str(), event.kind.as_str());
    if !HANDLED_TYPES.contains(&kind) {
        tracing::info!(event = id, kind, "event ignored: not a handled type");
        return Ok(Reply::Received);
    }
    if request.app.store.payment_event_processed(id).await? {
        tracing::info!(event = id, kind, "event ignored: processed before");
        return Ok(Reply::Received);
    }
    let object: EventObject = serde_json::from_value(event.data.object).map_err(invalid_event)?;
    process(request, (id, kind), &object).await?;
    Ok(Reply::Received)
}

/// Processes an event of a handled type. Nothing comes of one whose customer is unknown here or at the provider, also when
/// it is delivered again, so it is no failure.
async fn process(request: &ApiRequest, (id, kind): (&str, &str), object: &EventObject) -> Result<(), Error> {
    let Some(payment_customer) = object.customer.as_ref() else {
        tracing::warn!(event = id, kind, "event ignored: no customer");
        return Ok(());
    };
    let payment_customer = payment_customer.id();
    if !is_object_id(payment_customer) {
        return Err(invalid_id("customer"));
    }
    let deadline = request.deadline.min(Instant::now() + EVENT_TIMEOUT);
    let Some(customer) = find_customer(request, payment_customer, object, deadline).await? else {
        tracing::warn!(event = id, kind, payment_customer, "event ignored: unknown customer");
        return Ok(());
    };
    let sync = SubscriptionSync {
        store: &request.app.store,
        provider: request.app.payments()?,
        customer,
        payment_customer,
        event: Some(id),
        now: request.now,
        deadline,
    };
    match sync.run().await {
        // The next checkout replaces the customer.
        Err(error) if error.kind == Kind::NotFound => {
            tracing::warn!(event = id, kind, payment_customer, "event ignored: the provider has no such customer");
            Ok(())
        }
        outcome => outcome.map(drop),
    }
}

fn invalid_event(reason: serde_json::Error) -> Error {
    Error::field("body", "must be an event of the payment provider").caused_by(reason)
}

fn invalid_id(field: &str) -> Error {
    Error::field(field, "must be an id of the payment provider: 1 to 255 letters, digits, _ or -")
}

/// The customer of an event. A customer that was created manually at the provider is bound by the id in its objects, if
/// the provider has it: its owner buys with it from then on.
async fn find_customer(
    request: &ApiRequest,
    payment_customer: &str,
    object: &EventObject,
    deadline: Instant,
) -> Result<Option<CustomerId>, Error> {
    let store = &request.app.store;
    if let Some(customer) = store.customer_by_payment_customer(payment_customer).await? {
        return Ok(Some(customer));
    }
    let account = object.metadata.as_ref().and_then(|metadata| metadata.get("account"));
    let named = account.or(object.client_reference_id.as_ref()).and_then(|text| Uuid::parse_str(text).ok());
    let Some(customer) = named.map(CustomerId) else { return Ok(None) };
    if store.account(customer, request.now).await?.is_none() {
        return Ok(None);
    }
    let at_provider = request.app.payments()?.customer(payment_customer, deadline).await?;
    if at_provider.is_none_or(|customer| customer.deleted) {
        return Ok(None);
    }
    let bound = store.bind_payment_customer(customer, payment_customer).await?;
    Ok((bound.as_deref() == Some(payment_customer)).then_some(customer))
}
