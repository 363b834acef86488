//! Evidence that a create made a campaign. The platform has no place for a marker, and names may repeat: a campaign
//! is known by its name, its budget and its age, among all campaigns that can be listed.

use super::translate::has_unknown_budget;
use crate::domain::{Campaign, CampaignDraft, Marker};
use crate::platforms::answers::may_fit;
use crate::platforms::engine::find::Evidence;

/// Rows that are requested in one call, the platform's maximum.
pub(super) const PAGE_SIZE: usize = 200;

pub(super) fn evidence(campaign: &Campaign, draft: &CampaignDraft, marker: &Marker) -> Evidence {
    if marker.fits(campaign, draft) {
        // A campaign without a time of creation may be an old one.
        if campaign.created_at.is_some() { Evidence::Fits } else { Evidence::Unclear }
    } else if may_fit(campaign, draft, marker, has_unknown_budget(campaign)) {
        Evidence::Unclear
    } else {
        Evidence::Other
    }
}

#[cfg(test)]
mod tests;
