//! The API key endpoints: create, list, change and delete (D41), rotate (D29), stop (D65).

mod create;
mod delete;
mod key_not_written;
mod limit;
mod list;
mod rotate;
mod stop;
mod update;

use lambda_http::{Body, Request, Response};
use shared::app::App;
use shared::routes::{ApiKeysEndpoint, Endpoint};
use shared::secrets::SecretAccess;
use shared::serve::{Answer, IncomingRequest, serve, serve_connected};
use std::sync::Arc;

/// The function reads no secrets.
pub const SECRETS: SecretAccess = SecretAccess::NONE;

/// Handles a request.
pub async fn handle(app: Arc<App>, request: Request) -> Response<Body> {
    answer(IncomingRequest::new(app, request)).await.into()
}

/// Answers a request.
pub async fn answer(incoming: IncomingRequest) -> Answer {
    let Some(Endpoint::ApiKeys(endpoint)) = incoming.endpoint() else { return incoming.reject_unrouted().await };
    match endpoint {
        ApiKeysEndpoint::CreateKey => serve_connected(incoming, limit::required_connections, create::create).await,
        ApiKeysEndpoint::ListKeys => serve(incoming, list::list).await,
        ApiKeysEndpoint::UpdateKey => serve_connected(incoming, limit::required_connections, update::update).await,
        ApiKeysEndpoint::DeleteKey => serve(incoming, delete::delete).await,
        ApiKeysEndpoint::RotateKey => serve(incoming, rotate::rotate).await,
        ApiKeysEndpoint::StopKey => serve(incoming, stop::stop).await,
    }
}
