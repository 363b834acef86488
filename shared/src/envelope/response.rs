//! Responses with a JSON body, and without a body.

use http::header::{self, HeaderValue};
use http::{Response, StatusCode};
use lambda_http::Body;
use serde::Serialize;

/// The envelope of the enveloped shape.
#[derive(Serialize)]
pub(super) struct Data<T> {
    pub(super) data: T,
}

/// A response without a body.
pub(super) fn empty(status: StatusCode) -> Response<Body> {
    let mut response = Response::new(Body::Empty);
    *response.status_mut() = status;
    response
}

/// A 201 response with a JSON body.
pub(super) fn created(body: &impl Serialize) -> Response<Body> {
    json_response(StatusCode::CREATED, body)
}

/// A 200 response with a JSON body.
pub(super) fn ok(body: &impl Serialize) -> Response<Body> {
    json_response(StatusCode::OK, body)
}

/// A response with a JSON body.
pub(super) fn json_response(status: StatusCode, body: &impl Serialize) -> Response<Body> {
    match serde_json::to_string(body) {
        Ok(text) => json_text(status, text),
        Err(_) => empty(StatusCode::INTERNAL_SERVER_ERROR),
    }
}

/// A response whose body is a JSON text.
pub(super) fn json_text(status: StatusCode, text: String) -> Response<Body> {
    let mut response = Response::new(Body::Text(text));
    *response.status_mut() = status;
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response
}
