//! Notes the changes that people make, so that the next page shows them although its rows were read before.

use super::kept::Changed;
use jiff::{SignedDuration, Timestamp};
use lambda_http::http::StatusCode;
use lambda_http::{Body, Response};
use serde::Deserialize;
use shared::app::App;
use shared::domain::CustomerId;
use shared::serve::WebRequest;
use shared::store::KeptChange;

const CAMPAIGNS: &str = "/v1/campaigns";
/// How long a bulk change may go on whose end no page has seen.
const BULK_TIME: SignedDuration = SignedDuration::from_secs(30);

/// The name of a bulk change that may have begun although its request failed.
const UNKNOWN_BULK: &str = "bulk_unknown";

/// The response to `setStatuses`.
#[derive(Deserialize)]
struct Begun {
    bulk_id: String,
}

/// What a request may have changed.
#[derive(Debug, PartialEq, Eq)]
enum Scope<'a> {
    Campaign(&'a str),
    /// New campaigns somewhere.
    New,
    /// Many campaigns, for some time.
    Many,
}

/// What a request of the API may have changed, by its response.
pub(crate) fn change(method: &str, target: &str, response: &Response<Body>, now: Timestamp) -> Option<KeptChange> {
    let scope = scope(method, target)?;
    let values = values(method, response)?;
    let any = KeptChange::of_any(now);
    Some(match scope {
        Scope::Campaign(id) => KeptChange { campaign: Some(id.to_owned()), values, ..any },
        Scope::New => any,
        Scope::Many => KeptChange { bulk: Some(bulk(response)), open_until: Some(now + BULK_TIME), ..any },
    })
}

/// The id of the bulk change that a request has begun.
fn bulk(response: &Response<Body>) -> String {
    serde_json::from_slice::<Begun>(response.body()).map_or_else(|_| UNKNOWN_BULK.to_owned(), |begun| begun.bulk_id)
}

/// Notes that any campaigns may have changed until now.
pub(crate) async fn note_any(request: &WebRequest, customer: CustomerId) {
    note(&request.app, customer, &KeptChange::of_any(request.app.clock.now())).await;
}

/// Notes that a bulk change has ended until now. Without the note its end is that of its time.
pub(crate) async fn note_end(request: &WebRequest, customer: CustomerId, bulk: &str) {
    let now = request.app.clock.now();
    if let Err(error) = request.app.store.keep_bulk_end(customer, bulk, now).await {
        tracing::warn!(%error, source = error.source, "the overview does not know of the end of a bulk change yet");
    }
}

/// Notes a change. A failure is logged: then the pages show the change some minutes later.
pub(crate) async fn note(app: &App, customer: CustomerId, change: &KeptChange) {
    if let Err(error) = app.store.keep_change(customer, change).await {
        tracing::warn!(%error, source = error.source, "the overview does not know of a change yet");
    }
}

fn scope<'a>(method: &str, target: &'a str) -> Option<Scope<'a>> {
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    if method == "GET" || query.contains("dry_run=true") {
        return None;
    }
    let rest = path.strip_prefix(CAMPAIGNS)?;
    match rest.strip_prefix('/') {
        None => rest.is_empty().then_some(Scope::New),
        Some("status") => Some(Scope::Many),
        Some(id) => (!id.contains('/')).then_some(Scope::Campaign(id)),
    }
}

/// The values of the campaign in a response, if it has some; `None` if it is certain that nothing has changed.
fn values(method: &str, response: &Response<Body>) -> Option<Option<String>> {
    let status = response.status();
    if status.is_client_error() && status != StatusCode::CONFLICT {
        return None;
    }
    let changed = match (method, status) {
        ("DELETE", StatusCode::NO_CONTENT) => Some(Changed::removed()),
        ("PATCH", StatusCode::OK) => Changed::read(response.body()),
        _ => None,
    };
    Some(changed.and_then(|changed| serde_json::to_string(&changed).ok()))
}
