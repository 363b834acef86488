//! Reads one campaign, and lists campaigns newest first, then by descending id.
//!
//! The adapter has its own list, because it merges two lists of the platform. Ids do not increase with time (recorded
//! live, 2026-07), and the platform pages by number, so rows shift when campaigns are created or deleted. A position is
//! therefore a campaign's creation time and id; the next page starts after it. It also holds the row's index, as a hint
//! where to start reading.

mod page;
mod position;
mod scan;

use super::api::ListPartition;
use super::spend;
use super::wire::Id;
use crate::platforms::prelude::*;
use futures_util::future::{join, try_join_all};
use page::find;
use position::{Key, Position};
use scan::{Scan, scan};
use std::collections::BTreeMap;

/// Reads one campaign, deleted or not.
pub(super) async fn one(session: &Session, remote_id: &str) -> Result<Campaign, Error> {
    let id = Id::of_campaign(remote_id)?;
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

/// Reads one page of all partitions that may hold a requested status, without the spend. Reads one more than the limit,
/// to know whether there is a next page.
async fn merged(session: &Session, request: &ListRequest) -> Result<CampaignPage, Error> {
    let after = request.after.as_deref().map(Position::read).transpose()?;
    let partitions = [ListPartition::Existing, ListPartition::Deleted];
    let partitions = partitions.into_iter().filter(|partition| partition.may_hold(request.statuses));
    let reads = partitions.map(|partition| scan(session, request, partition, after));
    let scans: Vec<Scan> = try_join_all(reads).await?;
    let is_whole = scans.iter().all(|scan| scan.is_whole);
    // The hint works only for one partition in which every row has a creation time. Otherwise the next page is read
    // from the start. The platform returns undated rows anywhere; they come last here.
    let has_places = scans.len() == 1 && !scans.iter().any(|scan| scan.has_undated);
    let found = in_order(scans);
    if found.is_empty() && !is_whole {
        return Err(unreadable(Platform::Gamma, "the list did not end within the allowed pages"));
    }
    let found = found.into_iter().rev().map(|(key, (place, campaign))| {
        let position = Position { key, place: if has_places { place } else { 0 } };
        (campaign, position.to_string())
    });
    Ok(CampaignPage::of(found.collect(), request.limit, is_whole))
}

/// The campaigns whose place is certain: no unread row can come before them. A campaign that was deleted between two
/// reads counts as deleted.
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
