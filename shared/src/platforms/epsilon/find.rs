//! The campaigns that may have come of a create. The platform has no place for a marker and no search by name, so that
//! a campaign is known by its exact name, its budget and its age, among all that the ad account has.
//!
//! Names are not unique: two campaigns of one name, made 8 seconds apart, were recorded live, 2026-07. All that fit are
//! found. The time of the last change says nothing: it is later than that of creation right after the create.

use super::client::{Client, LARGEST_PAGE, number};
use super::fault::unreadable;
use super::translate::{self, entity_statuses, has_unknown_budget};
use crate::domain::{Campaign, CampaignDraft, CampaignStatus, Marker, StatusSet};
use crate::error::Error;
use crate::platforms::Session;
use crate::platforms::answers::{may_fit, unspent};
use serde_json::value::RawValue;

/// Most pages that are read: ten thousand campaigns.
const MAX_PAGES: usize = 40;

/// The campaigns in any state that may have come of a create of the draft, the oldest first.
pub(super) async fn created(session: &Session, draft: &CampaignDraft, marker: &Marker) -> Result<Vec<Campaign>, Error> {
    let statuses = entity_statuses(StatusSet::of(&CampaignStatus::ALL));
    let (client, account) = (Client::of(session), &session.account);
    let (mut found, mut bookmark) = (Vec::new(), None);
    for _ in 0..MAX_PAGES {
        let page = client.campaigns(&account.id, &statuses, LARGEST_PAGE, bookmark.as_deref()).await?;
        let mut rows = Vec::with_capacity(page.items.len());
        for row in &page.items {
            rows.extend(read(session, row, draft, marker)?);
        }
        bookmark = page.bookmark;
        let is_end = bookmark.is_none() || is_older(&rows, marker);
        found.extend(rows.into_iter().filter(|campaign| marker.fits(campaign, draft)));
        if is_end {
            return Ok(oldest_first(found));
        }
    }
    Err(unreadable("a list without an end"))
}

/// A campaign of the account. One whose name, budget or age cannot be read may be the one that the create made: to pass
/// over it would allow a second create.
fn read(session: &Session, row: &RawValue, draft: &CampaignDraft, marker: &Marker) -> Result<Option<Campaign>, Error> {
    translate::budget(row.get())?;
    translate::created_at(row.get())?;
    let found = translate::found(&session.account, row.get(), session.call.now)?;
    if found.as_ref().is_some_and(|campaign| may_fit(campaign, draft, marker, has_unknown_budget(campaign))) {
        return Err(unreadable("a campaign whose name or budget cannot be read"));
    }
    Ok(found)
}

/// Whether what we look for cannot come behind these campaigns any more.
///
/// The list is by falling id, and a higher id is of a newer campaign: behind one that is older than the create there
/// are only older ones. A whole page of them is asked for, in the order that was asked for, so that two ids which were
/// given out at nearly the same time may stand in either order.
///
/// Parameter `order` of <https://developers.pinterest.com/docs/api/v5/campaigns-list/>
fn is_older(rows: &[Campaign], marker: &Marker) -> bool {
    let is_older = |row: &Campaign| row.created_at.is_some_and(|made| made < marker.earliest());
    let is_falling = rows.is_sorted_by(|first, second| number(&first.remote_id) > number(&second.remote_id));
    !rows.is_empty() && is_falling && rows.iter().all(is_older)
}

fn oldest_first(mut found: Vec<Campaign>) -> Vec<Campaign> {
    found.sort_by_key(|campaign| (campaign.created_at, number(&campaign.remote_id)));
    found.dedup_by(|later, earlier| later.remote_id == earlier.remote_id);
    found.into_iter().map(unspent).collect()
}

#[cfg(test)]
mod tests;
