//! Pages of the platform's list.

use super::position::Key;
use crate::domain::{Campaign, CampaignStatus, Platform};
use crate::error::Error;
use crate::platforms::gamma::client::Client;
use crate::platforms::gamma::fault::unreadable;
use crate::platforms::gamma::translate::campaign;
use crate::platforms::gamma::wire::{CampaignFilter, Id, Page, PageInfo};
use crate::platforms::rows::readable;
use crate::platforms::{ListRequest, Session};
use jiff::{SignedDuration, Timestamp};
use serde_json::value::RawValue;

/// Largest page that the platform gives out.
pub(in crate::platforms::gamma) const LARGEST_PAGE: usize = 1_000;

/// How much older than a row a row before it may be. The platform's own order is nearly, and not quite, that of
/// `create_time`: 8.6 minutes between the two were recorded live (2026-07). A day is far beyond that.
pub(in crate::platforms::gamma) const SKEW: SignedDuration = SignedDuration::from_hours(24);

/// The two lists that the platform keeps: deleted campaigns are in one of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::platforms::gamma) enum ListPartition {
    /// Campaigns that exist.
    Kept,
    /// Campaigns that were deleted.
    Deleted,
}

impl ListPartition {
    fn filter(self) -> &'static str {
        match self {
            ListPartition::Kept => "STATUS_NOT_DELETE",
            ListPartition::Deleted => "STATUS_DELETE",
        }
    }

    /// Whether it may hold something that was asked for.
    pub(super) fn is_asked_for(self, request: &ListRequest) -> bool {
        let has = |status| request.statuses.contains(status);
        match self {
            ListPartition::Kept => {
                [CampaignStatus::Active, CampaignStatus::Paused, CampaignStatus::Unspecified].into_iter().any(has)
            }
            ListPartition::Deleted => has(CampaignStatus::Archived),
        }
    }
}

/// A campaign of a page.
pub(in crate::platforms::gamma) struct Row {
    /// Where it stands in our order.
    pub(in crate::platforms::gamma) key: Key,
    /// The campaign.
    pub(in crate::platforms::gamma) campaign: Campaign,
}

/// One page of a partition in the platform's order, and how many pages there are. A row that cannot be read is `None`
/// and keeps its place.
pub(in crate::platforms::gamma) async fn read_page(
    session: &Session,
    partition: ListPartition,
    number: usize,
    size: usize,
) -> Result<(Vec<Option<Row>>, usize), Error> {
    let page = rows(session, partition, None, number, size).await?;
    let pages = page.page_info.as_ref().and_then(PageInfo::pages);
    let rows = page.rows()?;
    // Where the platform does not say how many pages there are, a full one is not the last.
    let pages = pages.unwrap_or(number + usize::from(rows.len() >= size));
    let read = readable(Platform::Gamma, &rows, |row| read(session, partition, row))?;
    if !is_newest_first(&read) {
        return Err(unreadable("a list out of order"));
    }
    Ok((read, pages))
}

/// Whether no row is newer than one before it by more than [`SKEW`].
fn is_newest_first(rows: &[Option<Row>]) -> bool {
    let mut oldest: Option<Timestamp> = None;
    rows.iter().flatten().filter_map(|row| row.key.made).all(|made| {
        let fits = oldest.is_none_or(|oldest| made.duration_since(oldest) <= SKEW);
        oldest = Some(oldest.map_or(made, |oldest| oldest.min(made)));
        fits
    })
}

/// One campaign of a partition.
pub(super) async fn find(session: &Session, partition: ListPartition, id: Id) -> Result<Option<Campaign>, Error> {
    let rows = rows(session, partition, Some(id), 1, 1).await?.rows()?;
    let Some(row) = rows.first() else { return Ok(None) };
    let Row { key, campaign } = read(session, partition, row)?;
    if key.id != id {
        return Err(unreadable("another campaign than the one that was asked for"));
    }
    Ok(Some(campaign))
}

fn read(session: &Session, partition: ListPartition, row: &RawValue) -> Result<Row, Error> {
    let campaign = campaign(&session.account, row.get(), partition == ListPartition::Deleted)?;
    let id = Id::parse(&campaign.remote_id).ok_or_else(|| unreadable("a campaign without an id"))?;
    Ok(Row { key: Key { made: campaign.created_at, id }, campaign })
}

/// TikTok API for Business: Get campaigns. All fields come back, because none is named.
async fn rows(
    session: &Session,
    partition: ListPartition,
    only: Option<Id>,
    number: usize,
    size: usize,
) -> Result<Page<Box<RawValue>>, Error> {
    let filter = CampaignFilter { primary_status: partition.filter(), campaign_ids: only.map(|id| [id.to_string()]) };
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
