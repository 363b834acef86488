//! The connections endpoints: authorize, the platform's callback, list.

mod authorize;
mod callback;
mod manage;

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
    match call.public.operation() {
        ("GET", "/v1/connections") => manage::list(&call),
        ("GET", "/v1/connections/{platform}/authorize") => authorize::authorize(&call).await,
        _ => Err(Error::not_found("path")),
    }
}
