//! Reads one campaign, and lists campaigns newest first, then by falling id.
//!
//! The list is this adapter's own, because it merges two lists of the platform. Ids do not rise with time (recorded
//! live, 2026-07), so an id alone does not say which campaigns are older. The platform pages by number, and rows move
//! when campaigns are created or deleted meanwhile. So a position is the creation time and the id of a campaign, below
//! which the next page begins. The position also has the place of the row, which is only a hint where to start reading.

mod page;
mod position;
mod scan;

use super::fault::unreadable;
use super::partition::ListPartition;
use super::spend;
use super::wire::Id;
use crate::domain::Campaign;
use crate::error::Error;
use crate::platforms::engine::call::Session;
use crate::platforms::engine::list::{CampaignPage, ListRequest};
use futures_util::future::{join, try_join_all};
use page::find;
use position::{Key, Position};
use scan::{Scan, scan};
use std::collections::BTreeMap;

/// One campaign, deleted or not.
pub(super) async fn one(session: &Session, remote_id: &str) -> Result<Campaign, Error> {
    let id = Id::parse(remote_id).ok_or_else(|| Error::not_found("campaign"))?;
    let ids = [remote_id];
    let (existing, report) = join(find(session, ListPartition::Existing, id), spend::of(session, &ids, false)).await;
    let (mut campaign, report) = match existing? {
        Some(campaign) => (campaign, report?),
        None => {
            let deleted = find(session, ListPartition::Deleted, id).await?;
            (deleted.ok_or_else(|| Error::not_found("campaign"))?, spend::of(session, &ids, true).await?)
        }
    };
    spend::fill(&mut campaign, report.as_ref());
    Ok(campaign)
}

/// One page.
pub(super) async fn campaigns(session: &Session, request: &ListRequest) -> Result<CampaignPage, Error> {
    let mut page = merged(session, request).await?;
    let ids: Vec<&str> = page.campaigns.iter().map(|campaign| campaign.remote_id.as_str()).collect();
    let report = spend::of(session, &ids, ListPartition::Deleted.may_hold(request.statuses)).await?;
    page.campaigns.iter_mut().for_each(|campaign| spend::fill(campaign, report.as_ref()));
    Ok(page)
}

/// One page of all partitions that may hold a requested state, without the spend. Reads one campaign beyond the limit,
/// which proves that there are more.
async fn merged(session: &Session, request: &ListRequest) -> Result<CampaignPage, Error> {
    let after = request.after.as_deref().map(Position::read).transpose()?;
    let partitions = [ListPartition::Existing, ListPartition::Deleted];
    let partitions = partitions.into_iter().filter(|partition| partition.may_hold(request.statuses));
    let reads = partitions.map(|partition| scan(session, request, partition, after));
    let scans: Vec<Scan> = try_join_all(reads).await?;
    let is_whole = scans.iter().all(|scan| scan.is_whole);
    // A place says nothing about the other partition, nor about a row without a time, which comes last here and
    // anywhere at the platform. The next page is then read from the start.
    let has_places = scans.len() == 1 && !scans.iter().any(|scan| scan.has_undated);
    let found = in_order(scans);
    if found.is_empty() && !is_whole {
        return Err(unreadable("a list without an end"));
    }
    let found = found.into_iter().rev().map(|(key, (place, campaign))| {
        let position = Position { key, place: if has_places { place } else { 0 } };
        (campaign, position.to_string())
    });
    Ok(CampaignPage::of(found.collect(), request.limit, is_whole))
}

/// The campaigns that no unread row of any partition can precede. A campaign that was deleted between two reads counts
/// as deleted.
fn in_order(mut scans: Vec<Scan>) -> BTreeMap<Key, (usize, Campaign)> {
    let mut found = BTreeMap::new();
    for scan in &mut scans {
        found.append(&mut scan.found);
    }
    found.retain(|key, _| scans.iter().all(|scan| scan.is_in_order(key)));
    found
}

#[cfg(test)]
mod tests;
