//! Evidence that a create made a campaign. The search is by name, which is unique among the campaigns that are not
//! removed.
//!
//! The platform does not say how old a campaign is, so one that runs or has spent money counts as older than the
//! create. If it is the create's after all, the platform's own rule keeps a second one from being created.

use super::translate::hides_budget;
use crate::domain::{Campaign, CampaignDraft, CampaignStatus, Marker};
use crate::platforms::engine::find::Evidence;

pub(super) fn evidence(campaign: &Campaign, draft: &CampaignDraft, marker: &Marker) -> Evidence {
    let is_new =
        campaign.status == CampaignStatus::Paused && campaign.total_spend_amount.is_none_or(|spent| spent.is_zero());
    if hides_budget(&campaign.raw) || campaign.name.trim().is_empty() {
        Evidence::Unclear
    } else if is_new && marker.fits(campaign, draft) {
        Evidence::Fits
    } else {
        Evidence::Other
    }
}

#[cfg(test)]
mod tests;
