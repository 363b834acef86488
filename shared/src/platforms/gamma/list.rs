//! Reading one campaign, and listing by falling id, which is the platform's own order.
//!
//! The platform pages by number, and rows move when campaigns are made or deleted meanwhile. So a position is the id
//! of a campaign, below which the next page begins, and beside it the place where its row was: only a hint where to
//! look first, however wrong it may have become.

mod position;

use super::client::Client;
use super::fault::unreadable;
use super::spend;
use super::translate::campaign;
use super::wire::{CampaignFilter, Id, Page};
use crate::domain::{Campaign, CampaignStatus};
use crate::error::Error;
use crate::platforms::{CampaignPage, ListRequest, Session};
use futures_util::future::{join, try_join_all};
use position::Position;
use serde_json::value::RawValue;

/// Most calls for one page and list. More than two are needed only where few campaigns have the states that were
/// asked for, or where the hint is far off.
const MAX_CALLS: usize = 30;
/// Largest page that the platform gives out.
pub(super) const LARGEST_PAGE: usize = 1_000;

/// The two lists that the platform keeps: deleted campaigns are in one of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shelf {
    Kept,
    Deleted,
}

impl Shelf {
    fn filter(self) -> &'static str {
        match self {
            Shelf::Kept => "STATUS_NOT_DELETE",
            Shelf::Deleted => "STATUS_DELETE",
        }
    }

    /// Whether it may hold something that was asked for.
    fn is_asked_for(self, request: &ListRequest) -> bool {
        let has = |status| request.statuses.contains(status);
        match self {
            Shelf::Kept => {
                [CampaignStatus::Active, CampaignStatus::Paused, CampaignStatus::Unspecified].into_iter().any(has)
            }
            Shelf::Deleted => has(CampaignStatus::Archived),
        }
    }
}

/// What was read of one shelf.
struct Scan {
    /// What was asked for, with the place of each row.
    found: Vec<(Id, usize, Campaign)>,
    /// Down to which id nothing was left out; `None` when that is all there is.
    floor: Option<Id>,
}

/// One campaign, deleted or not.
pub(super) async fn one(session: &Session, remote_id: &str) -> Result<Campaign, Error> {
    let id = Id::parse(remote_id).ok_or_else(|| Error::not_found("campaign"))?;
    let ids = [remote_id];
    let (kept, report) = join(find(session, Shelf::Kept, id), spend::of(session, &ids, false)).await;
    let (mut campaign, report) = match kept? {
        Some(campaign) => (campaign, report?),
        None => {
            let deleted = find(session, Shelf::Deleted, id).await?.ok_or_else(|| Error::not_found("campaign"))?;
            (deleted, spend::of(session, &ids, true).await?)
        }
    };
    spend::fill(&mut campaign, report.as_ref());
    Ok(campaign)
}

async fn find(session: &Session, shelf: Shelf, id: Id) -> Result<Option<Campaign>, Error> {
    let rows = rows(session, shelf, Some(id), 1, 1).await?.list.unwrap_or_default();
    let Some(row) = rows.first() else { return Ok(None) };
    let (found, campaign) = read(session, shelf, row)?;
    if found != id {
        return Err(unreadable("another campaign than the one that was asked for"));
    }
    Ok(Some(campaign))
}

/// One page. Looks for one campaign more than the limit, so that it is certain whether there are more.
pub(super) async fn campaigns(session: &Session, request: &ListRequest) -> Result<CampaignPage, Error> {
    let after = request.after.as_deref().map(Position::read).transpose()?;
    let shelves = [Shelf::Kept, Shelf::Deleted].into_iter().filter(|shelf| shelf.is_asked_for(request));
    let shelves: Vec<Shelf> = shelves.collect();
    let is_mixed = shelves.len() > 1;
    // The place of a row says nothing about the other shelf.
    let after = after.map(|position| if is_mixed { position.without_place() } else { position });
    let scans = try_join_all(shelves.into_iter().map(|shelf| scan(session, request, shelf, after))).await?;
    let floor = scans.iter().filter_map(|scan| scan.floor).max();
    let mut found: Vec<(Id, usize, Campaign)> = scans.into_iter().flat_map(|scan| scan.found).collect();
    found.retain(|(id, ..)| floor.is_none_or(|floor| *id >= floor));
    found.sort_by_key(|(id, ..)| std::cmp::Reverse(*id));
    if found.is_empty() && floor.is_some() {
        return Err(unreadable("a list without an end"));
    }
    let has_more = found.len() > request.limit || floor.is_some();
    found.truncate(request.limit);
    let positions = found.iter().map(|(id, place, _)| Position::at(*id, *place).to_string()).collect();
    let mut campaigns: Vec<Campaign> = found.into_iter().map(|(.., campaign)| campaign).collect();
    let ids: Vec<&str> = campaigns.iter().map(|campaign| campaign.remote_id.as_str()).collect();
    let report = spend::of(session, &ids, Shelf::Deleted.is_asked_for(request)).await?;
    campaigns.iter_mut().for_each(|campaign| spend::fill(campaign, report.as_ref()));
    Ok(CampaignPage { campaigns, positions, has_more })
}

