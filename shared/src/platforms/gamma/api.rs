//! The protocol of the TikTok API for Business v1.3: credentials, addresses, envelopes, and pages by number.

use super::error::{self, classify};
use super::wire::{self, CampaignFilter, Id, instant};
use crate::outbound::secret_header;
use crate::platforms::prelude::*;
use http::HeaderName;
use jiff::SignedDuration;
use serde::Serialize;
use serde::de::DeserializeOwned;
use url::Url;
use url::form_urlencoded::Serializer;

pub(super) static API: Api = Api { platform: Platform::Gamma, authenticate, classify };

/// The version is that of the messages in [`wire`].
const BASE: &str = "https://business-api.tiktok.com/open_api/v1.3";
/// Rows of the largest page that the platform returns.
pub(super) const LARGEST_PAGE: usize = 1_000;
/// A row may be this much newer than an earlier one. The platform's order is nearly, and not quite, that of
/// `create_time`: 8.6 minutes between the two were recorded live (2026-07). A day is far beyond that.
pub(super) const SKEW: SignedDuration = SignedDuration::from_hours(24);

/// The token has a header of the platform's own (TikTok API for Business: Authentication).
fn authenticate(access: &Access<'_>, request: &mut OutboundRequest) -> Result<(), Error> {
    let Some(token) = access.token else { return Ok(()) };
    let value = secret_header(token.expose_secret()).map_err(Error::internal)?;
    request.headers.insert(HeaderName::from_static("access-token"), value);
    Ok(())
}

/// The address of a path. The slash at the end is necessary: without it the platform returns a web page.
pub(super) fn address(path: &str) -> String {
    format!("{BASE}/{path}/")
}

pub(super) fn query(path: &str, parameters: &[(&str, &str)]) -> OutboundRequest {
    let parameters = Serializer::new(String::new()).extend_pairs(parameters).finish();
    get(format!("{}?{parameters}", address(path)))
}

pub(super) fn post(path: &str, content: &impl Serialize) -> Result<OutboundRequest, Error> {
    json(Method::POST, address(path), content)
}

/// One of the two lists of campaigns. The platform keeps deleted campaigns in a list of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ListPartition {
    Existing,
    Deleted,
}

impl ListPartition {
    pub(super) const ALL: [ListPartition; 2] = [ListPartition::Existing, ListPartition::Deleted];

    fn primary_status(self) -> &'static str {
        match self {
            ListPartition::Existing => "STATUS_NOT_DELETE",
            ListPartition::Deleted => "STATUS_DELETE",
        }
    }

    /// Returns `true` if the partition can have a campaign in one of the states.
    pub(super) fn may_hold(self, statuses: StatusSet) -> bool {
        use CampaignStatus::{Active, Archived, Paused, Unspecified};
        match self {
            ListPartition::Existing => [Active, Paused, Unspecified].iter().any(|status| statuses.contains(*status)),
            ListPartition::Deleted => statuses.contains(Archived),
        }
    }
}

#[derive(Clone, Copy, Debug)]
pub(super) struct PageRequest {
    pub(super) partition: ListPartition,
    pub(super) only: Option<Id>,
    /// From 1.
    pub(super) number: usize,
    pub(super) size: usize,
}

/// TikTok API for Business: Get campaigns. The platform returns every field, because the request names none.
pub(super) fn campaigns(account: &str, page: PageRequest) -> Result<OutboundRequest, Error> {
    let primary_status = page.partition.primary_status();
    let filter = CampaignFilter { primary_status, campaign_ids: page.only.map(|id| [id.to_string()]) };
    let filtering = serde_json::to_string(&filter).map_err(Error::internal)?;
    let (number, size) = (page.number.to_string(), page.size.to_string());
    let parameters = [("advertiser_id", account), ("filtering", &filtering), ("page", &number), ("page_size", &size)];
    Ok(query("campaign/get", &parameters))
}

/// Reads the rows of a page of campaigns, and the number of pages.
pub(super) fn read_campaigns(
    response: &OutboundResponse,
    number: usize,
    size: usize,
) -> Result<(Vec<Box<RawValue>>, usize), Error> {
    let (rows, pages) = read_page(response, number, size)?;
    if !is_newest_first(&rows) {
        return Err(unreadable(Platform::Gamma, "a list out of order"));
    }
    Ok((rows, pages))
}

/// Reads the rows of a page, and the number of pages. Where the platform does not state that number, a full page is not
/// the last one.
pub(super) fn read_page<T: DeserializeOwned>(
    response: &OutboundResponse,
    number: usize,
    size: usize,
) -> Result<(Vec<T>, usize), Error> {
    let page: wire::Page<T> = read_data(response)?;
    let pages = page.page_info.as_ref().and_then(|info| usize::try_from(info.total_page?).ok());
    let rows = rows(page)?;
    let pages = pages.unwrap_or(number + usize::from(rows.len() >= size));
    Ok((rows, pages))
}

/// Reads a page from the response to the address that was called. The token of a page is its number.
pub(super) fn read_numbered<T: DeserializeOwned>(
    called: &str,
    response: &OutboundResponse,
    size: usize,
) -> Result<Page<T>, Error> {
    let number = Url::parse(called).ok().and_then(|url| {
        let (_, number) = url.query_pairs().find(|(name, _)| name == "page")?;
        number.parse().ok()
    });
    let number = number.unwrap_or(1);
    let (rows, pages) = read_page(response, number, size)?;
    Ok(Page { rows, next: (number < pages).then(|| (number + 1).to_string()) })
}

/// Returns `true` if no row is newer than an earlier one by more than [`SKEW`]. A row that cannot be read is ignored.
fn is_newest_first(rows: &[Box<RawValue>]) -> bool {
    let mut oldest = Timestamp::MAX;
    let rows = rows.iter().filter_map(|row| serde_json::from_str::<wire::Campaign>(row.get()).ok());
    rows.filter_map(|row| instant(row.create_time.as_deref()?)).all(|created_at| {
        oldest = oldest.min(created_at);
        created_at.duration_since(oldest) <= SKEW
    })
}

/// Reads the data of a response of success.
pub(super) fn read_data<T: DeserializeOwned>(response: &OutboundResponse) -> Result<T, Error> {
    let data = error::envelope(response)?.data.ok_or_else(|| unreadable(Platform::Gamma, "a response without data"))?;
    parse(data.get())
}

/// Parses a part of a response.
pub(super) fn parse<T: DeserializeOwned>(json: &str) -> Result<T, Error> {
    serde_json::from_str(json).map_err(|error| unreadable(Platform::Gamma, error))
}

/// Reads the rows of a page that is the only one.
pub(super) fn read_rows<T: DeserializeOwned>(response: &OutboundResponse) -> Result<Vec<T>, Error> {
    rows(read_data(response)?)
}

/// A response with neither rows nor page information is not an empty page.
fn rows<T>(page: wire::Page<T>) -> Result<Vec<T>, Error> {
    if page.list.is_none() && page.page_info.is_none() {
        return Err(unreadable(Platform::Gamma, "a response that is not a page"));
    }
    Ok(page.list.unwrap_or_default())
}
