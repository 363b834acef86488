//! The public documents, which need no key (D39): the OpenAPI document, as JSON for one shape or both (D80) and as the
//! pages of the reference (D76), the platforms' capabilities, how assistants sign in (D213), and whether the service answers.
//! The function also answers requests that no other function receives, so it reads no secret, opens no connection and
//! writes no usage log.

mod platforms;
mod sign_in;

use lambda_http::{Body, Request, Response};
use shared::app::App;
use shared::envelope::query::{self, reject_unknown_params};
use shared::envelope::{DocsPage, Reply, Shape};
use shared::error::Error;
use shared::routes::{DocsEndpoint, Endpoint};
use shared::secrets::SecretAccess;
use shared::serve::{Answer, ApiRequest, IncomingRequest, serve_public};
use std::sync::Arc;

/// The function reads no secrets.
pub const SECRETS: SecretAccess = SecretAccess::NONE;

/// Handles a request.
pub async fn handle(app: Arc<App>, request: Request) -> Response<Body> {
    answer(IncomingRequest::new(app, request)).await.into()
}

async fn answer(incoming: IncomingRequest) -> Answer {
    let Some(Endpoint::Docs(endpoint)) = incoming.endpoint() else {
        return if incoming.is_dashboard_with_slash() {
            incoming.redirect_to_dashboard()
        } else {
            incoming.reject_unlogged()
        };
    };
    match endpoint {
        DocsEndpoint::ListPlatforms => {
            serve_public(incoming, async |request: &ApiRequest| platforms::platforms(request)).await
        }
        DocsEndpoint::GetHealth => serve_public(incoming, async |request: &ApiRequest| health(request)).await,
        DocsEndpoint::GetDescription => serve_public(incoming, async |request: &ApiRequest| openapi(request)).await,
        DocsEndpoint::GetDocs | DocsEndpoint::GetDocsPage => {
            serve_public(incoming, async |request: &ApiRequest| docs(request)).await
        }
        DocsEndpoint::GetResourceMetadata | DocsEndpoint::GetRootResourceMetadata => {
            serve_public(incoming, async |request: &ApiRequest| sign_in::resource(request)).await
        }
        DocsEndpoint::GetServerMetadata => {
            serve_public(incoming, async |request: &ApiRequest| sign_in::server(request)).await
        }
        DocsEndpoint::RegisterClient => {
            serve_public(incoming, async |request: &ApiRequest| Ok(sign_in::register(request))).await
        }
    }
}

/// Says that the service answers. It asks neither the table nor a platform: `gateway admin check` does.
fn health(request: &ApiRequest) -> Result<Reply, Error> {
    reject_unknown_params(&request.query, &[])?;
    Ok(Reply::Health)
}

/// Returns the OpenAPI document: of one shape, or of both.
fn openapi(request: &ApiRequest) -> Result<Reply, Error> {
    reject_unknown_params(&request.query, &["shape"])?;
    let Some(name) = query::value(&request.query, "shape") else { return Ok(Reply::Description(None)) };
    let unknown = || Error::field("shape", "must be flat or enveloped; without it, the document has both shapes");
    Shape::parse(name).map(|shape| Reply::Description(Some(shape))).ok_or_else(unknown)
}

/// Returns a page of the reference. Its samples name the host that serves it.
fn docs(request: &ApiRequest) -> Result<Reply, Error> {
    reject_unknown_params(&request.query, &[])?;
    let base_url = request.public_url("/v1").ok();
    DocsPage::find(&request.parameter, base_url).map(Reply::Docs).ok_or_else(|| Error::not_found("page"))
}