/// Reads a shelf below a position until there is one campaign more than the limit, or no more.
async fn scan(session: &Session, request: &ListRequest, shelf: Shelf, after: Option<Position>) -> Result<Scan, Error> {
    let (size, wanted) = (page_size(request, shelf), request.limit.saturating_add(1));
    let below = after.map(|position| position.id);
    let mut number = after.map_or(1, |position| position.place / size + 1);
    let mut is_behind = number > 1;
    let (mut found, mut last) = (Vec::new(), below);
    for _ in 0..MAX_CALLS {
        let (read, pages) = read_page(session, shelf, number, size).await?;
        let is_last = read.is_empty() || number >= pages;
        // Rows have moved up since: what comes after the position may begin on an earlier page.
        is_behind = is_behind && number > 1 && read.first().is_none_or(|(first, _)| Some(*first) < below);
        if is_behind {
            number = (number - 1).min(pages.max(1));
            continue;
        }
        for (index, (id, campaign)) in read.into_iter().enumerate() {
            // Rows have moved down since: these were seen already.
            if last.is_some_and(|last| id >= last) {
                continue;
            }
            last = Some(id);
            if request.statuses.contains(campaign.status) {
                found.push((id, (number - 1) * size + index, campaign));
            }
        }
        if is_last {
            return Ok(Scan { found, floor: None });
        }
        if found.len() >= wanted {
            break;
        }
        number += 1;
    }
    Ok(Scan { found, floor: last })
}

/// Small pages where every row counts, the largest where most may have to be passed over.
fn page_size(request: &ListRequest, shelf: Shelf) -> usize {
    let has = |status| request.statuses.contains(status);
    let is_narrow = shelf == Shelf::Kept && !(has(CampaignStatus::Active) && has(CampaignStatus::Paused));
    let is_mixed = has(CampaignStatus::Archived) && Shelf::Kept.is_asked_for(request);
    if is_narrow || is_mixed {
        LARGEST_PAGE
    } else {
        request.limit.saturating_add(1).saturating_mul(2).min(LARGEST_PAGE)
    }
}

/// One page of a shelf, newest first, and how many pages there are.
pub(super) async fn read_page(
    session: &Session,
    shelf: Shelf,
    number: usize,
    size: usize,
) -> Result<(Vec<(Id, Campaign)>, usize), Error> {
    let page = rows(session, shelf, None, number, size).await?;
    if page.list.is_none() && page.page_info.is_none() {
        return Err(unreadable("a page that is none"));
    }
    let rows = page.list.unwrap_or_default();
    // Where the platform does not say how many pages there are, a full one is not the last.
    let pages = page.page_info.map_or(number + usize::from(rows.len() >= size), |info| info.total_page);
    let read = rows.iter().map(|row| read(session, shelf, row)).collect::<Result<Vec<_>, Error>>()?;
    if !read.is_sorted_by(|(one, _), (next, _)| one > next) {
        return Err(unreadable("a list out of order"));
    }
    Ok((read, pages))
}

fn read(session: &Session, shelf: Shelf, row: &RawValue) -> Result<(Id, Campaign), Error> {
    let campaign = campaign(&session.account, row.get(), shelf == Shelf::Deleted)?;
    let id = Id::parse(&campaign.remote_id).ok_or_else(|| unreadable("a campaign without an id"))?;
    Ok((id, campaign))
}

/// TikTok API for Business: Get campaigns. All fields come back, because none is named.
async fn rows(
    session: &Session,
    shelf: Shelf,
    only: Option<Id>,
    number: usize,
    size: usize,
) -> Result<Page<Box<RawValue>>, Error> {
    let filter = CampaignFilter { primary_status: shelf.filter(), campaign_ids: only.map(|id| [id.to_string()]) };
    let filtering = serde_json::to_string(&filter).map_err(Error::internal)?;
    let (number, size) = (number.to_string(), size.to_string());
    let query = [
        ("advertiser_id", session.account.id.as_str()),
        ("filtering", &filtering),
        ("page", &number),
        ("page_size", &size),
    ];
    Client::of(session).get("campaign/get", &query).await
}

#[cfg(test)]
mod tests;
