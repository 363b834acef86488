//! Evidence that a create made a campaign. The platform has no place for a marker and no search by name: a campaign
//! is known by its exact name, its budget and its age, among all campaigns of the ad account.
//!
//! Names are not unique: two campaigns of one name, created 8 seconds apart, were recorded live, 2026-07. All that fit
//! are found. The time of the last change proves nothing: it is later than that of creation right after the create.

use super::translate::{budget, created_at, has_unknown_budget};
use super::wire::number;
use crate::domain::{Campaign, CampaignDraft, Marker};
use crate::error::Error;
use crate::platforms::answers::may_fit;
use crate::platforms::engine::find::Evidence;

/// Fails where a budget or an age cannot be read: the campaign may be the one.
pub(super) fn evidence(campaign: &Campaign, draft: &CampaignDraft, marker: &Marker) -> Result<Evidence, Error> {
    budget(&campaign.raw)?;
    created_at(&campaign.raw)?;
    Ok(if may_fit(campaign, draft, marker, has_unknown_budget(campaign)) {
        Evidence::Unclear
    } else if marker.fits(campaign, draft) {
        Evidence::Fits
    } else {
        Evidence::Other
    })
}

/// Returns `true` if every campaign after this page is older than the create.
///
/// The list is by falling id, and a higher id is of a newer campaign. A whole page of older campaigns is required, in
/// the order that was requested, because two ids that were given out at nearly the same time may be in either order.
///
/// Parameter `order` of <https://developers.pinterest.com/docs/api/v5/campaigns-list/>
pub(super) fn is_past(rows: &[Campaign], marker: &Marker) -> bool {
    let is_older = |row: &Campaign| row.created_at.is_some_and(|made| made < marker.earliest());
    let is_falling = rows.is_sorted_by(|first, second| number(&first.remote_id) > number(&second.remote_id));
    !rows.is_empty() && is_falling && rows.iter().all(is_older)
}

#[cfg(test)]
mod tests;
