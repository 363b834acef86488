//! Listing by falling id. The platform continues after a whole page; a position continues after any campaign.
//!
//! The loop is this adapter's own: the size of a page changes from call to call, and at the bound a page that has
//! campaigns is returned. More than two calls are needed only between the active and the ended campaigns, which the
//! platform cannot filter apart.

use super::api::{self, API, LARGEST_PAGE};
use super::fault::{account_error, unreadable};
use super::translate::found;
use super::wire::number;
use crate::domain::{Campaign, CampaignStatus, Platform};
use crate::error::{Error, Kind};
use crate::platforms::engine::call::{Client, Session};
use crate::platforms::engine::list::{CampaignPage, ListRequest, MAX_PAGES, invalid_cursor};
use crate::platforms::rows::readable;
use serde_json::value::RawValue;
use std::fmt;

/// Longest bookmark that is sent.
const MAX_BOOKMARK: usize = 2_000;

/// The place of a campaign: its id, in the page that a bookmark begins, after so many rows.
///
/// The id decides: campaigns are listed by it, so that one which was created or removed since does not move the rest.
/// The number of rows only decides how long a page has to be for the next campaigns to be on it.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Position {
    rows: usize,
    id: u64,
    /// `None` for the first page.
    bookmark: Option<String>,
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}.{}", self.rows, self.id, self.bookmark.as_deref().unwrap_or_default())
    }
}

impl Position {
    fn read(text: &str) -> Result<Position, Error> {
        let parse = || {
            let mut parts = text.splitn(3, '.');
            let rows = number(parts.next()?).and_then(|rows| usize::try_from(rows).ok())?;
            let id = number(parts.next()?)?;
            let bookmark = parts.next()?;
            let sound = bookmark.len() <= MAX_BOOKMARK && !bookmark.contains(char::is_control);
            let bookmark = Some(bookmark.to_owned()).filter(|bookmark| !bookmark.is_empty());
            (rows <= LARGEST_PAGE && sound).then_some(Position { rows, id, bookmark })
        };
        parse().ok_or_else(invalid_cursor)
    }
}

/// One page. Reads one campaign beyond the limit, which proves that there are more.
pub(super) async fn campaigns(session: &Session, request: &ListRequest) -> Result<CampaignPage, Error> {
    let after = request.after.as_deref().map(Position::read).transpose()?;
    let statuses = api::entity_statuses(request.statuses);
    if statuses.is_empty() {
        return Ok(CampaignPage::default());
    }
    let (client, wanted) = (Client::of(&API, session), request.limit.saturating_add(1));
    let mut kept: Vec<(Campaign, String)> = Vec::new();
    let (mut skipped, mut bookmark) = after.clone().map_or((0, None), |after| (after.rows, after.bookmark));
    let mut is_end = false;
    for _ in 0..MAX_PAGES {
        let size = page_size(request, skipped + wanted - kept.len());
        let outgoing = api::campaigns_page(&session.account.id, &statuses, size, bookmark.as_deref())?;
        let answer = client.read(outgoing).await.map_err(account_error);
        let answer = answer.map_err(|error| if skipped > 0 && bookmark.is_some() { stale(error) } else { error })?;
        let page = api::read_page(&answer)?;
        keep(session, request, after.as_ref(), &page.rows, bookmark.as_deref(), &mut kept)?;
        is_end = page.next.is_none();
        if is_end || kept.len() >= wanted {
            break;
        }
        (skipped, bookmark) = (0, page.next);
    }
    if !is_end && kept.is_empty() {
        return Err(unreadable("the list did not end within the allowed pages"));
    }
    Ok(CampaignPage::of(kept, request.limit, is_end))
}

/// As many rows as are needed; where the platform cannot tell the active from the ended ones, as many as it gives.
fn page_size(request: &ListRequest, needed: usize) -> usize {
    let (active, ended) = (CampaignStatus::Active, CampaignStatus::Ended);
    let is_told = request.statuses.contains(active) == request.statuses.contains(ended);
    if is_told { needed.min(LARGEST_PAGE) } else { LARGEST_PAGE }
}

/// Keeps the campaigns of a page that come after the position and are in one of the states.
fn keep(
    session: &Session,
    request: &ListRequest,
    after: Option<&Position>,
    rows: &[Box<RawValue>],
    bookmark: Option<&str>,
    kept: &mut Vec<(Campaign, String)>,
) -> Result<(), Error> {
    let rows = readable(Platform::Epsilon, rows, |row| found(&session.account, row.get(), session.call.now))?;
    for (index, campaign) in rows.into_iter().enumerate() {
        let Some(campaign) = campaign.flatten() else { continue };
        let id = number(&campaign.remote_id).unwrap_or_default();
        let is_behind = after.is_none_or(|after| id < after.id);
        if is_behind && request.statuses.contains(campaign.status) {
            let position = Position { rows: index + 1, id, bookmark: bookmark.map(str::to_owned) };
            kept.push((campaign, position.to_string()));
        }
    }
    Ok(())
}

/// The error where a list continues from a cursor. A refusal is then about the bookmark, which has expired.
fn stale(error: Error) -> Error {
    match error.kind {
        Kind::PlatformRefused => {
            Error::field("cursor", "has expired on Pinterest; start again without it").caused_by(error)
        }
        _ => error,
    }
}

#[cfg(test)]
mod tests;
