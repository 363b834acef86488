//! The OpenAPI 3.1 document of the API, as JSON and as an HTML page (D39 in docs/decisions.md).
//!
//! The document is written by hand, in the JSON files of this folder, which are joined at first use. Only the names of
//! the platforms come from [`Platform::ALL`]. Every object, union and enumeration has a name, because clients are
//! generated from the document; `x-error-codes` of a response says which codes of its shape it can have. `tests.rs`
//! compares its enumerations and error codes with the code, `tests/openapi` its routes. The tests also check every
//! response that they receive against the document.

mod docs;
mod ordered_json;
#[cfg(test)]
mod tests;

use super::page::html_response;
use crate::domain::Platform;
use http::header::{self, HeaderValue};
use lambda_http::{Body, Response};
use std::sync::LazyLock;

const BASE: &str = include_str!("base.json");
const PATHS: [&str; 8] = [
    include_str!("paths/campaigns.json"),
    include_str!("paths/insights.json"),
    include_str!("paths/connections.json"),
    include_str!("paths/redirect_uris.json"),
    include_str!("paths/api_keys.json"),
    include_str!("paths/account.json"),
    include_str!("paths/billing.json"),
    include_str!("paths/documentation.json"),
];
const SCHEMAS: [&str; 7] = [
    include_str!("components/campaigns.json"),
    include_str!("components/dry_run.json"),
    include_str!("components/insights.json"),
    include_str!("components/unions.json"),
    include_str!("components/others.json"),
    include_str!("components/errors.json"),
    include_str!("components/values.json"),
];
const RESPONSES: [&str; 3] = [
    include_str!("components/flat_errors.json"),
    include_str!("components/enveloped_errors.json"),
    include_str!("components/either_errors.json"),
];
const EXAMPLES: [&str; 2] =
    [include_str!("components/campaign_examples.json"), include_str!("components/error_examples.json")];
const PARAMETERS: &str = include_str!("components/parameters.json");
const HEADERS: &str = include_str!("components/headers.json");
const SECURITY: &str = include_str!("components/security.json");

/// The document changes only with a release.
const CACHE_CONTROL: HeaderValue = HeaderValue::from_static("public, max-age=300");

static DOCUMENT: LazyLock<String> = LazyLock::new(join_document);
static DOCS: LazyLock<Option<String>> = LazyLock::new(|| docs::page(&ordered_json::parse(&DOCUMENT)).ok());

/// The OpenAPI document.
pub fn document() -> &'static str {
    &DOCUMENT
}

/// The response with the document.
pub(super) fn response() -> Response<Body> {
    let mut response = Response::new(Body::Text(DOCUMENT.clone()));
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    headers.insert(header::CACHE_CONTROL, CACHE_CONTROL);
    response
}

/// The response with the HTML page.
pub(super) fn docs_response() -> Response<Body> {
    let mut response = html_response(DOCS.clone());
    let headers = response.headers_mut();
    headers.insert(header::CACHE_CONTROL, CACHE_CONTROL);
    if let Ok(policy) = HeaderValue::try_from(docs::content_security_policy()) {
        headers.insert(header::CONTENT_SECURITY_POLICY, policy);
    }
    response
}

/// Joins the files as text, which keeps the order of their members.
fn join_document() -> String {
    let (base, paths) = (members(BASE), join(&PATHS));
    let (schemas, examples, responses) = (with_platforms(&join(&SCHEMAS)), join(&EXAMPLES), join(&RESPONSES));
    format!(
        "{{\n{base},\n\"paths\": {paths},\n\"components\": {{\n\"securitySchemes\": {SECURITY},\n\"parameters\": \
         {PARAMETERS},\n\"headers\": {HEADERS},\n\"schemas\": {schemas},\n\"examples\": {examples},\n\"responses\": \
         {responses}\n}}\n}}\n"
    )
}

/// Fills the names of the platforms into the schemas.
fn with_platforms(schemas: &str) -> String {
    schemas
        .replace("{platforms}", &Platform::ALL.map(Platform::as_str).join("\", \""))
        .replace("{enveloped platforms}", &Platform::ALL.map(Platform::as_upper).join("\", \""))
        .replace("{campaign id prefixes}", &Platform::ALL.map(Platform::prefix).join("|"))
}

/// Joins several JSON objects into one.
fn join(objects: &[&str]) -> String {
    let all: Vec<&str> = objects.iter().map(|object| members(object)).collect();
    format!("{{\n{}\n}}", all.join(",\n"))
}

/// The text between the braces of an object.
fn members(object: &str) -> &str {
    let inside = object.trim().strip_prefix('{').and_then(|rest| rest.strip_suffix('}'));
    inside.unwrap_or_default().trim_matches('\n')
}
