//! Listing by falling id. The platform continues behind a whole page; a position continues behind any campaign.

use super::client::{Client, LARGEST_PAGE, number};
use super::fault::unreadable;
use super::translate::{entity_statuses, found};
use super::wire;
use crate::domain::{Campaign, CampaignStatus, Platform};
use crate::error::{Error, Kind};
use crate::platforms::rows::readable;
use crate::platforms::{CampaignPage, ListRequest, Session};
use serde_json::value::RawValue;
use std::fmt;

/// Most calls for one page. More than two are needed only where many campaigns are not in the states that were asked
/// for, which happens between the active and the ended ones.
const MAX_CALLS: usize = 20;
/// Longest bookmark that is sent.
const MAX_BOOKMARK: usize = 2_000;

/// Where a campaign stands: in the page that a bookmark begins, behind so many others.
///
/// What counts is the id: campaigns are listed by it, so that one which came or went since does not move the rest.
/// The number of rows only says how long a page has to be for the next campaigns to be on it.
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
        parse().ok_or_else(|| Error::field("cursor", "is not one that this list gave out"))
    }
}

/// One page. Looks one campaign further than the limit, so that it is certain whether there are more.
pub(super) async fn campaigns(session: &Session, request: &ListRequest) -> Result<CampaignPage, Error> {
    let after = request.after.as_deref().map(Position::read).transpose()?;
    let statuses = entity_statuses(request.statuses);
    if statuses.is_empty() {
        return Ok(CampaignPage { campaigns: Vec::new(), positions: Vec::new(), has_more: false });
    }
    let (client, wanted) = (Client::of(session), request.limit.saturating_add(1));
    let mut kept: Vec<(Campaign, Position)> = Vec::new();
    let (mut skipped, mut bookmark) = after.clone().map_or((0, None), |after| (after.rows, after.bookmark));
    let mut is_end = false;
    for _ in 0..MAX_CALLS {
        let size = page_size(request, skipped + wanted - kept.len());
        let page = client.campaigns(&session.account.id, &statuses, size, bookmark.as_deref()).await;
        let page = page.map_err(|error| if skipped > 0 && bookmark.is_some() { stale(error) } else { error })?;
        keep(session, request, after.as_ref(), &page, bookmark.as_deref(), &mut kept)?;
        is_end = page.bookmark.is_none();
        if is_end || kept.len() >= wanted {
            break;
        }
        (skipped, bookmark) = (0, page.bookmark);
    }
    if !is_end && kept.is_empty() {
        return Err(unreadable("a list without an end"));
    }
    let has_more = kept.len() > request.limit || !is_end;
    kept.truncate(request.limit);
    let (campaigns, positions) = kept.into_iter().map(|(campaign, at)| (campaign, at.to_string())).unzip();
    Ok(CampaignPage { campaigns, positions, has_more })
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
    page: &wire::Page<Box<RawValue>>,
    bookmark: Option<&str>,
    kept: &mut Vec<(Campaign, Position)>,
) -> Result<(), Error> {
    let rows = readable(Platform::Epsilon, &page.items, |row| found(&session.account, row.get(), session.call.now))?;
    for (index, campaign) in rows.into_iter().enumerate() {
        let Some(campaign) = campaign.flatten() else { continue };
        let id = number(&campaign.remote_id).unwrap_or_default();
        let is_behind = after.is_none_or(|after| id < after.id);
        if is_behind && request.statuses.contains(campaign.status) {
            let position = Position { rows: index + 1, id, bookmark: bookmark.map(str::to_owned) };
            kept.push((campaign, position));
        }
    }
    Ok(())
}

/// What the platform refuses about a list that was begun before is the bookmark.
fn stale(error: Error) -> Error {
    match error.kind {
        Kind::PlatformRefused => {
            Error::field("cursor", "is no longer one that the platform knows; begin the list again").caused_by(error)
        }
        _ => error,
    }
}

#[cfg(test)]
mod tests;
