//! The protocol of the Reddit Ads API v3: credentials, addresses, and pages.
//!
//! A listing is paged by `page.size` and `page.token` in the address; the next token is in `pagination.next_url` of
//! the response. A report is paged in the same way, although it is requested by POST.

use super::error::classify;
use super::wire::{self, Data, id};
use crate::platforms::prelude::*;
use http::header::{AUTHORIZATION, USER_AGENT};
use serde::Serialize;
use url::Url;
use url::form_urlencoded::Serializer;

/// The protocol.
pub(super) static API: Api = Api { platform: Platform::Zeta, authenticate, classify };

const BASE: &str = "https://ads-api.reddit.com/api/v3";
/// Rows of one page. The same for every request, because a token may belong to a size.
pub(super) const PAGE_SIZE: usize = 100;

fn authenticate(access: &Access<'_>, request: &mut OutboundRequest) -> Result<(), Error> {
    let agent = HeaderValue::from_str(&access.config.settings.zeta_ads.user_agent).map_err(Error::internal)?;
    request.headers.extend([(AUTHORIZATION, access.bearer()?), (USER_AGENT, agent)]);
    Ok(())
}

/// The address of an ad account.
pub(super) fn ad_account(account: &str) -> Result<String, Error> {
    Ok(format!("{BASE}/ad_accounts/{}", id(account)?))
}

/// The address of an ad account's resource.
pub(super) fn of_account(account: &str, resource: &str) -> Result<String, Error> {
    Ok(format!("{}/{resource}", ad_account(account)?))
}

/// The address of a campaign.
pub(super) fn campaign(campaign: &str) -> Result<String, Error> {
    Ok(format!("{BASE}/campaigns/{}", id(campaign)?))
}

/// The address of the businesses of a user, or of a resource of one.
pub(super) fn businesses(path: &str) -> String {
    format!("{BASE}/{path}")
}

/// A request whose content is wrapped as the API wants it.
pub(super) fn wrapped(method: Method, url: String, content: &impl Serialize) -> Result<OutboundRequest, Error> {
    json(method, url, &Data { data: content })
}

/// The request for a page of a listing.
pub(super) fn page_request(url: &str, size: usize, token: Option<&str>) -> OutboundRequest {
    get(page_address(url, size, token))
}

/// The pages of a listing.
pub(super) fn listing(url: String) -> Pages<'static> {
    Pages::new(move |token| Ok(page_request(&url, PAGE_SIZE, token)), read_page)
}

/// Most campaigns that the filter of a list names.
pub(super) const MOST_CAMPAIGNS: usize = 200;

/// The pages of the ads of some campaigns of an account.
pub(super) fn ads(account: &str, campaigns: &[&str]) -> Result<Pages<'static>, Error> {
    let ids: Vec<&str> = campaigns.iter().map(|campaign| id(campaign)).collect::<Result<_, _>>()?;
    Ok(listing(format!("{}?campaign_id={}", of_account(account, "ads")?, ids.join(","))))
}

/// The pages of a report on demand: the same request with each token. `read` reads the rows of a page.
pub(super) fn report<'a, T: Send>(
    url: String,
    report: wire::ReportRequest,
    read: impl Fn(&[Box<RawValue>]) -> Result<Vec<T>, Error> + Send + Sync + 'a,
) -> Pages<'a, T> {
    let request = move |token: Option<&str>| wrapped(Method::POST, page_address(&url, PAGE_SIZE, token), &report);
    Pages::new(request, move |called, response| {
        let page: wire::ReportPage = read_object(Platform::Zeta, &response.body)?;
        let rows = page.metrics().map_err(|error| unreadable(Platform::Zeta, error))?;
        Ok(Page { rows: read(&rows)?, next: next(called, page.pagination)? })
    })
}

/// Reads a page of a listing.
pub(super) fn read_page(called: &str, response: &OutboundResponse) -> Result<Page, Error> {
    let page: wire::Page = read_object(Platform::Zeta, &response.body)?;
    Ok(Page { rows: page.data, next: next(called, page.pagination)? })
}

/// Reads the one object of a response.
pub(super) fn read_data(response: &OutboundResponse) -> Result<Box<RawValue>, Error> {
    Ok(read_object::<Data<Box<RawValue>>>(Platform::Zeta, &response.body)?.data)
}

fn page_address(url: &str, size: usize, token: Option<&str>) -> String {
    let size = size.to_string();
    let parameters = [("page.size", Some(size.as_str())), ("page.token", token)];
    let given = parameters.into_iter().filter_map(|(name, value)| Some((name, value?)));
    let joint = if url.contains('?') { '&' } else { '?' };
    format!("{url}{joint}{}", Serializer::new(String::new()).extend_pairs(given).finish())
}

/// The token inside of the next page's address. Only an address on the host that was called is trusted, because the
/// request for the page carries the user's token. The address itself is never called.
fn next(called: &str, pagination: Option<wire::Pagination>) -> Result<Option<String>, Error> {
    let next_url = pagination.and_then(|pagination| pagination.next_url).filter(|url| !url.is_empty());
    let Some(next_url) = next_url else { return Ok(None) };
    let foreign = || unreadable(Platform::Zeta, "a next page on another host");
    let called = Url::parse(called).map_err(Error::internal)?;
    let next = called.join(&next_url).map_err(|_| foreign())?;
    if next.origin() != called.origin() {
        return Err(foreign());
    }
    let token = next.query_pairs().find(|(name, _)| name == "page.token").map(|(_, value)| value.into_owned());
    // An empty token would start again.
    let token = token.filter(|token| !token.is_empty());
    token.map(Some).ok_or_else(|| unreadable(Platform::Zeta, "a next page without a token"))
}
