//! Refuses control requests of web pages. Consent and checkout pages are for browsers, so everything else is open.

use crate::http::{Response, has_content_type};
use crate::in_process::split;
use axum::http::header::CONTENT_TYPE;
use axum::http::request::Parts;
use axum::http::{HeaderMap, Method};
use local_http::reject_web_page;
use serde_json::json;

/// The names of this machine in `Host`. Functions in containers call it `host.localhost`.
const HOSTS: [&str; 3] = ["127.0.0.1", "localhost", "host.localhost"];

/// The response to a control request, or to a form of the index page, that another web page may have sent; `None` for
/// all other requests.
pub(crate) fn refusal(parts: &Parts) -> Option<Response> {
    let first = split(parts.uri.path()).0;
    let is_control = first == "_sandbox";
    if !(is_control || first.is_empty() && parts.method == Method::POST) {
        return None;
    }
    if let Err(reason) = reject_web_page(&parts.headers, &HOSTS) {
        return Some(error(403, &reason));
    }
    // A page may send other types without a preflight request.
    let is_json = has_content_type(content_type(&parts.headers), "application/json");
    let message = "a control request needs Content-Type: application/json";
    (is_control && parts.method == Method::POST && !is_json).then(|| error(415, message))
}

fn content_type(headers: &HeaderMap) -> &str {
    headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default()
}

fn error(status: u16, message: &str) -> Response {
    Response::json(status, &json!({ "error": message }))
}
