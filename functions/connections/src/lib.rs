//! The connections endpoints: authorize, the platform's callback, list, sync, relabel, remove.

mod authorize;
mod callback;
mod manage;
mod room;
mod sync;

use lambda_http::{Body, Request, Response};
use shared::app::App;
use shared::envelope::Reply;
use shared::error::Error;
use shared::routes::is_public;
use shared::serve::{Call, serve, serve_public};
use std::sync::Arc;

/// Answers one request.
pub async fn answer(app: Arc<App>, request: Request) -> Response<Body> {
    if is_public(request.uri().path()) {
        return serve_public(app, request, |call| async move { callback::callback(&call).await }).await;
    }
    serve(app, request, route).await
}

async fn route(call: Call) -> Result<Reply, Error> {
    match call.request.operation() {
        ("GET", "/v1/connections") => manage::list(&call),
        ("POST", "/v1/connections/sync") => sync::sync(&call).await,
        ("PATCH", "/v1/connections/{id}") => manage::relabel(&call).await,
        ("DELETE", "/v1/connections/{id}") => manage::remove(&call).await,
        ("GET", "/v1/connections/{platform}/authorize") => authorize::authorize(&call).await,
        _ => Err(Error::not_found("path")),
    }
}
