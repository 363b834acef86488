//! Lists. A position continues after any campaign, even in the middle of a platform's page.
//!
//! [`by_tokens`] lists on platforms with opaque page tokens and a fixed page size. Platforms that continue after an id,
//! choose each page's size, or merge two lists implement their own positions.

use super::call::Client;
use super::page::{Page, Pages};
use crate::domain::{PlatformCampaign, StatusSet};
use crate::error::Error;
use crate::platforms::errors::invalid_cursor;
use crate::platforms::rows::readable;
use serde_json::value::RawValue;
use std::mem;
use std::ops::ControlFlow;

/// Maximum number of platform pages that are read for one page of ours.
pub const MAX_PAGES: usize = 20;

/// Longest page token that is accepted.
const MAX_TOKEN: usize = 1_000;

/// A request for one page of an account's campaigns.
#[derive(Clone, Debug)]
pub struct ListRequest {
    /// States to include.
    pub statuses: StatusSet,
    /// At most this many, at least 1.
    pub limit: usize,
    /// A position of an earlier page.
    pub after: Option<String>,
}

/// One page of an account's campaigns, in the platform's order: newest first where it supports that.
pub type CampaignPage = AccountPage<PlatformCampaign>;

/// One page of an account's rows.
#[derive(Debug)]
pub struct AccountPage<T> {
    /// Rows: campaigns in the platform's order, insights in that of their positions.
    pub rows: Vec<T>,
    /// A cursor for each row: `positions[i]` continues after `rows[i]`.
    pub positions: Vec<String>,
    /// More rows follow the last one.
    pub has_more: bool,
}

impl<T> AccountPage<T> {
    /// The first `limit` rows of those found, each with its position. There are more if one was found beyond the limit,
    /// or if reading stopped before the end.
    pub fn of(mut found: Vec<(T, String)>, limit: usize, is_end: bool) -> AccountPage<T> {
        let has_more = found.len() > limit || !is_end;
        found.truncate(limit);
        let (rows, positions) = found.into_iter().unzip();
        AccountPage { rows, positions, has_more }
    }
}

impl<T> Default for AccountPage<T> {
    fn default() -> AccountPage<T> {
        AccountPage { rows: Vec::new(), positions: Vec::new(), has_more: false }
    }
}

/// The index of the first row after the campaign `last` in a page of campaigns by falling id; `None` if the page ends
/// before it. `ids` has the index and the id of each row that can be read.
///
/// The id decides, so a campaign that was created or removed since does not move the rest. Ids are numbers, so a longer
/// one is a higher one.
pub fn index_after<'a>(ids: impl Iterator<Item = (usize, &'a str)> + Clone, last: &str) -> Option<usize> {
    let after = ids.clone().find(|(_, id)| *id == last).map(|(index, _)| index + 1);
    let mut ids = ids;
    after.or_else(|| ids.find(|(_, id)| (id.len(), *id) < (last.len(), last)).map(|(index, _)| index))
}

/// Lists campaigns from pages with tokens and at most `page_size` rows. A position is `{seen}:{token}`: the token of a
/// page, and the number of its rows that were already read. The token of the first page is empty.
pub async fn by_tokens(
    client: &Client<'_>,
    pages: Pages<'_>,
    page_size: usize,
    request: &ListRequest,
    read: impl Fn(&RawValue) -> Result<PlatformCampaign, Error> + Send + Sync,
) -> Result<CampaignPage, Error> {
    let (token, mut skip) = match &request.after {
        Some(text) => position(text, page_size).ok_or_else(invalid_cursor)?,
        None => (None, 0),
    };
    let mut found: Vec<(PlatformCampaign, String)> = Vec::new();
    let visit = |token: Option<&str>, page: Page| {
        let rows = readable(client.platform(), &page.rows, &read)?;
        for (index, campaign) in rows.into_iter().enumerate().skip(mem::take(&mut skip)) {
            let listed = campaign.filter(|campaign| request.statuses.contains(campaign.status));
            found.extend(listed.map(|campaign| (campaign, format!("{}:{}", index + 1, token.unwrap_or_default()))));
        }
        Ok(if found.len() > request.limit { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    };
    pages.up_to(MAX_PAGES).visit(client, token, visit).await?;
    Ok(CampaignPage::of(found, request.limit, true))
}

/// Parses a position into the page's token and the number of rows already read.
fn position(text: &str, page_size: usize) -> Option<(Option<String>, usize)> {
    let (seen, token) = text.split_once(':')?;
    let seen = seen.parse().ok().filter(|seen| *seen <= page_size)?;
    let is_token = token.len() <= MAX_TOKEN && !token.contains(char::is_control);
    is_token.then(|| ((!token.is_empty()).then(|| token.to_owned()), seen))
}
