//! Lists campaigns by falling id. The platform continues after a whole page; a position continues after any campaign.
//!
//! The loop is this adapter's own: the size of a page changes from call to call, and at the bound a page that has
//! campaigns is returned. More than two calls are needed only between the active and the ended campaigns, which the
//! platform cannot filter apart.

use super::api::{self, API, LARGEST_PAGE};
use super::translate::found;
use super::wire::number;
use crate::platforms::engine::list::MAX_PAGES;
use crate::platforms::engine::page::Progress;
use crate::platforms::errors::invalid_cursor;
use crate::platforms::prelude::*;

/// Longest bookmark that is sent.
pub(super) const MAX_BOOKMARK: usize = 2_000;

/// The place of a campaign, written `{rows}.{id}.{bookmark}`: its id, in the page that a bookmark begins, after so many
/// rows.
///
/// The id decides: campaigns are listed by it, so one that was created or removed since does not move the rest. The
/// number of rows only decides how long a page has to be for the next campaigns to be on it.
struct Position {
    rows: usize,
    id: u64,
    /// `None` for the first page.
    bookmark: Option<String>,
}

impl Position {
    fn read(text: &str) -> Option<Position> {
        let mut parts = text.splitn(3, '.');
        let rows = number(parts.next()?).and_then(|rows| usize::try_from(rows).ok())?;
        let id = number(parts.next()?)?;
        let bookmark = parts.next()?;
        let is_sound = bookmark.len() <= MAX_BOOKMARK && !bookmark.contains(char::is_control);
        let bookmark = Some(bookmark.to_owned()).filter(|bookmark| !bookmark.is_empty());
        (rows <= LARGEST_PAGE && is_sound).then_some(Position { rows, id, bookmark })
    }
}

/// One page. Reads one campaign beyond the limit, which proves that there are more.
pub(super) async fn campaigns(session: &AccountSession, request: &ListRequest) -> Result<CampaignPage, Error> {
    let position = request.after.as_deref().map(|text| Position::read(text).ok_or_else(invalid_cursor)).transpose()?;
    let statuses = api::entity_statuses(request.statuses);
    if statuses.is_empty() {
        return Ok(CampaignPage::default());
    }
    let client = Client::of(&API, session);
    let wanted = request.limit.saturating_add(1);
    let account = &session.account;
    let now = session.call.now;
    let after = position.as_ref().map(|position| position.id);
    let (mut skipped, mut bookmark) = position.map_or((0, None), |position| (position.rows, position.bookmark));
    let mut kept = Vec::new();
    let mut is_end = false;
    let mut progress = Progress::default();
    for call in 0..MAX_PAGES {
        let size = page_size(request, skipped + wanted - kept.len());
        let sent = api::campaigns_page(&account.id, &statuses, size, bookmark.as_deref())?;
        let is_continued = call == 0 && bookmark.is_some();
        let page = api::read_page(&client.read_at(sent, is_continued).await?)?;
        let rows = readable(Platform::Epsilon, &page.rows, |row| found(account, row.get(), now))?;
        for (index, campaign) in rows.into_iter().enumerate() {
            let Some(campaign) = campaign.flatten() else { continue };
            let id = number(&campaign.remote_id).unwrap_or_default();
            if after.is_none_or(|after| id < after) && request.statuses.contains(campaign.status) {
                let position = format!("{}.{id}.{}", index + 1, bookmark.as_deref().unwrap_or_default());
                kept.push((campaign, position));
            }
        }
        is_end = page.next.is_none();
        if is_end || kept.len() >= wanted {
            break;
        }
        (skipped, bookmark) = (0, page.next);
        let next = bookmark.as_deref().unwrap_or_default();
        if !progress.continues(Platform::Epsilon, page.rows.is_empty(), next)? {
            break;
        }
    }
    if !is_end && kept.is_empty() {
        return Err(errors::endless(Platform::Epsilon));
    }
    Ok(CampaignPage::of(kept, request.limit, is_end))
}

/// As many rows as are needed; where the platform cannot tell the active from the ended ones, as many as it gives.
fn page_size(request: &ListRequest, needed: usize) -> usize {
    let (active, ended) = (CampaignStatus::Active, CampaignStatus::Ended);
    let is_told = request.statuses.contains(active) == request.statuses.contains(ended);
    if is_told { needed.min(LARGEST_PAGE) } else { LARGEST_PAGE }
}

#[cfg(test)]
mod tests;
