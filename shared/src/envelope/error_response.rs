//! Error responses: the status, the body in either shape, and the headers.

use super::enveloped::EnvelopedError;
use super::flat::FlatError;
use super::oauth::oauth_error_response;
use super::response::json_response;
use super::{RenderContext, Shape, rate_limit_headers};
use crate::error::{Error, Kind};
use http::header::{self, HeaderValue};
use http::{Response, StatusCode};
use jiff::Timestamp;
use lambda_http::Body;
use std::time::Duration;
use uuid::Uuid;

/// Renders an error.
pub(super) fn error_response(error: &Error, context: &RenderContext) -> Response<Body> {
    let status = status_of(error.kind);
    let request_id = context.request_id.to_string();
    let response = match context.shape {
        _ if context.is_of_sign_in => oauth_error_response(error),
        Shape::Flat => json_response(status, &FlatError::new(error, &request_id, context.now)),
        Shape::Enveloped => json_response(status, &EnvelopedError::new(error, &request_id)),
    };
    with_error_headers(response, error)
}

/// An error in the flat shape, as a JSON text inside of another message.
pub fn error_text(error: &Error, request_id: Uuid, now: Timestamp) -> String {
    serde_json::to_string(&FlatError::new(error, &request_id.to_string(), now)).unwrap_or_default()
}

/// Adds `Retry-After`, `Allow` and `Link`, where the error has them.
pub(super) fn with_error_headers(mut response: Response<Body>, error: &Error) -> Response<Body> {
    add_retry_after(&mut response, error.retry_after);
    let headers = response.headers_mut();
    if let Ok(allow) = HeaderValue::from_str(&error.allow.join(", "))
        && !error.allow.is_empty()
    {
        headers.insert(header::ALLOW, allow);
    }
    if let (Kind::TokenExpired, Some(platform)) = (error.kind, error.platform)
        && let Ok(link) = HeaderValue::from_str(&format!("</v1/connections/{platform}/authorize>; rel=\"reauthorize\""))
    {
        headers.insert(header::LINK, link);
    }
    response
}

/// A wait in whole seconds, rounded up, and at least 1.
pub(super) fn retry_after(wait: Option<Duration>) -> Option<u64> {
    wait.map(|wait| rate_limit_headers::whole_seconds(wait).max(1))
}

/// Adds `Retry-After` (RFC 9110, section 10.2.3).
pub(super) fn add_retry_after(response: &mut Response<Body>, wait: Option<Duration>) {
    if let Some(seconds) = retry_after(wait) {
        response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
    }
}

/// The status of an error. No other code maps errors to statuses.
pub fn status_of(kind: Kind) -> StatusCode {
    match kind {
        Kind::Validation => StatusCode::BAD_REQUEST,
        Kind::MethodNotAllowed => StatusCode::METHOD_NOT_ALLOWED,
        Kind::PayloadTooLarge => StatusCode::PAYLOAD_TOO_LARGE,
        Kind::UnsupportedMediaType => StatusCode::UNSUPPORTED_MEDIA_TYPE,
        Kind::Unauthorized => StatusCode::UNAUTHORIZED,
        Kind::Forbidden => StatusCode::FORBIDDEN,
        Kind::NotFound => StatusCode::NOT_FOUND,
        Kind::Conflict => StatusCode::CONFLICT,
        Kind::RateLimited | Kind::QuotaExceeded => StatusCode::TOO_MANY_REQUESTS,
        Kind::PlatformRefused | Kind::KeyReused => StatusCode::UNPROCESSABLE_ENTITY,
        Kind::PlatformFailed => StatusCode::BAD_GATEWAY,
        Kind::PlatformTimeout => StatusCode::GATEWAY_TIMEOUT,
        Kind::NotSupported => StatusCode::NOT_IMPLEMENTED,
        Kind::TokenExpired => StatusCode::FAILED_DEPENDENCY,
        Kind::Internal => StatusCode::INTERNAL_SERVER_ERROR,
    }
}
