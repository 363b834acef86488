//! The redirect URI endpoints: register, list, remove. They use the enveloped shape only.

mod list;
mod register;
mod remove;

use lambda_http::{Body, Request, Response};
use shared::app::App;
use shared::routes::{Endpoint, RedirectUrisEndpoint};
use shared::secrets::SecretAccess;
use shared::serve::{Call, IncomingRequest, serve, serve_with_prefetch};
use std::sync::Arc;

/// The function reads no secrets.
pub const SECRETS: SecretAccess = SecretAccess::NONE;

/// Handles a request.
pub async fn handle(app: Arc<App>, request: Request) -> Response<Body> {
    let incoming = IncomingRequest::new(app, request);
    let Some(Endpoint::RedirectUris(endpoint)) = incoming.endpoint() else { return incoming.reject_unrouted().await };
    match endpoint {
        RedirectUrisEndpoint::RegisterRedirectUri => serve(incoming, register::register).await,
        RedirectUrisEndpoint::ListRedirectUris => {
            serve_with_prefetch(incoming, list::prefetch, async |call: &Call, uris| list::list(call, uris)).await
        }
        RedirectUrisEndpoint::RemoveRedirectUri => serve(incoming, remove::remove).await,
    }
}
