//! Lists in the platform's order. A position is the cursor of a page of the platform, and the number of campaigns of
//! that page that were passed.
//!
//! The loop is this adapter's own: the size of a page changes from call to call, and at the bound the campaigns that
//! were found are returned. More than two calls are needed only where many campaigns match the platform's filter and
//! are not in the requested states: campaigns that have ended are active ones to the platform.

use super::api::{self, API, effective_statuses};
use super::fault::{account_error, is_about_cursor, unreadable};
use super::spend;
use super::translate::listed;
use crate::domain::{Campaign, Platform};
use crate::error::Error;
use crate::platforms::engine::call::{Client, Session};
use crate::platforms::engine::list::{CampaignPage, ListRequest, MAX_PAGES, invalid_cursor};
use crate::platforms::engine::page::Page;
use crate::platforms::rows::readable;
use std::fmt;

/// Fewest and most campaigns that one call asks for.
const PAGE_SIZE: (usize, usize) = (25, 200);
/// Longest cursor that is sent.
const MAX_CURSOR: usize = 512;

/// One page, with the spend of its campaigns. Reads one campaign beyond the limit, which proves that there are more.
pub(super) async fn campaigns(session: &Session, request: &ListRequest) -> Result<CampaignPage, Error> {
    let mut at = request.after.as_deref().map(Position::parse).transpose()?.unwrap_or_default();
    let Some(statuses) = effective_statuses(request.statuses) else { return Ok(CampaignPage::default()) };
    let (client, account) = (Client::of(&API, session), &session.account.id);
    let (mut found, mut is_end) = (Vec::new(), false);
    for call in 0..MAX_PAGES {
        let size = page_size(call, at.passed + request.limit.saturating_add(1) - found.len());
        let answer = client.read(api::campaigns_page(account, &statuses, size, at.cursor.as_deref())?).await;
        let page = answer.and_then(|answer| api::read_page(&answer));
        // Only the cursor of the first call is the caller's.
        let page: Page = page.map_err(|error| list_error(error, call == 0 && at.cursor.is_some()))?;
        found.extend(matching(session, request, &at, &page)?);
        is_end = page.next.is_none();
        if is_end || found.len() > request.limit {
            break;
        }
        // A page may be shorter than it was when the position was returned.
        at = Position { passed: at.passed.saturating_sub(page.rows.len()), cursor: page.next };
    }
    if !is_end && found.len() <= request.limit {
        // The bound was reached: no campaign in the requested states lies between the last one and this place.
        let last = found.last_mut().ok_or_else(|| unreadable("the list did not end within the allowed pages"))?;
        last.1 = at.to_string();
    }
    let mut page = CampaignPage::of(found, request.limit, is_end);
    spend::fill(&client, account, &mut page.campaigns).await?;
    Ok(page)
}

/// As many rows as are needed, and more after calls that found too few.
fn page_size(call: usize, needed: usize) -> usize {
    needed.max(PAGE_SIZE.0 << call.min(3)).min(PAGE_SIZE.1)
}

/// The campaigns of a page behind the position that are in the requested states, each with its own position.
fn matching(
    session: &Session,
    request: &ListRequest,
    at: &Position,
    page: &Page,
) -> Result<Vec<(Campaign, String)>, Error> {
    let rows = readable(Platform::Beta, &page.rows, |row| listed(&session.account, row.get(), session.call.now))?;
    let mut found = Vec::new();
    for (index, campaign) in rows.into_iter().enumerate().skip(at.passed) {
        let Some(campaign) = campaign.filter(|campaign| request.statuses.contains(campaign.status)) else { continue };
        let position = match &page.next {
            Some(next) if index + 1 == page.rows.len() => Position { cursor: Some(next.clone()), passed: 0 },
            _ => Position { cursor: at.cursor.clone(), passed: index + 1 },
        };
        found.push((campaign, position.to_string()));
    }
    Ok(found)
}

/// The error of a page. The platform's cursors are valid for a while only.
fn list_error(error: Error, is_callers_cursor: bool) -> Error {
    if is_callers_cursor && is_about_cursor(&error) { invalid_cursor() } else { account_error(error) }
}

/// The place to continue from. Written as `passed` or `passed.cursor`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Position {
    /// The cursor of the page; `None` for the first.
    cursor: Option<String>,
    /// The number of campaigns of the page that were passed, in any state.
    passed: usize,
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.cursor {
            Some(cursor) => write!(f, "{}.{cursor}", self.passed),
            None => write!(f, "{}", self.passed),
        }
    }
}

impl Position {
    fn parse(text: &str) -> Result<Position, Error> {
        let (passed, cursor) = match text.split_once('.') {
            Some((passed, cursor)) => (passed, Some(cursor)),
            None => (text, None),
        };
        let is_number = !passed.is_empty() && passed.bytes().all(|byte| byte.is_ascii_digit());
        let passed =
            passed.parse().ok().filter(|passed| is_number && *passed <= PAGE_SIZE.1).ok_or_else(invalid_cursor)?;
        let is_cursor =
            |text: &str| (1..=MAX_CURSOR).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_graphic());
        if !cursor.is_none_or(is_cursor) {
            return Err(invalid_cursor());
        }
        Ok(Position { cursor: cursor.map(str::to_owned), passed })
    }
}

#[cfg(test)]
mod rows;
#[cfg(test)]
mod tests;
