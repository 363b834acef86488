//! The endpoints of signed webhooks: create, list, get, change, delete, rotate the secret (D66 in docs/decisions.md);
//! and the events that they receive: list, deliveries, test sends, replays (D67).

mod address;
mod create;
mod delete;
mod deliveries;
mod events;
mod read;
mod replay;
mod rotate;
mod test_send;
mod update;

use lambda_http::{Body, Request, Response};
use shared::app::App;
use shared::domain::{EndpointId, Reason};
use shared::error::{Error, Kind};
use shared::routes::{Endpoint, WebhookEndpointsEndpoint};
use shared::secrets::SecretAccess;
use shared::serve::{Call, IncomingRequest, serve, serve_with_prefetch};
use std::sync::Arc;

/// The secrets that the function reads.
pub const SECRETS: SecretAccess = SecretAccess::TOKEN_KEYS;

/// Handles a request.
pub async fn handle(app: Arc<App>, request: Request) -> Response<Body> {
    let incoming = IncomingRequest::new(app, request);
    let Some(Endpoint::WebhookEndpoints(endpoint)) = incoming.endpoint() else {
        return incoming.reject_unrouted().await;
    };
    match endpoint {
        WebhookEndpointsEndpoint::CreateWebhookEndpoint => serve(incoming, create::create).await,
        WebhookEndpointsEndpoint::ListWebhookEndpoints => {
            serve_with_prefetch(incoming, read::prefetch_all, async |call: &Call, all| read::list(call, all)).await
        }
        WebhookEndpointsEndpoint::GetWebhookEndpoint => {
            serve_with_prefetch(incoming, read::prefetch, async |call: &Call, found| read::get(call, found)).await
        }
        WebhookEndpointsEndpoint::UpdateWebhookEndpoint => serve(incoming, update::update).await,
        WebhookEndpointsEndpoint::DeleteWebhookEndpoint => serve(incoming, delete::delete).await,
        WebhookEndpointsEndpoint::RotateWebhookSecret => serve(incoming, rotate::rotate).await,
        WebhookEndpointsEndpoint::TestWebhookEndpoint => {
            serve_with_prefetch(incoming, read::prefetch, async |call: &Call, found| test_send::send(call, found).await)
                .await
        }
        WebhookEndpointsEndpoint::ListDeliveries => {
            serve_with_prefetch(incoming, read::prefetch, async |call: &Call, found| {
                deliveries::list(call, found).await
            })
            .await
        }
        WebhookEndpointsEndpoint::ReplayEvents => {
            serve_with_prefetch(incoming, read::prefetch, async |call: &Call, found| replay::replay(call, found).await)
                .await
        }
        WebhookEndpointsEndpoint::ListEvents => serve(incoming, events::list).await,
    }
}

/// The endpoint that the path names. An id that no endpoint can have is not found either.
fn id_in_path(call: &Call) -> Result<EndpointId, Error> {
    EndpointId::parse(&call.request.parameter).ok_or_else(not_found)
}

/// A person replaced the secret after the page of another one showed the endpoint.
fn replaced_meanwhile() -> Error {
    let message = "The secret of this webhook endpoint was replaced meanwhile, and the new one was shown there only. If \
                   nobody has it, replace it again.";
    Error::new(Kind::Conflict, message).because(Reason::ChangedMeanwhile)
}

fn not_found() -> Error {
    Error::not_found("webhook endpoint")
}
