//! The store or the secrets, as an HTTP service.

use crate::engine::{EngineClient, EngineResponse, TARGET_HEADER};
use crate::secrets::LocalSecrets;
use axum::body::{Body, to_bytes};
use axum::extract::Request;
use axum::response::Response;
use bytes::Bytes;
use http::header::CONTENT_TYPE;
use http::{HeaderValue, StatusCode};
use serde_json::json;
use std::io;
use std::sync::Arc;

/// DynamoDB's longest request.
const MAX_REQUEST_BYTES: usize = 16 * 1024 * 1024;

/// One of the two services.
#[derive(Clone, Debug)]
pub(crate) enum LocalService {
    Store(EngineClient),
    Secrets(Arc<LocalSecrets>),
}

impl LocalService {
    /// The status and the body of the response to a request. An error means that the store gave no response.
    pub(super) async fn call(&self, target: &str, request: Bytes) -> io::Result<EngineResponse> {
        match self {
            // The target is `DynamoDB_20120810.GetItem`.
            LocalService::Store(engine) => engine.call(target.rsplit('.').next().unwrap_or_default(), request).await,
            LocalService::Secrets(secrets) => Ok(secrets.respond(target, &request)),
        }
    }

    /// Answers an HTTP request.
    pub(super) async fn respond(&self, request: Request) -> Response {
        let (parts, body) = request.into_parts();
        let Ok(body) = to_bytes(body, MAX_REQUEST_BYTES).await else {
            return error(StatusCode::BAD_REQUEST, "SerializationException", "The body is incomplete or too large.");
        };
        let target = parts.headers.get(TARGET_HEADER).and_then(|target| target.to_str().ok()).unwrap_or_default();
        match self.call(target, body).await {
            Ok((status, body)) => response(StatusCode::from_u16(status).unwrap_or_default(), body),
            Err(failure) => {
                tracing::warn!(error = %failure, "the local store did not answer");
                error(StatusCode::INTERNAL_SERVER_ERROR, "InternalServerError", "The local store does not answer.")
            }
        }
    }
}

/// An error in the form of the AWS APIs, so that the SDK shows its message.
pub(super) fn error(status: StatusCode, kind: &str, message: &str) -> Response {
    response(status, json!({ "__type": kind, "message": message }).to_string())
}

fn response(status: StatusCode, body: String) -> Response {
    let mut response = Response::new(Body::from(body));
    *response.status_mut() = status;
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/x-amz-json-1.0"));
    response
}
