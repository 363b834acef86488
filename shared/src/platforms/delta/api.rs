//! The protocol of the LinkedIn Marketing API: credentials, requests and the responses without a body.
//!
//! A search is paged by `pageToken` in the address; the next token is in `metadata` of the response.

use super::error::classify;
use super::{query, wire};
use crate::platforms::prelude::*;
use http::header::AUTHORIZATION;

pub(super) static API: Api = Api { platform: Platform::Delta, authenticate, classify };

/// <https://learn.microsoft.com/en-us/linkedin/marketing/versioning>
fn authenticate(access: &Access<'_>, request: &mut OutboundRequest) -> Result<(), Error> {
    let version = HeaderValue::from_str(&access.config.settings.delta_ads.version).map_err(Error::internal)?;
    request.headers.insert(AUTHORIZATION, access.bearer()?);
    request.headers.insert("linkedin-version", version);
    request.headers.insert("x-restli-protocol-version", HeaderValue::from_static("2.0.0"));
    Ok(())
}

pub(super) async fn fetch(session: &AccountSession, address: String) -> Result<OutboundResponse, Error> {
    Client::of(&API, session).read(get(address)).await
}

/// The token is sent back as it was received.
pub(super) fn page_request(search: &str, token: Option<&str>) -> OutboundRequest {
    let token = token.map(|token| format!("&pageToken={}", query::encoded(token)));
    get(format!("{search}{}", token.unwrap_or_default()))
}

pub(super) fn search(search: String) -> Pages<'static> {
    Pages::new(move |token| Ok(page_request(&search, token)), |_, response| read_page(response))
}

/// The creatives of a search. Its finder has to be named in a header too.
///
/// <https://learn.microsoft.com/en-us/linkedin/marketing/integrations/ads/account-structure/create-and-manage-creatives>
pub(super) fn creatives(search: String) -> Pages<'static> {
    let request = move |token: Option<&str>| {
        let mut request = page_request(&search, token);
        request.headers.insert("x-restli-method", HeaderValue::from_static("FINDER"));
        Ok(request)
    };
    Pages::new(request, |_, response| read_page(response))
}

/// Reads a page. One without metadata is broken, and not the last.
pub(super) fn read_page(response: &OutboundResponse) -> Result<Page, Error> {
    let page: wire::Page = read_object(Platform::Delta, &response.body)?;
    let metadata = page.metadata.ok_or_else(|| unreadable(Platform::Delta, "a page without metadata"))?;
    Ok(Page { rows: page.elements, next: metadata.next_page_token.filter(|token| !token.is_empty()) })
}

pub(super) fn update(account: &str, remote_id: &str, fields: &wire::CampaignFields) -> Result<OutboundRequest, Error> {
    let update = wire::PartialUpdate { patch: wire::Patch { set: fields } };
    let mut request = json(Method::POST, query::campaign(account, remote_id)?, &update)?;
    request.headers.insert("x-restli-method", HeaderValue::from_static("PARTIAL_UPDATE"));
    Ok(request)
}

/// Reads the id of a created entity from a header: a number, or a URN that ends in it. The body is empty.
pub(super) fn created_id(response: &OutboundResponse) -> Result<String, Error> {
    let id = response.header("x-restli-id").and_then(|text| text.rsplit(':').next()).and_then(query::number);
    let id = id.ok_or_else(|| unreadable(Platform::Delta, "a response without the id of the created entity"))?;
    Ok(id.to_string())
}
