//! Reads campaigns, and lists them newest first, then by descending id.
//!
//! The adapter has its own list, because it merges two lists of the platform. Ids do not increase with time (recorded
//! live, 2026-07), and the platform pages by number, so rows shift when campaigns are created or deleted. A position is
//! therefore a campaign's creation time and id, with the row's index as a hint where to start reading.

mod position;
mod scan;

use super::api::{self, API, ListPartition, PageRequest};
use super::translate::campaign;
use super::wire::Id;
use crate::platforms::prelude::*;
use futures_util::future::join_all;
use position::{Key, Position};
use scan::{Reader, Scan};
use std::collections::BTreeMap;

/// A campaign on a page, after its place in our order.
type Row = (Key, PlatformCampaign);

/// Reads one page of all partitions that may hold a requested status, without the spend.
pub(super) async fn page(session: &AccountSession, request: &ListRequest) -> Result<CampaignPage, Error> {
    let after = request.after.as_deref().map(Position::read).transpose()?;
    let partitions = ListPartition::ALL.into_iter().filter(|partition| partition.may_hold(request.statuses));
    let reads = partitions.map(|partition| Reader { session, request, partition, after }.scan());
    // Both are read to their end: the headers of either may ask for a pause.
    let scans: Vec<Scan> = join_all(reads).await.into_iter().collect::<Result<_, _>>()?;
    let is_whole = scans.iter().all(|scan| scan.is_whole);
    // The hint works only for one partition in which every row has a creation time. Otherwise the next page is read
    // from the start.
    let has_places = scans.len() == 1 && !scans.iter().any(|scan| scan.has_undated);
    let found = in_order(scans);
    if found.is_empty() && !is_whole {
        return Err(errors::endless(Platform::Gamma));
    }
    let found = found.into_iter().rev().map(|(key, (place, campaign))| {
        let position = Position { key, place: if has_places { place } else { 0 } };
        (campaign, position.to_string())
    });
    Ok(CampaignPage::of(found.collect(), request.limit, is_whole))
}

/// The campaigns whose place is certain: no unread row can come before them. A campaign that was deleted between two
/// reads counts as deleted.
fn in_order(mut scans: Vec<Scan>) -> BTreeMap<Key, (usize, PlatformCampaign)> {
    let mut found = BTreeMap::new();
    for scan in &mut scans {
        found.append(&mut scan.found);
    }
    found.retain(|key, _| scans.iter().all(|scan| scan.is_in_order(key)));
    found
}

/// Reads one page of a partition in the platform's order, and the number of pages. An unreadable row is `None` and
/// keeps its place.
async fn read_page(session: &AccountSession, page: PageRequest) -> Result<(Vec<Option<Row>>, usize), Error> {
    let (rows, pages) = rows(session, page).await?;
    Ok((readable(Platform::Gamma, &rows, |row| read(session, page.partition, row))?, pages))
}

/// Reads one campaign, without the spend, from the first of the partitions that has it.
pub(super) async fn find(
    session: &AccountSession,
    partitions: [ListPartition; 2],
    id: Id,
) -> Result<(ListPartition, PlatformCampaign), Error> {
    for partition in partitions {
        if let Some(found) = find_in(session, partition, id).await? {
            return Ok((partition, found));
        }
    }
    Err(Error::not_found("campaign"))
}

async fn find_in(
    session: &AccountSession,
    partition: ListPartition,
    id: Id,
) -> Result<Option<PlatformCampaign>, Error> {
    let (rows, _) = rows(session, PageRequest { partition, only: Some(id), number: 1, size: 1 }).await?;
    let Some(row) = rows.first() else { return Ok(None) };
    let (key, campaign) = read(session, partition, row)?;
    if key.id != id {
        return Err(unreadable(Platform::Gamma, "another campaign than the requested one"));
    }
    Ok(Some(campaign))
}

async fn rows(session: &AccountSession, page: PageRequest) -> Result<(Vec<Box<RawValue>>, usize), Error> {
    let response = Client::of(&API, session).read(api::campaigns(&session.account.id, page)?).await?;
    api::read_campaigns(&response, page.number, page.size)
}

fn read(session: &AccountSession, partition: ListPartition, row: &RawValue) -> Result<Row, Error> {
    let campaign = campaign(&session.account, row.get(), partition == ListPartition::Deleted)?;
    Ok((Key { created_at: campaign.created_at, id: Id::of_campaign(&campaign.remote_id)? }, campaign))
}

#[cfg(test)]
mod tests;
