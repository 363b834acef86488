//! The connections endpoints: authorize, the OAuth callback, confirm, list, read, sync, label, remove; and those of the users
//! to whom connections belong.

mod authorize;
mod callback;
mod confirm;
mod connect;
mod connection_quota;
mod list;
mod manage;
mod preview_removal;
mod sync;
mod users;

use lambda_http::{Body, Request, Response};
use shared::app::App;
use shared::routes::{ConnectionsEndpoint, Endpoint};
use shared::secrets::SecretAccess;
use shared::serve::{
    Answer, ApiRequest, IncomingRequest, RequiredConnections, serve, serve_connected, serve_connected_with_prefetch,
    serve_public, serve_with_prefetch,
};
use std::sync::Arc;

/// The secrets that the function reads.
pub const SECRETS: SecretAccess = SecretAccess::PLATFORMS;

/// The connection that the path names.
fn connection_in_path(request: &ApiRequest) -> RequiredConnections {
    RequiredConnections::id(&request.parameter)
}

/// Handles a request.
pub async fn handle(app: Arc<App>, request: Request) -> Response<Body> {
    answer(IncomingRequest::new(app, request)).await.into()
}

/// Answers a request.
pub async fn answer(incoming: IncomingRequest) -> Answer {
    let Some(Endpoint::Connections(endpoint)) = incoming.endpoint() else { return incoming.reject_unrouted().await };
    match endpoint {
        ConnectionsEndpoint::ListConnections => {
            serve_connected_with_prefetch(incoming, RequiredConnections::of_user, list::prefetch, list::list).await
        }
        ConnectionsEndpoint::GetConnection => serve_connected(incoming, connection_in_path, list::get).await,
        ConnectionsEndpoint::SyncConnections => {
            serve_connected(incoming, |_| RequiredConnections::All, sync::sync).await
        }
        ConnectionsEndpoint::LabelConnection => serve_connected(incoming, connection_in_path, manage::relabel).await,
        ConnectionsEndpoint::RemoveConnection => serve_connected(incoming, connection_in_path, manage::remove).await,
        ConnectionsEndpoint::Authorize => {
            serve_with_prefetch(incoming, authorize::prefetch, authorize::authorize).await
        }
        ConnectionsEndpoint::ConfirmConnection => serve_connected(incoming, connection_in_path, confirm::confirm).await,
        ConnectionsEndpoint::Callback => serve_public(incoming, callback::callback).await,
        ConnectionsEndpoint::ListUsers => serve(incoming, users::list).await,
        ConnectionsEndpoint::GetUser => serve(incoming, users::get).await,
        ConnectionsEndpoint::PutUser => serve(incoming, users::put).await,
        ConnectionsEndpoint::PauseUser => serve(incoming, users::pause).await,
        ConnectionsEndpoint::ResumeUser => serve(incoming, users::resume).await,
        ConnectionsEndpoint::EraseUser => serve(incoming, users::erase).await,
        ConnectionsEndpoint::ExportUser => serve(incoming, users::export).await,
    }
}
