//! The payment provider's webhooks. They have a function of their own, because Lambda reserves concurrency for a
//! function, and no other endpoint may use up theirs.

mod webhook;

pub use webhook::EVENT_TIMEOUT;

use lambda_http::{Body, Request, Response};
use shared::app::App;
use shared::routes::{Endpoint, WebhooksEndpoint};
use shared::secrets::SecretAccess;
use shared::serve::{IncomingRequest, serve_public};
use std::sync::Arc;

/// The secrets that the function reads.
pub const SECRETS: SecretAccess = SecretAccess::PAYMENTS;

/// Handles a request.
pub async fn handle(app: Arc<App>, request: Request) -> Response<Body> {
    let incoming = IncomingRequest::new(app, request);
    let Some(Endpoint::Webhooks(endpoint)) = incoming.endpoint() else { return incoming.reject_unrouted().await };
    match endpoint {
        WebhooksEndpoint::BillingWebhook => serve_public(incoming, webhook::webhook).await,
    }
}
