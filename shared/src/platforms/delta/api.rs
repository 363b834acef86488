//! The protocol of the LinkedIn Marketing API: credentials, requests and the answers without a body.
//!
//! A search is paged by `pageToken` in the address; the next token is in `metadata` of the answer.

use super::fault::{classify, read, read_error, unreadable};
use super::{query, wire};
use crate::domain::Platform;
use crate::error::Error;
use crate::outbound::{Answer, Outgoing};
use crate::platforms::engine::call::{Access, Api, Client, Session, get, json};
use crate::platforms::engine::page::{Page, Pages};
use bytes::Bytes;
use http::header::AUTHORIZATION;
use http::{HeaderName, HeaderValue, Method};

/// The protocol.
pub(super) static API: Api = Api { platform: Platform::Delta, authenticate, classify };

const BASE: &str = "https://api.linkedin.com/rest/";
/// The header with the id of a created entity. The body of that answer is empty.
const CREATED_ID: &str = "x-restli-id";

/// <https://learn.microsoft.com/en-us/linkedin/marketing/versioning>
fn authenticate(access: &Access<'_>, request: &mut Outgoing) -> Result<(), Error> {
    let version = HeaderValue::from_str(&access.config.settings.delta_ads.version).map_err(Error::internal)?;
    request.headers.insert(AUTHORIZATION, access.bearer()?);
    request.headers.insert(HeaderName::from_static("linkedin-version"), version);
    let protocol = HeaderName::from_static("x-restli-protocol-version");
    request.headers.insert(protocol, HeaderValue::from_static("2.0.0"));
    Ok(())
}

/// The address of a path.
pub(super) fn address(path: &str) -> String {
    format!("{BASE}{path}")
}

/// Reads a resource, and returns the body as received.
pub(super) async fn fetch(session: &Session, path: &str) -> Result<Bytes, Error> {
    let answer = Client::of(&API, session).read(get(address(path))).await.map_err(read_error)?;
    Ok(answer.body)
}

/// The request for a page of a search.
pub(super) fn page_request(search: &str, token: Option<&str>) -> Outgoing {
    get(address(&query::page(search, token)))
}

/// The pages of a search.
pub(super) fn search(search: String) -> Pages<'static> {
    Pages::new(move |token| Ok(page_request(&search, token)), |_, answer| read_page(answer))
}

/// Reads a page. One without metadata is broken, and not the last.
pub(super) fn read_page(answer: &Answer) -> Result<Page, Error> {
    let page: wire::Page = read(&answer.body)?;
    let metadata = page.metadata.ok_or_else(|| unreadable("a page without metadata"))?;
    Ok(Page { rows: page.elements, next: metadata.next_page_token.filter(|token| !token.is_empty()) })
}

/// The request that creates a campaign group.
pub(super) fn new_group(account: &str, group: &wire::NewGroup<'_>) -> Result<Outgoing, Error> {
    json(Method::POST, address(&query::within(account, "adCampaignGroups")?), group)
}

/// The request that changes fields of a campaign.
pub(super) fn update(account: &str, remote_id: &str, fields: &wire::CampaignFields) -> Result<Outgoing, Error> {
    let update = wire::PartialUpdate { patch: wire::Patch { set: fields } };
    let mut request = json(Method::POST, address(&query::campaign(account, remote_id)?), &update)?;
    let method = HeaderName::from_static("x-restli-method");
    request.headers.insert(method, HeaderValue::from_static("PARTIAL_UPDATE"));
    Ok(request)
}

/// The request that deletes a campaign. The platform accepts it for drafts only.
pub(super) fn delete(account: &str, remote_id: &str) -> Result<Outgoing, Error> {
    Ok(Outgoing { method: Method::DELETE, ..get(address(&query::campaign(account, remote_id)?)) })
}

/// Reads the id of a created entity: a number, or a URN that ends in it.
pub(super) fn created_id(answer: &Answer) -> Result<String, Error> {
    let text = answer.headers.get(CREATED_ID).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let id = text.rsplit(':').next().and_then(query::number);
    id.map(|id| id.to_string()).ok_or_else(|| unreadable("an answer without the id of the created entity"))
}

/// Checks that the answer to a change is empty. One with a body comes from a host in between.
pub(super) fn check_empty(answer: &Answer) -> Result<(), Error> {
    if answer.body.is_empty() { Ok(()) } else { Err(unreadable("a body where there should be none")) }
}
