//! The API key endpoint: rotate.

mod rotate;

use lambda_http::{Body, Request, Response};
use shared::app::App;
use shared::envelope::Reply;
use shared::error::Error;
use shared::serve::{Call, serve};
use std::sync::Arc;

/// Answers one request.
pub async fn answer(app: Arc<App>, request: Request) -> Response<Body> {
    serve(app, request, route).await
}

async fn route(call: Call) -> Result<Reply, Error> {
    match call.request.operation() {
        ("POST", "/v1/api-keys/rotate") => rotate::rotate(&call).await,
        _ => Err(Error::not_found("path")),
    }
}
