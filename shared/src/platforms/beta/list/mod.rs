//! Lists in the platform's order. A position is the id of a campaign on the page of a cursor: the id decides, so that a
//! campaign that was created or deleted since neither hides nor repeats another.
//!
//! Not verified: that the platform lists by falling id. It matters only where the campaign of a position is no longer on its
//! page.
//!
//! The loop is this adapter's own: the size of a page changes from call to call, and at the bound the campaigns that
//! were found are returned. More than two calls are needed only where many campaigns match the platform's filter and
//! are not in the requested states: campaigns that have ended are active ones to the platform.

use super::api::{self, API, effective_statuses};
use super::error::is_about_cursor;
use super::spend;
use super::translate::listed;
use super::wire::is_id;
use crate::platforms::engine::list::{MAX_PAGES, index_after};
use crate::platforms::engine::page::Progress;
use crate::platforms::errors::invalid_cursor;
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
    let mut progress = Progress::default();
    for call in 0..MAX_PAGES {
        let size = page_size(call, at.passed + request.limit.saturating_add(1) - found.len());
        let response = client.read(api::listing(account, &statuses, size, at.cursor.as_deref())?).await;
        // Only the cursor of the first call is the caller's.
        let is_callers = call == 0 && at.cursor.is_some();
        let response = response.map_err(|error| if is_callers { list_error(error) } else { error })?;
        let page: Page = api::read_page(&response)?;
        found.extend(at.matching(session, request.statuses, &page)?);
        is_end = page.next.is_none();
        if is_end || found.len() > request.limit {
            break;
        }
        // A page may be shorter than it was when the position was returned.
        at = Position { passed: at.passed.saturating_sub(page.rows.len()), cursor: page.next, last: at.last };
        let next = at.cursor.as_deref().unwrap_or_default();
        if !progress.continues(Platform::Beta, page.rows.is_empty(), next)? {
            break;
        }
    }
    if !is_end && found.len() <= request.limit {
        // The bound was reached: no campaign in the requested states lies between the last one and this place.
        found.last_mut().ok_or_else(|| errors::endless(Platform::Beta))?.1 = at.to_text();
    }
    let mut page = CampaignPage::of(found, request.limit, is_end);
    spend::fill(&client, account, &mut page.rows).await?;
    Ok(page)
}

/// As many rows as are needed, and more after calls that found too few.
fn page_size(call: usize, needed: usize) -> usize {
    needed.max(PAGE_SIZE.0 << call.min(3)).min(PAGE_SIZE.1)
}

/// The error of the page of a caller's cursor. The platform's cursors are valid for a while only.
fn list_error(error: Error) -> Error {
    if is_about_cursor(&error) { invalid_cursor().caused_by(error) } else { error }
}

/// The place to continue from, written `{passed}.{last}.{cursor}`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Position {
    /// The cursor of the page; `None` for the first.
    cursor: Option<String>,
    /// Campaigns of the page that earlier requests returned or skipped. The next page size must be larger.
    passed: usize,
    /// The id of the last of them, until it was found; `None` where the whole page follows.
    last: Option<String>,
}

impl Position {
    fn parse(text: &str) -> Result<Position, Error> {
        Position::read(text).ok_or_else(invalid_cursor)
    }

    fn read(text: &str) -> Option<Position> {
        let mut parts = text.splitn(3, '.');
        let passed = parts.next().filter(|text| text.bytes().all(|byte| byte.is_ascii_digit()))?;
        let passed = passed.parse().ok().filter(|passed| *passed <= PAGE_SIZE.1)?;
        let given = |text: &str| (!text.is_empty()).then(|| text.to_owned());
        let (last, cursor) = (given(parts.next()?), given(parts.next()?));
        let is_cursor = |text: &str| text.len() <= MAX_CURSOR && text.bytes().all(|byte| byte.is_ascii_graphic());
        let is_sound = last.as_deref().is_none_or(is_id) && cursor.as_deref().is_none_or(is_cursor);
        is_sound.then_some(Position { cursor, passed, last })
    }

    /// The campaigns of a page behind this position that are in the requested states, each with its own position.
    fn matching(
        &mut self,
        session: &AccountSession,
        statuses: StatusSet,
        page: &Page,
    ) -> Result<Vec<(PlatformCampaign, String)>, Error> {
        let read = |row: &RawValue| listed(&session.account, row.get(), session.call.now);
        let rows = readable(Platform::Beta, &page.rows, read)?;
        let ids = rows.iter().enumerate().filter_map(|(index, row)| Some((index, row.as_ref()?.remote_id.as_str())));
        let first = self.last.as_deref().map_or(Some(0), |last| index_after(ids, last));
        if first.is_some() {
            self.last = None;
        }
        let rows = rows.into_iter().enumerate().skip(first.unwrap_or(page.rows.len()));
        let found = rows.filter_map(|(index, campaign)| {
            let campaign = campaign.filter(|campaign| statuses.contains(campaign.status))?;
            let position = match &page.next {
                Some(next) if index + 1 == page.rows.len() => {
                    Position { cursor: Some(next.clone()), ..Position::default() }
                }
                _ => {
                    let last = Some(campaign.remote_id.clone());
                    Position { cursor: self.cursor.clone(), passed: index + 1, last }
                }
            };
            Some((campaign, position.to_text()))
        });
        Ok(found.collect())
    }

    fn to_text(&self) -> String {
        let Position { cursor, passed, last } = self;
        format!("{passed}.{}.{}", last.as_deref().unwrap_or_default(), cursor.as_deref().unwrap_or_default())
    }
}

#[cfg(test)]
mod tests;
