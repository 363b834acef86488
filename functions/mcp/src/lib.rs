//! The endpoint of agents: the Model Context Protocol (MCP) over HTTP, without sessions and streams.
//!
//! The protocol is pure ([`message`], [`rpc`]). Each tool makes requests of the API in this process ([`api`]), so an agent
//! can do what the key in its configuration can do, and each change takes the way of a request.

mod answer;
mod api;
mod confirm_token;
mod json;
mod message;
mod methods;
mod object;
mod rpc;
mod tools;

use lambda_http::http::header::HeaderName;
use lambda_http::{Body, Request, Response};
use message::{Message, MessageHeaders};
use methods::Method;
use shared::app::App;
use shared::assistants::clients::known_origins;
use shared::routes::{Endpoint, McpEndpoint};
use shared::secrets::SecretAccess;
use shared::serve::{Answer, IncomingRequest, serve_message};
use std::sync::Arc;

/// The secrets that the function reads: those of the campaigns, which its tools change.
pub const SECRETS: SecretAccess = SecretAccess::PLATFORMS;

const VERSION: HeaderName = HeaderName::from_static("mcp-protocol-version");
const METHOD: HeaderName = HeaderName::from_static("mcp-method");
const NAME: HeaderName = HeaderName::from_static("mcp-name");

/// Handles a request.
pub async fn handle(app: Arc<App>, request: Request) -> Response<Body> {
    let incoming = IncomingRequest::new(app, request);
    let Some(Endpoint::Mcp(endpoint)) = incoming.endpoint() else { return incoming.reject_unrouted().await.into() };
    match endpoint {
        McpEndpoint::SendMessage => receive(incoming).await.into(),
    }
}

/// Whether it is the origin of a known agents' host.
fn is_known(origin: &str) -> bool {
    known_origins().iter().any(|known| known == origin)
}

async fn receive(mut incoming: IncomingRequest) -> Answer {
    let checked = incoming.require_origin(is_known).and_then(|()| incoming.require_json());
    let checked = match checked {
        Ok(()) => incoming.open_token().await,
        Err(error) => Err(error),
    };
    if let Err(error) = checked {
        return incoming.refuse(error);
    }
    let header = |name| incoming.sent_header(name);
    let headers = MessageHeaders { version: header(&VERSION), method: header(&METHOD), name: header(&NAME) };
    let request = match message::read(incoming.body(), &headers) {
        Ok(Message::Request(request)) => request,
        Ok(Message::Notification) => return serve_message(incoming, |_| rpc::accepted()).await,
        Err(error) => return serve_message(incoming, |_| error.reply()).await,
    };
    match Method::of(&request) {
        Ok(Method::Call(call)) => call.serve(incoming, request).await,
        Ok(greeting) => serve_message(incoming, |key| greeting.reply(&request, key)).await,
        Err(error) => serve_message(incoming, |_| error.to(&request.id, request.style).reply()).await,
    }
}
