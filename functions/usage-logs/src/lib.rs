//! The usage log endpoint: what a customer's requests were and how they were answered.

mod cursor;
mod list;

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
        ("GET", "/v1/usage-logs") => list::list(&call).await,
        _ => Err(Error::not_found("path")),
    }
}
