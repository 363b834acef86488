//! The connections endpoints: authorize, the OAuth callback, list, sync, label, remove.

mod authorize;
mod callback;
mod connection_quota;
mod manage;
mod sync;

use lambda_http::{Body, Request, Response};
use shared::app::App;
use shared::routes::{ConnectionsEndpoint, Endpoint};
use shared::secrets::SecretAccess;
use shared::serve::{Call, IncomingRequest, serve, serve_public};
use std::sync::Arc;

/// The secrets that the function reads.
pub const SECRETS: SecretAccess = SecretAccess::PLATFORMS;

/// Answers a request.
pub async fn answer(app: Arc<App>, request: Request) -> Response<Body> {
    let incoming = IncomingRequest::new(app, request);
    let Some(Endpoint::Connections(endpoint)) = incoming.endpoint() else { return incoming.reject_unrouted() };
    match endpoint {
        ConnectionsEndpoint::ListConnections => serve(incoming, async |call: &Call| manage::list(call)).await,
        ConnectionsEndpoint::SyncConnections => serve(incoming, sync::sync).await,
        ConnectionsEndpoint::LabelConnection => serve(incoming, manage::relabel).await,
        ConnectionsEndpoint::RemoveConnection => serve(incoming, manage::remove).await,
        ConnectionsEndpoint::Authorize => serve(incoming, authorize::authorize).await,
        ConnectionsEndpoint::Callback => serve_public(incoming, callback::callback).await,
    }
}
