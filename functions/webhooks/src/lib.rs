//! The payment provider's webhooks. They have a function of their own, because Lambda reserves concurrency for a
//! function, and no other endpoint may use up theirs. The provider delivers an event at least once, in any order, and
//! again after a response other than 2xx, so an event is only a hint (D147).

use lambda_http::{Body, Request, Response};
use shared::app::App;
use shared::domain::CustomerId;
use shared::envelope::Reply;
use shared::error::{Error, Kind};
use shared::payments::{EventCustomer, WebhookEvent};
use shared::routes::{Endpoint, WebhooksEndpoint};
use shared::secrets::SecretAccess;
use shared::serve::{Answer, ApiRequest, IncomingRequest, serve_public};
use shared::subscriptions::SubscriptionSync;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::Instant;

/// The secrets that the function reads.
pub const SECRETS: SecretAccess = SecretAccess::PAYMENTS;

/// Time limit of an event. The provider's own is short; an event that fails is delivered again.
pub const EVENT_TIMEOUT: Duration = Duration::from_secs(8);

/// Handles a request.
pub async fn handle(app: Arc<App>, request: Request) -> Response<Body> {
    answer(IncomingRequest::new(app, request)).await.into()
}

async fn answer(incoming: IncomingRequest) -> Answer {
    let Some(Endpoint::Webhooks(endpoint)) = incoming.endpoint() else { return incoming.reject_unrouted().await };
    match endpoint {
        WebhooksEndpoint::BillingWebhook => serve_public(incoming, webhook).await,
    }
}

/// Verifies and processes an event.
async fn webhook(request: &ApiRequest) -> Result<Reply, Error> {
    let event = request.app.payments()?.read_webhook(request.signature(), request.json_body()?, request.now)?;
    let WebhookEvent { id, kind, customer } = &event;
    let Some(customer) = customer else {
        tracing::info!(event = id, kind, "event ignored: not about a customer's subscriptions");
        return Ok(Reply::Received);
    };
    if request.app.store.payment_event_processed(id).await? {
        tracing::info!(event = id, kind, "event ignored: processed before");
        return Ok(Reply::Received);
    }
    process(request, &event, customer).await?;
    Ok(Reply::Received)
}

/// Synchronizes the subscriptions of an event's customer. Nothing comes of one that is unknown here or at the provider,
/// also when the event is delivered again, so it is no failure.
async fn process(request: &ApiRequest, event: &WebhookEvent, customer: &EventCustomer) -> Result<(), Error> {
    let id = event.id.as_str();
    let kind = &event.kind;
    let payment_customer = customer.payment_customer.as_str();
    let deadline = request.deadline.min(Instant::now() + EVENT_TIMEOUT);
    let Some(customer) = find_customer(request, customer, deadline).await? else {
        tracing::warn!(event = id, kind, payment_customer, "event ignored: unknown customer");
        return Ok(());
    };
    let sync = SubscriptionSync::new(&request.app, customer, payment_customer, request.now, deadline)?;
    match sync.for_event(id).run().await {
        // The next checkout replaces the customer.
        Err(error) if error.kind == Kind::NotFound => {
            tracing::warn!(event = id, kind, payment_customer, "event ignored: the provider has no such customer");
            Ok(())
        }
        outcome => outcome.map(drop),
    }
}

/// Our customer of an event. A customer that was created manually at the provider is bound by the id in its objects, if
/// the provider has it: its owner buys with it from then on.
async fn find_customer(
    request: &ApiRequest,
    event: &EventCustomer,
    deadline: Instant,
) -> Result<Option<CustomerId>, Error> {
    let store = &request.app.store;
    let EventCustomer { payment_customer, account } = event;
    if let Some(customer) = store.customer_by_payment_customer(payment_customer).await? {
        return Ok(Some(customer));
    }
    let Some(customer) = *account else { return Ok(None) };
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
