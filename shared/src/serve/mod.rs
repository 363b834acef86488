//! The request pipeline of every function: parse, authenticate, run the handler until the deadline, render, record.

mod answer;
mod api_call;
mod api_request;
mod call;
mod challenge;
mod confirmation;
mod idempotency;
mod incoming;
mod log_page;
mod pipeline;
mod post_response;
mod required_connections;
mod telemetry;
mod timeout;
mod tool;
mod unhandled;
mod unsupported_headers;
mod usage_log;
mod user;
mod web;

pub use answer::{Answer, run_to_completion};
pub use api_call::ApiCall;
pub use api_request::{ApiRequest, MAX_BODY_BYTES, payload_too_large};
pub use call::Call;
pub use confirmation::Confirmation;
pub use idempotency::{ChangeClaim, ClaimOutcome, earlier_outcome_unknown};
pub use incoming::{IncomingRequest, MalformedUri};
pub use log_page::log_page;
pub use post_response::PostResponseWork;
pub use required_connections::RequiredConnections;
pub use telemetry::ColdStart;
pub use tool::{ToolCall, serve_message};
pub use web::{SESSION_COOKIE, SourceAddress, WebRequest, serve_web};

use crate::app::App;
use crate::domain::CustomerId;
use crate::envelope::Reply;
use crate::error::Error;
use lambda_http::{Body, Request, Response};
use pipeline::RequestInfo;
use std::sync::Arc;

/// Answers a request that needs an API key.
pub async fn serve(incoming: IncomingRequest, handler: impl AsyncFnOnce(&Call) -> Result<Reply, Error>) -> Answer {
    serve_connected(incoming, |_| RequiredConnections::None, handler).await
}

/// Answers a request that needs an API key, and reads the connections that it is about.
pub async fn serve_connected(
    incoming: IncomingRequest,
    required: impl FnOnce(&ApiRequest) -> RequiredConnections,
    handler: impl AsyncFnOnce(&Call) -> Result<Reply, Error>,
) -> Answer {
    let no_prefetch = async |_: &ApiRequest, _| ();
    respond(incoming, required, no_prefetch, async |call: &Call, ()| handler(call).await).await
}

/// Answers a request that needs an API key, and reads something else from the store before the handler runs: during the
/// authentication if this process knows the key, else after it.
pub async fn serve_with_prefetch<T>(
    incoming: IncomingRequest,
    prefetch: impl AsyncFnOnce(&ApiRequest, CustomerId) -> T,
    handler: impl AsyncFnOnce(&Call, T) -> Result<Reply, Error>,
) -> Answer {
    respond(incoming, |_| RequiredConnections::None, prefetch, handler).await
}

/// Answers a request that needs an API key, reads the connections that it is about, and something else as
/// [`serve_with_prefetch`] does.
pub async fn serve_connected_with_prefetch<T>(
    incoming: IncomingRequest,
    required: impl FnOnce(&ApiRequest) -> RequiredConnections,
    prefetch: impl AsyncFnOnce(&ApiRequest, CustomerId) -> T,
    handler: impl AsyncFnOnce(&Call, T) -> Result<Reply, Error>,
) -> Answer {
    respond(incoming, required, prefetch, handler).await
}

async fn respond<T>(
    incoming: IncomingRequest,
    required: impl FnOnce(&ApiRequest) -> RequiredConnections,
    prefetch: impl AsyncFnOnce(&ApiRequest, CustomerId) -> T,
    handler: impl AsyncFnOnce(&Call, T) -> Result<Reply, Error>,
) -> Answer {
    let context = incoming.context();
    // Boxed: the future holds the handler's whole state, and an unoptimized build would copy it on each level's stack.
    context.scope(Box::pin(pipeline::authenticated(incoming, required, prefetch, handler))).await
}

/// Answers a request without an API key.
pub async fn serve_public(
    incoming: IncomingRequest,
    handler: impl AsyncFnOnce(&ApiRequest) -> Result<Reply, Error>,
) -> Answer {
    let context = incoming.context();
    context.scope(Box::pin(pipeline::public(incoming, handler))).await
}

/// Answers a request that a server rejects before it reaches a function, in the request's shape.
pub fn reject(app: Arc<App>, request: Request, error: Error) -> Response<Body> {
    let incoming = IncomingRequest::new(app, request);
    let outcome = Err(error);
    let response = incoming.render(&outcome, None);
    incoming.finish(outcome, &RequestInfo::default(), response).response
}
