//! Finding what came of a create. The platform keeps the marker and does not show it; what fits is looked for in the
//! list of campaigns, which has those of every kind.

use super::fault::unreadable;
use super::list::{LARGEST_PAGE, ListPartition, Row, SKEW, read_page};
use super::translate::has_unknown_budget;
use crate::domain::{Campaign, CampaignDraft, Marker};
use crate::error::Error;
use crate::platforms::Session;
use crate::platforms::answers::{may_fit, unspent};

/// Most pages that are read.
const MAX_CALLS: usize = 30;

/// The campaigns that may have come of a create and were not deleted since, the oldest first.
pub(super) async fn created(session: &Session, draft: &CampaignDraft, marker: &Marker) -> Result<Vec<Campaign>, Error> {
    let mut found = Vec::new();
    for number in 1..=MAX_CALLS {
        let (rows, pages) = read_page(session, ListPartition::Kept, number, LARGEST_PAGE).await?;
        // A campaign that cannot be read may be the one: to pass over it would allow a second create.
        let rows: Option<Vec<Row>> = rows.into_iter().collect();
        let rows = rows.ok_or_else(|| unreadable("a campaign that cannot be read"))?;
        let is_last = rows.is_empty() || number >= pages || rows.iter().any(|row| is_behind(row, marker));
        if rows.iter().any(|Row { campaign, .. }| may_fit(campaign, draft, marker, has_unknown_budget(campaign))) {
            return Err(unreadable("a campaign whose budget or name cannot be read"));
        }
        found.extend(rows.into_iter().filter(|row| marker.fits(&row.campaign, draft)));
        if is_last {
            return oldest_first(found);
        }
    }
    Err(unreadable("a list without an end"))
}

/// Whether a row is so old that no row behind it can have come of the create.
fn is_behind(row: &Row, marker: &Marker) -> bool {
    row.key.made.is_some_and(|made| marker.earliest().duration_since(made) > SKEW)
}

fn oldest_first(mut found: Vec<Row>) -> Result<Vec<Campaign>, Error> {
    // Without its time it may be an old one.
    if found.iter().any(|row| row.key.made.is_none()) {
        return Err(unreadable("a campaign without the time at which it was made"));
    }
    found.sort_by_key(|row| row.key);
    // Rows move down when campaigns are made meanwhile, and are then read twice.
    found.dedup_by_key(|row| row.key);
    Ok(found.into_iter().map(|row| unspent(row.campaign)).collect())
}

#[cfg(test)]
mod tests;
