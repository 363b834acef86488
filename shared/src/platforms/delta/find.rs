//! Evidence that a create made a campaign. The platform has no place for a marker: a campaign is known by its exact
//! name, its budget and its age.

use crate::domain::{Campaign, CampaignDraft, Marker};
use crate::platforms::answers::may_fit;
use crate::platforms::engine::find::Evidence;

/// A campaign that may be the one, but has a field that cannot be read, is unclear.
pub(super) fn evidence(campaign: &Campaign, draft: &CampaignDraft, marker: &Marker) -> Evidence {
    // Every campaign has a budget and a time of creation; a missing one could not be read.
    let fits = marker.fits(campaign, draft);
    let is_unread = campaign.budget_amount.is_none() || (campaign.created_at.is_none() && fits);
    if may_fit(campaign, draft, marker, is_unread) {
        Evidence::Unclear
    } else if fits {
        Evidence::Fits
    } else {
        Evidence::Other
    }
}

#[cfg(test)]
mod tests;
