//! The public documents: the OpenAPI document and the platforms' capabilities. The function also answers requests that
//! no other function receives, so it reads no secret, opens no connection and writes no usage log.

mod description;
mod platforms;

use lambda_http::{Body, Request, Response};
use shared::app::App;
use shared::routes::{DocsEndpoint, Endpoint};
use shared::secrets::SecretAccess;
use shared::serve::{ApiRequest, IncomingRequest, serve_public};
use std::sync::Arc;

/// The function reads no secrets.
pub const SECRETS: SecretAccess = SecretAccess::NONE;

/// Handles a request.
pub async fn handle(app: Arc<App>, request: Request) -> Response<Body> {
    let incoming = IncomingRequest::new(app, request);
    let Some(Endpoint::Docs(endpoint)) = incoming.endpoint() else {
        return if incoming.is_dashboard_with_slash() {
            incoming.lead_to_dashboard()
        } else {
            incoming.reject_unlogged()
        };
    };
    match endpoint {
        DocsEndpoint::ListPlatforms => {
            serve_public(incoming, async |request: &ApiRequest| platforms::platforms(request)).await
        }
        DocsEndpoint::GetDescription => {
            serve_public(incoming, async |request: &ApiRequest| description::openapi(request)).await
        }
        DocsEndpoint::GetDocs | DocsEndpoint::GetDocsPage => {
            serve_public(incoming, async |request: &ApiRequest| description::docs(request)).await
        }
    }
}
