//! Evidence that a create made a campaign. The platform stores the marker and does not return it: a campaign is
//! known by its name, its budget and its age.

use super::api::SKEW;
use super::translate::has_unknown_budget;
use crate::domain::{Campaign, CampaignDraft, Marker};
use crate::platforms::answers::may_fit;
use crate::platforms::engine::find::Evidence;

/// A campaign that fits and has no creation time may be an old one.
pub(super) fn evidence(campaign: &Campaign, draft: &CampaignDraft, marker: &Marker) -> Evidence {
    let fits = marker.fits(campaign, draft);
    if may_fit(campaign, draft, marker, has_unknown_budget(campaign)) || (fits && campaign.created_at.is_none()) {
        Evidence::Unclear
    } else if fits {
        Evidence::Fits
    } else {
        Evidence::Other
    }
}

/// Recognizes a page with a row so old that no later row can be the campaign of the create.
pub(super) fn is_past(rows: &[Campaign], marker: &Marker) -> bool {
    let is_old = |created_at| marker.earliest().duration_since(created_at) > SKEW;
    rows.iter().any(|row| row.created_at.is_some_and(is_old))
}

#[cfg(test)]
mod tests;
