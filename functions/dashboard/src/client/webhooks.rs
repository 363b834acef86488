//! Webhook endpoints: typed calls of the API.

use crate::client::api::{Api, Refusal, json};
use crate::client::session::SignedIn;
use crate::kit::text::path_segment;
use crate::kit::webhook_endpoint::EndpointRow;
use serde::Serialize;
use shared::domain::delivery::EndpointHealth;
use shared::domain::{Delivery, EndpointId, EndpointStatus, WebhookEndpoint, WebhookSecret};
use shared::envelope::{DeliveryList, Reply};
use shared::error::{Error, Kind};
use shared::serve::WebRequest;

const PATH: &str = "/v1/webhook-endpoints";

/// A secret that was just made.
pub(crate) struct NewSecret {
    pub(crate) endpoint: EndpointId,
    pub(crate) secret: WebhookSecret,
}

/// The body of `replayEvents`: it has one of the two fields.
#[derive(Default, Serialize)]
pub(crate) struct Replay<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) since: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) event_id: Option<&'a str>,
}

#[derive(Serialize)]
struct StatusUpdate {
    status: &'static str,
}

/// The endpoints of the customer with their health, newest first. The API does not return the health, so the store is
/// read.
pub(crate) async fn with_health(
    request: &WebRequest,
    person: &SignedIn,
) -> Result<Vec<(WebhookEndpoint, EndpointHealth)>, Error> {
    request.app.store.webhook_endpoints_with_health(person.customer()).await
}

/// The endpoint with an id.
pub(crate) async fn find(
    request: &WebRequest,
    person: &SignedIn,
    id: &str,
) -> Result<(WebhookEndpoint, EndpointHealth), Error> {
    let found = with_health(request, person).await?.into_iter().find(|(endpoint, _)| endpoint.id.as_str() == id);
    let message = "This endpoint does not exist. Webhooks lists all endpoints.";
    found.ok_or_else(|| Error::new(Kind::NotFound, message))
}

/// The endpoints that need a person: the service has disabled them, or they fail.
pub(crate) async fn attention(request: &WebRequest, person: &SignedIn) -> Result<Vec<EndpointRow>, Error> {
    let endpoints = with_health(request, person).await?;
    let rows = endpoints.iter().map(|(endpoint, health)| EndpointRow::new(endpoint, health, request.now));
    Ok(rows.filter(|row| row.needs_person).collect())
}

/// `createWebhookEndpoint`
pub(crate) async fn create(api: &Api<'_>, body: &impl Serialize) -> Result<NewSecret, Refusal> {
    match api.ask_to("POST", PATH, json(body)).await? {
        Reply::WebhookEndpointCreated { endpoint, secret } => Ok(NewSecret { endpoint: endpoint.id, secret }),
        other => Err(api.unexpected(&other)),
    }
}

/// `updateWebhookEndpoint`
pub(crate) async fn update(api: &Api<'_>, id: &str, body: &impl Serialize) -> Result<(), Refusal> {
    match api.ask_to("PATCH", &target(id), json(body)).await? {
        Reply::WebhookEndpoint { .. } => Ok(()),
        other => Err(api.unexpected(&other)),
    }
}

/// `updateWebhookEndpoint` with another status.
pub(crate) async fn set_status(api: &Api<'_>, id: &str, status: EndpointStatus) -> Result<(), Refusal> {
    update(api, id, &StatusUpdate { status: status.as_str() }).await
}

/// `rotateWebhookSecret`
pub(crate) async fn rotate_secret(api: &Api<'_>, id: &str) -> Result<NewSecret, Refusal> {
    match api.ask_to("POST", &format!("{}/rotate-secret", target(id)), None).await? {
        Reply::WebhookSecretRotated { endpoint, secret } => Ok(NewSecret { endpoint: endpoint.id, secret }),
        other => Err(api.unexpected(&other)),
    }
}

/// `testWebhookEndpoint`; the delivery with its attempt.
pub(crate) async fn test(api: &Api<'_>, id: &str) -> Result<Delivery, Refusal> {
    match api.ask_to("POST", &format!("{}/test", target(id)), None).await? {
        Reply::Delivery(delivery) => Ok(*delivery),
        other => Err(api.unexpected(&other)),
    }
}

/// `replayEvents`; the number of events that are sent again.
pub(crate) async fn replay(api: &Api<'_>, id: &str, replay: &Replay<'_>) -> Result<usize, Refusal> {
    match api.ask_to("POST", &format!("{}/replay", target(id)), json(replay)).await? {
        Reply::EventsReplayed(count) => Ok(count),
        other => Err(api.unexpected(&other)),
    }
}

/// `deleteWebhookEndpoint`
pub(crate) async fn delete(api: &Api<'_>, id: &str) -> Result<(), Refusal> {
    match api.ask_to("DELETE", &target(id), None).await? {
        Reply::Done => Ok(()),
        other => Err(api.unexpected(&other)),
    }
}

/// `listDeliveries`
pub(crate) async fn deliveries(api: &Api<'_>, target: &str) -> Result<DeliveryList, Refusal> {
    match api.ask_for(target).await? {
        Reply::Deliveries(list) => Ok(list),
        other => Err(api.unexpected(&other)),
    }
}

/// The list of the deliveries to an endpoint, without its query.
pub(crate) fn deliveries_path(id: &str) -> String {
    format!("{}/deliveries", target(id))
}

fn target(id: &str) -> String {
    format!("{PATH}/{}", path_segment(id))
}
