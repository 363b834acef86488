//! Lists in the platform's order.
//!
//! The loop is this adapter's own: the size of a page changes from call to call, and at the bound the campaigns that
//! were found are returned. More than two calls are needed only where many campaigns match the platform's filter and
//! are not in the requested states: campaigns that have ended are active ones to the platform.

use super::api::{self, API, effective_statuses};
use super::error::is_about_cursor;
use super::spend;
use super::translate::listed;
use crate::platforms::engine::list::{MAX_PAGES, invalid_cursor};
use crate::platforms::prelude::*;

/// Fewest and most campaigns that one call asks for.
const PAGE_SIZE: (usize, usize) = (25, 200);
/// Longest cursor that is sent.
const MAX_CURSOR: usize = 512;

/// One page, with the spend of its campaigns. Reads one campaign beyond the limit, which proves that there are more.
pub(super) async fn campaigns(session: &AccountSession, request: &ListRequest) -> Result<CampaignPage, Error> {
    let mut at = request.after.as_deref().map(Position::parse).transpose()?.unwrap_or_default();
    let Some(statuses) = effective_statuses(request.statuses) else { return Ok(CampaignPage::default()) };
    let client = Client::of(&API, session);
    let account = &session.account.id;
    let mut found = Vec::new();
    let mut is_end = false;
    for call in 0..MAX_PAGES {
        let size = page_size(call, at.passed + request.limit.saturating_add(1) - found.len());
        let response = client.read(api::listing(account, &statuses, size, at.cursor.as_deref())?).await;
        let page = response.and_then(|response| api::read_page(&response));
        // Only the cursor of the first call is the caller's.
        let page: Page = page.map_err(|error| list_error(error, call == 0 && at.cursor.is_some()))?;
        found.extend(at.matching(session, request.statuses, &page)?);
        is_end = page.next.is_none();
        if is_end || found.len() > request.limit {
            break;
        }
        // A page may be shorter than it was when the position was returned.
        at = Position { passed: at.passed.saturating_sub(page.rows.len()), cursor: page.next };
    }
    if !is_end && found.len() <= request.limit {
        // The bound was reached: no campaign in the requested states lies between the last one and this place.
        let endless = || unreadable(Platform::Beta, "the list did not end within the allowed pages");
        found.last_mut().ok_or_else(endless)?.1 = at.to_text();
    }
    let mut page = CampaignPage::of(found, request.limit, is_end);
    spend::fill(&client, account, &mut page.rows).await?;
    Ok(page)
}

/// As many rows as are needed, and more after calls that found too few.
fn page_size(call: usize, needed: usize) -> usize {
    needed.max(PAGE_SIZE.0 << call.min(3)).min(PAGE_SIZE.1)
}

/// The error of a page. The platform's cursors are valid for a while only.
fn list_error(error: Error, is_callers_cursor: bool) -> Error {
    if is_callers_cursor && is_about_cursor(&error) {
        return invalid_cursor();
    }
    errors::account_error(Platform::Beta, error)
}

/// The place to continue from. Written as `passed` or `passed.cursor`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Position {
    /// The cursor of the page; `None` for the first.
    cursor: Option<String>,
    /// The number of campaigns of the page that were passed, in any state.
    passed: usize,
}

impl Position {
    fn parse(text: &str) -> Result<Position, Error> {
        let (passed, cursor) = match text.split_once('.') {
            Some((passed, cursor)) => (passed, Some(cursor)),
            None => (text, None),
        };
        let is_cursor =
            |text: &str| (1..=MAX_CURSOR).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_graphic());
        let is_valid = passed.bytes().all(|byte| byte.is_ascii_digit()) && cursor.is_none_or(is_cursor);
        let passed = passed.parse().ok().filter(|passed| is_valid && *passed <= PAGE_SIZE.1);
        Ok(Position { cursor: cursor.map(str::to_owned), passed: passed.ok_or_else(invalid_cursor)? })
    }

    /// The campaigns of a page behind this position that are in the requested states, each with its own position.
    fn matching(
        &self,
        session: &AccountSession,
        statuses: StatusSet,
        page: &Page,
    ) -> Result<Vec<(PlatformCampaign, String)>, Error> {
        let read = |row: &RawValue| listed(&session.account, row.get(), session.call.now);
        let rows = readable(Platform::Beta, &page.rows, read)?;
        let found = rows.into_iter().enumerate().skip(self.passed).filter_map(|(index, campaign)| {
            let campaign = campaign.filter(|campaign| statuses.contains(campaign.status))?;
            let position = match &page.next {
                Some(next) if index + 1 == page.rows.len() => Position { cursor: Some(next.clone()), passed: 0 },
                _ => Position { cursor: self.cursor.clone(), passed: index + 1 },
            };
            Some((campaign, position.to_text()))
        });
        Ok(found.collect())
    }

    fn to_text(&self) -> String {
        match &self.cursor {
            Some(cursor) => format!("{}.{cursor}", self.passed),
            None => self.passed.to_string(),
        }
    }
}

#[cfg(test)]
mod tests;
