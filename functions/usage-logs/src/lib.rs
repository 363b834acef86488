//! The usage log endpoint: a customer's requests and their responses.

mod cursor;
mod list;

use lambda_http::{Body, Request, Response};
use shared::app::App;
use shared::routes::{Endpoint, UsageLogsEndpoint};
use shared::secrets::SecretAccess;
use shared::serve::{IncomingRequest, serve};
use std::sync::Arc;

/// The function reads no secrets.
pub const SECRETS: SecretAccess = SecretAccess::NONE;

/// Handles a request.
pub async fn handle(app: Arc<App>, request: Request) -> Response<Body> {
    let incoming = IncomingRequest::new(app, request);
    let Some(Endpoint::UsageLogs(endpoint)) = incoming.endpoint() else { return incoming.reject_unrouted().await };
    match endpoint {
        UsageLogsEndpoint::ListUsageLogs => serve(incoming, list::list).await,
    }
}
