//! The OpenAPI 3.1 document of the API, as JSON and as the pages of the reference. Both come from one source, so they
//! agree (D39, D76).
//!
//! The document is written by hand, in the JSON files of this folder, in the notation of `expand.rs`. What repeats is
//! code: the error responses (`error_responses.rs`), the headers that follow from an operation (`headers.rs`), the
//! parameters that name a user (`acting_user.rs`), the requests to webhook endpoints (`webhooks`), the names of the platforms and of the types of events, and the documents
//! of one shape (`by_shape`). The parts are joined at first use. Every object, union and enumeration has a name, because
//! clients are generated from the document; `x-error-codes` of a response says which codes of its shape it can have.
//! `tests.rs` compares its enumerations and error codes with the code, `tests/openapi` its routes. The tests also check
//! every response and every delivery that they receive against the document.

mod acting_user;
mod by_shape;
mod docs;
mod error_responses;
mod expand;
mod headers;
mod ordered_json;
#[cfg(test)]
mod tests;
mod webhooks;

pub use docs::DocsPage;

use super::Shape;
use super::public_text::PublicText;
use crate::domain::{AdsUnread, DeliveryReason, DeliveryState, EventKind, Platform, Reason};
use acting_user::add_user_parameters;
use by_shape::in_shape;
use error_responses::{add_error_responses, error_responses};
use expand::expanded;
use headers::add_headers;
use http::header::{self, HeaderValue};
use lambda_http::{Body, Response};
use ordered_json::{OrderedJson, object, parse};
use std::sync::LazyLock;
use webhooks::webhooks;

const BASE: &str = include_str!("base.json");
const PATHS: [&str; 15] = [
    include_str!("paths/campaigns.json"),
    include_str!("paths/ad_delivery.json"),
    include_str!("paths/changes.json"),
    include_str!("paths/insights.json"),
    include_str!("paths/limits.json"),
    include_str!("paths/connections.json"),
    include_str!("paths/users.json"),
    include_str!("paths/redirect_uris.json"),
    include_str!("paths/api_keys.json"),
    include_str!("paths/webhook_endpoints.json"),
    include_str!("paths/events.json"),
    include_str!("paths/mcp.json"),
    include_str!("paths/account.json"),
    include_str!("paths/billing.json"),
    include_str!("paths/documentation.json"),
];
/// The schemas, with the page of the reference that lists them.
const SCHEMAS: [(&str, &str); 16] = [
    ("campaign-types", include_str!("components/campaigns.json")),
    ("campaign-types", include_str!("components/ad_delivery.json")),
    ("change-types", include_str!("components/changes.json")),
    ("change-types", include_str!("components/reviews.json")),
    ("campaign-types", include_str!("components/dry_run.json")),
    ("insight-types", include_str!("components/insights.json")),
    ("campaign-types", include_str!("components/unions.json")),
    ("account-types", include_str!("components/others.json")),
    ("account-types", include_str!("components/platforms.json")),
    ("account-types", include_str!("components/spending_limits.json")),
    ("user-types", include_str!("components/users.json")),
    ("webhook-types", include_str!("components/webhook_endpoints.json")),
    ("webhook-types", include_str!("components/events.json")),
    ("webhook-types", include_str!("components/webhook_payloads.json")),
    ("common-types", include_str!("components/errors.json")),
    ("common-types", include_str!("components/values.json")),
];
const EXAMPLES: [&str; 4] = [
    include_str!("components/campaign_examples.json"),
    include_str!("components/change_examples.json"),
    include_str!("components/event_examples.json"),
    include_str!("components/error_examples.json"),
];
const PARAMETERS: &str = include_str!("components/parameters.json");
const HEADERS: &str = include_str!("components/headers.json");
const SECURITY: &str = include_str!("components/security.json");

/// The document changes only with a release.
const CACHE_CONTROL: HeaderValue = HeaderValue::from_static("public, max-age=300");

static TREE: LazyLock<OrderedJson> = LazyLock::new(build);
static DOCUMENT: LazyLock<PublicText> = LazyLock::new(|| text(&TREE));
static FLAT_DOCUMENT: LazyLock<PublicText> = LazyLock::new(|| text(&in_shape(&TREE, Shape::Flat)));
static ENVELOPED_DOCUMENT: LazyLock<PublicText> = LazyLock::new(|| text(&in_shape(&TREE, Shape::Enveloped)));

/// The OpenAPI document.
pub fn document() -> &'static str {
    DOCUMENT.as_str()
}

/// The OpenAPI document of one shape.
pub fn document_of(shape: Shape) -> &'static str {
    kept_of(shape).as_str()
}

fn kept_of(shape: Shape) -> &'static PublicText {
    match shape {
        Shape::Flat => &FLAT_DOCUMENT,
        Shape::Enveloped => &ENVELOPED_DOCUMENT,
    }
}

fn text(document: &OrderedJson) -> PublicText {
    PublicText::new(serde_json::to_string(document).unwrap_or_default())
}

/// The response with the document: of one shape, or of both. Its version is the hash of its text.
pub(super) fn response(shape: Option<Shape>) -> Response<Body> {
    let text: &'static PublicText = shape.map_or_else(|| &*DOCUMENT, kept_of);
    let mut response = text.response();
    let headers = response.headers_mut();
    headers.extend(text.tag().map(|tag| (header::ETAG, tag)));
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    headers.insert(header::CACHE_CONTROL, CACHE_CONTROL);
    response
}

/// Builds the document from its files and its code.
fn build() -> OrderedJson {
    let mut paths = merge(PATHS);
    add_error_responses(&mut paths);
    add_headers(&mut paths);
    add_user_parameters(&mut paths);
    let components = object([
        ("securitySchemes", parse(SECURITY)),
        ("parameters", parse(PARAMETERS)),
        ("headers", parse(HEADERS)),
        ("schemas", merge(SCHEMAS.map(|(_, schemas)| with_names(schemas)))),
        ("examples", merge(EXAMPLES)),
        ("responses", error_responses()),
    ]);
    let own = [("paths", paths), ("webhooks", webhooks()), ("components", components)];
    let own = own.map(|(name, value)| (name.to_owned(), value));
    object(parse(BASE).into_members().into_iter().chain(own))
}

/// Expands files, and merges them into one object.
fn merge(texts: impl IntoIterator<Item = impl AsRef<str>>) -> OrderedJson {
    object(texts.into_iter().flat_map(|text| expanded(text.as_ref()).into_members()))
}

/// Fills lists of names that the code has into the schemas.
fn with_names(schemas: &str) -> String {
    schemas
        .replace("{delivery states}", &DeliveryState::ALL.map(DeliveryState::as_str).join("\", \""))
        .replace("{delivery reasons}", &DeliveryReason::ALL.map(DeliveryReason::as_str).join("\", \""))
        .replace("{reasons for unread ads}", &AdsUnread::ALL.map(AdsUnread::as_str).join("\", \""))
        .replace("{event types}", &EventKind::ALL.map(EventKind::as_str).join("\", \""))
        .replace("{reasons}", &Reason::ALL.map(Reason::as_str).join("\", \""))
        .replace("{platforms}", &Platform::ALL.map(Platform::as_str).join("\", \""))
        .replace("{enveloped platforms}", &Platform::ALL.map(Platform::as_upper).join("\", \""))
        .replace("{campaign id prefixes}", &Platform::ALL.map(Platform::prefix).join("|"))
}
