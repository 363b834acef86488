//! Finding what came of a create. The platform keeps the marker and does not show it; what fits is looked for in the
//! list of campaigns, which has those of every kind.

use super::fault::unreadable;
use super::list::{LARGEST_PAGE, Shelf, read_page};
use super::wire::Id;
use crate::domain::{Campaign, CampaignDraft, Marker};
use crate::error::Error;
use crate::platforms::Session;
use jiff::SignedDuration;
use rust_decimal::Decimal;

/// Most pages that are read.
const MAX_CALLS: usize = 30;
/// How much older than it could be a campaign must be, so that nothing behind it is looked at. The list is by falling
/// id. Ids rise with time, though not to the second, because they are given out by more than one machine; a day also
/// covers a time that is not of the zone that is believed.
const MARGIN: SignedDuration = SignedDuration::from_hours(24);

/// The campaigns that may have come of a create and were not deleted since, the oldest first.
pub(super) async fn created(session: &Session, draft: &CampaignDraft, marker: &Marker) -> Result<Vec<Campaign>, Error> {
    let mut found = Vec::new();
    for number in 1..=MAX_CALLS {
        let (rows, pages) = read_page(session, Shelf::Kept, number, LARGEST_PAGE).await?;
        let made_last = rows.last().and_then(|(_, campaign)| campaign.created_at);
        let is_old = made_last.is_some_and(|made| made < marker.earliest() - MARGIN);
        let is_last = rows.is_empty() || number >= pages || is_old;
        found.extend(rows.into_iter().filter(|(_, campaign)| marker.fits(campaign, draft)));
        if is_last {
            return oldest_first(found);
        }
    }
    Err(unreadable("a list without an end"))
}

fn oldest_first(mut found: Vec<(Id, Campaign)>) -> Result<Vec<Campaign>, Error> {
    // Without its time it may be an old one.
    if found.iter().any(|(_, campaign)| campaign.created_at.is_none()) {
        return Err(unreadable("a campaign without the time at which it was made"));
    }
    found.sort_by_key(|(id, _)| *id);
    // Rows move down when campaigns are made meanwhile, and are then read twice.
    found.dedup_by_key(|(id, _)| *id);
    let new = |campaign| Campaign { total_spend_amount: Some(Decimal::ZERO), ..campaign };
    Ok(found.into_iter().map(|(_, campaign)| new(campaign)).collect())
}

#[cfg(test)]
mod tests;
