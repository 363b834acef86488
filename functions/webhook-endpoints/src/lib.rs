//! The endpoints of signed webhooks: create, list, get, change, delete, rotate the secret (D66); and the events that
//! they receive: list, deliveries, test sends, replays (D67).

mod deliveries;
mod endpoints;
mod replay;

use lambda_http::{Body, Request, Response};
use shared::app::App;
use shared::error::Error;
use shared::routes::{Endpoint, WebhookEndpointsEndpoint};
use shared::secrets::SecretAccess;
use shared::serve::{Answer, Call, IncomingRequest, serve, serve_with_prefetch};
use std::sync::Arc;

/// The secrets that the function reads.
pub const SECRETS: SecretAccess = SecretAccess::TOKEN_KEYS;

/// Handles a request.
pub async fn handle(app: Arc<App>, request: Request) -> Response<Body> {
    answer(IncomingRequest::new(app, request)).await.into()
}

/// Answers a request.
pub async fn answer(incoming: IncomingRequest) -> Answer {
    let Some(Endpoint::WebhookEndpoints(endpoint)) = incoming.endpoint() else {
        return incoming.reject_unrouted().await;
    };
    match endpoint {
        WebhookEndpointsEndpoint::CreateWebhookEndpoint => serve(incoming, endpoints::create).await,
        WebhookEndpointsEndpoint::ListWebhookEndpoints => {
            serve_with_prefetch(incoming, endpoints::prefetch_all, async |call: &Call, all| endpoints::list(call, all))
                .await
        }
        WebhookEndpointsEndpoint::GetWebhookEndpoint => {
            serve_with_prefetch(incoming, endpoints::prefetch_with_health, async |call: &Call, found| {
                endpoints::get(call, found)
            })
            .await
        }
        WebhookEndpointsEndpoint::UpdateWebhookEndpoint => serve(incoming, endpoints::update).await,
        WebhookEndpointsEndpoint::DeleteWebhookEndpoint => serve(incoming, endpoints::delete).await,
        WebhookEndpointsEndpoint::RotateWebhookSecret => serve(incoming, endpoints::rotate).await,
        WebhookEndpointsEndpoint::TestWebhookEndpoint => {
            serve_with_prefetch(incoming, endpoints::prefetch_with_health, async |call: &Call, found| {
                deliveries::test(call, found).await
            })
            .await
        }
        WebhookEndpointsEndpoint::ListDeliveries => {
            serve_with_prefetch(incoming, endpoints::prefetch, async |call: &Call, found| {
                deliveries::list(call, found).await
            })
            .await
        }
        WebhookEndpointsEndpoint::ReplayEvents => {
            serve_with_prefetch(incoming, endpoints::prefetch_with_health, async |call: &Call, found| {
                replay::replay(call, found).await
            })
            .await
        }
        WebhookEndpointsEndpoint::ListEvents => serve(incoming, deliveries::list_events).await,
    }
}

fn not_found() -> Error {
    Error::not_found("webhook endpoint")
}
