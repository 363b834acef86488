//! The OpenAPI 3.1 document of the API, and the documentation page rendered from it (D39 in docs/decisions.md).
//!
//! The document is written by hand in the JSON files beside this one, which are put together at first use.
//! `tests.rs` holds its words and codes against the tables that the service works with, `tests/openapi.rs` its routes;
//! and every answer that any test of the whole gets is checked against it, so that the two cannot part.

mod docs;
#[cfg(test)]
mod tests;
mod tree;

use super::page::html;
use http::header::{self, HeaderValue};
use lambda_http::{Body, Response};
use std::sync::LazyLock;

const BASE: &str = include_str!("base.json");
const PATHS: [&str; 6] = [
    include_str!("paths/campaigns.json"),
    include_str!("paths/connections.json"),
    include_str!("paths/redirect_uris.json"),
    include_str!("paths/account.json"),
    include_str!("paths/billing.json"),
    include_str!("paths/documentation.json"),
];
const SCHEMAS: [&str; 4] = [
    include_str!("components/campaigns.json"),
    include_str!("components/others.json"),
    include_str!("components/errors.json"),
    include_str!("components/values.json"),
];
const RESPONSES: [&str; 3] = [
    include_str!("components/flat_errors.json"),
    include_str!("components/enveloped_errors.json"),
    include_str!("components/either_errors.json"),
];
const PARAMETERS: &str = include_str!("components/parameters.json");
const HEADERS: &str = include_str!("components/headers.json");
const SECURITY: &str = include_str!("components/security.json");

/// It changes with a release at most.
const KEPT_FOR: HeaderValue = HeaderValue::from_static("public, max-age=300");

static DOCUMENT: LazyLock<String> = LazyLock::new(put_together);
static DOCS: LazyLock<String> = LazyLock::new(|| docs::page(&tree::parse(&DOCUMENT)));

/// The document.
pub fn document() -> &'static str {
    &DOCUMENT
}

/// The document as an answer.
pub(super) fn response() -> Response<Body> {
    let mut response = Response::new(Body::Text(DOCUMENT.clone()));
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    headers.insert(header::CACHE_CONTROL, KEPT_FOR);
    response
}

/// The page as an answer.
pub(super) fn docs_response() -> Response<Body> {
    let mut response = html(DOCS.clone());
    response.headers_mut().insert(header::CACHE_CONTROL, KEPT_FOR);
    response
}

/// By text, so that everything stands in the order in which it was written.
fn put_together() -> String {
    let (base, paths) = (members(BASE), joined(&PATHS));
    let (schemas, responses) = (joined(&SCHEMAS), joined(&RESPONSES));
    format!(
        "{{\n{base},\n\"paths\": {paths},\n\"components\": {{\n\"securitySchemes\": {SECURITY},\n\"parameters\": \
         {PARAMETERS},\n\"headers\": {HEADERS},\n\"schemas\": {schemas},\n\"responses\": {responses}\n}}\n}}\n"
    )
}

/// The members of several objects in one.
fn joined(objects: &[&str]) -> String {
    let all: Vec<&str> = objects.iter().map(|object| members(object)).collect();
    format!("{{\n{}\n}}", all.join(",\n"))
}

/// What stands between the braces of an object.
fn members(object: &str) -> &str {
    let inside = object.trim().strip_prefix('{').and_then(|rest| rest.strip_suffix('}'));
    inside.unwrap_or_default().trim_matches('\n')
}
