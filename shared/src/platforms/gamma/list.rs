//! Reading one campaign, and listing by falling time, then by falling id.
//!
//! Ids do not rise with time (recorded live, 2026-07), so that an id alone says nothing about what was made before it.
//! The platform pages by number, and rows move when campaigns are made or deleted meanwhile. So a position is the time
//! and the id of a campaign, below which the next page begins, and beside it the place where its row was: only a hint
//! where to look first, however wrong it may have become.

mod page;
mod position;
mod scan;

use super::fault::unreadable;
use super::spend;
use super::wire::Id;
use crate::domain::Campaign;
use crate::error::Error;
use crate::platforms::{CampaignPage, ListRequest, Session};
use futures_util::future::{join, try_join_all};
use page::find;
pub(super) use page::{LARGEST_PAGE, ListPartition, Row, SKEW, read_page};
use position::{Key, Position};
use scan::{Scan, scan};
use std::collections::BTreeMap;

/// One campaign, deleted or not.
pub(super) async fn one(session: &Session, remote_id: &str) -> Result<Campaign, Error> {
    let id = Id::parse(remote_id).ok_or_else(|| Error::not_found("campaign"))?;
    let ids = [remote_id];
    let (kept, report) = join(find(session, ListPartition::Kept, id), spend::of(session, &ids, false)).await;
    let (mut campaign, report) = match kept? {
        Some(campaign) => (campaign, report?),
        None => {
            let deleted = find(session, ListPartition::Deleted, id).await?;
            (deleted.ok_or_else(|| Error::not_found("campaign"))?, spend::of(session, &ids, true).await?)
        }
    };
    spend::fill(&mut campaign, report.as_ref());
    Ok(campaign)
}

/// One page. Looks for one campaign more than the limit, so that it is certain whether there are more.
pub(super) async fn campaigns(session: &Session, request: &ListRequest) -> Result<CampaignPage, Error> {
    let mut page = merged(session, request).await?;
    let ids: Vec<&str> = page.campaigns.iter().map(|campaign| campaign.remote_id.as_str()).collect();
    let report = spend::of(session, &ids, ListPartition::Deleted.is_asked_for(request)).await?;
    page.campaigns.iter_mut().for_each(|campaign| spend::fill(campaign, report.as_ref()));
    Ok(page)
}

/// One page of all partitions that were asked for, without what the campaigns have spent.
async fn merged(session: &Session, request: &ListRequest) -> Result<CampaignPage, Error> {
    let after = request.after.as_deref().map(Position::read).transpose()?;
    let partitions = [ListPartition::Kept, ListPartition::Deleted];
    let partitions: Vec<_> = partitions.into_iter().filter(|partition| partition.is_asked_for(request)).collect();
    let reads = partitions.iter().map(|partition| scan(session, request, *partition, after));
    let scans: Vec<Scan> = try_join_all(reads).await?;
    let is_whole = scans.iter().all(|scan| scan.is_whole);
    // A place says nothing about the other partition, nor about a row that comes last wherever the platform has it:
    // the next page then looks from the start.
    let has_places = scans.len() == 1 && !scans.iter().any(|scan| scan.has_undated);
    let settled = settled(scans);
    if settled.is_empty() && !is_whole {
        return Err(unreadable("a list without an end"));
    }
    let has_more = settled.len() > request.limit || !is_whole;
    let shown = settled.into_iter().rev().take(request.limit);
    let shown = shown.map(|(key, (place, campaign))| {
        let position = Position { key, place: if has_places { place } else { 0 } };
        (campaign, position.to_string())
    });
    let (campaigns, positions) = shown.unzip();
    Ok(CampaignPage { campaigns, positions, has_more })
}

/// The campaigns that nothing in any partition can come before any more. One that was deleted between two reads counts
/// as deleted.
fn settled(mut scans: Vec<Scan>) -> BTreeMap<Key, (usize, Campaign)> {
    let mut found = BTreeMap::new();
    for scan in &mut scans {
        found.append(&mut scan.found);
    }
    found.retain(|key, _| scans.iter().all(|scan| scan.is_settled(key)));
    found
}

#[cfg(test)]
mod tests;
