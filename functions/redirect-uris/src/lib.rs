//! The redirect URI endpoints: register, list, remove. They speak the enveloped shape only.

mod list;
mod register;
mod remove;

use lambda_http::http::Method;
use lambda_http::{Body, Request, Response};
use shared::app::App;
use shared::envelope::Reply;
use shared::error::Error;
use shared::serve::{Call, serve, serve_with_prefetch};
use std::sync::Arc;

/// Answers one request.
pub async fn answer(app: Arc<App>, request: Request) -> Response<Body> {
    if request.method() == Method::GET {
        return serve_with_prefetch(app, request, list::read, tell).await;
    }
    serve(app, request, route).await
}

/// What is read while the key is checked.
async fn tell(call: Call, uris: list::Uris) -> Result<Reply, Error> {
    match call.request.operation() {
        ("GET", "/v1/redirect-uris") => list::list(&call, uris),
        _ => Err(Error::not_found("path")),
    }
}

async fn route(call: Call) -> Result<Reply, Error> {
    match call.request.operation() {
        ("POST", "/v1/redirect-uris") => register::register(&call).await,
        ("DELETE", "/v1/redirect-uris/{id}") => remove::remove(&call).await,
        _ => Err(Error::not_found("path")),
    }
}
