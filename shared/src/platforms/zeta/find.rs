//! Evidence that a create made a campaign: the marker is the campaign's invoice label.
//!
//! Accounts that pay by credit card ignore the label (Reddit Ads API, OpenAPI description of 2026-08-06). There a
//! campaign is known by its name, budget and age, among those that carry no label of ours.

use super::translate::{budget, has_unknown_budget};
use super::wire;
use crate::domain::{Campaign, CampaignDraft, Marker, Platform};
use crate::error::Error;
use crate::platforms::answers::{may_fit, unreadable};
use crate::platforms::engine::find::Evidence;

/// Fails where a budget, an age or a label cannot be read: the campaign may be the one.
pub(super) fn evidence(campaign: &Campaign, draft: &CampaignDraft, marker: &Marker) -> Result<Evidence, Error> {
    let unreadable = |error| unreadable(Platform::Zeta, error);
    budget(&campaign.raw)?;
    let read: wire::Labelled = serde_json::from_str(&campaign.raw).map_err(unreadable)?;
    Ok(match read.invoice_label {
        Some(label) if label == marker.label() => Evidence::Marked,
        Some(label) if is_of_another_create(&label) => Evidence::Other,
        // Without a label, or with one that the advertiser put in its place.
        _ if marker.fits(campaign, draft) => Evidence::Fits,
        _ if may_fit(campaign, draft, marker, has_unknown_budget(campaign)) => Evidence::Unclear,
        _ => Evidence::Other,
    })
}

/// Recognizes a label in the form of our markers.
fn is_of_another_create(label: &str) -> bool {
    let number = label.strip_prefix("ua-");
    number.is_some_and(|number| number.len() == 16 && number.bytes().all(|digit| digit.is_ascii_hexdigit()))
}

#[cfg(test)]
mod tests;
