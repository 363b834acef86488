//! Evidence that a create made a campaign: the marker is the campaign's invoice label.
//!
//! Accounts that pay by credit card ignore the label (Reddit Ads API, OpenAPI description of 2026-08-06). There a
//! campaign is known by its name, budget and age, among those that carry no label of ours.

use super::translate::{self, has_unknown_budget, read_budget};
use super::{Zeta, api, wire};
use crate::platforms::prelude::*;

impl Find for Zeta {
    /// The platform has no filters: all campaigns of the ad account are read.
    fn find_request(
        &self,
        account: &AdAccount,
        _: &CampaignDraft,
        token: Option<&str>,
    ) -> Result<OutboundRequest, Error> {
        Ok(api::page_request(&api::of_account(&account.id, "campaigns")?, api::PAGE_SIZE, token))
    }

    fn read_page(&self, called: &str, response: &OutboundResponse) -> Result<Page, Error> {
        api::read_page(called, response)
    }

    fn read_row(&self, account: &AdAccount, row: &RawValue, _: Timestamp) -> Result<Option<PlatformCampaign>, Error> {
        translate::campaign(account, row).map(Some)
    }

    /// Fails where a budget, an age or a label cannot be read: the campaign may be the one.
    fn evidence(&self, campaign: &PlatformCampaign, draft: &CampaignDraft, marker: &Marker) -> Result<Evidence, Error> {
        read_budget(&campaign.raw)?;
        let read: Result<wire::Labelled, _> = serde_json::from_str(&campaign.raw);
        let read = read.map_err(|error| unreadable(Platform::Zeta, error))?;
        Ok(match read.invoice_label {
            Some(label) if label == marker.label() => Evidence::Marked,
            Some(label) if is_of_another_create(&label) => Evidence::Other,
            // Without a label, or with one that the advertiser put in its place.
            _ => Evidence::by_draft(campaign, draft, marker, has_unknown_budget(campaign)),
        })
    }
}

/// Recognizes a label in the form of our markers.
fn is_of_another_create(label: &str) -> bool {
    let number = label.strip_prefix("ua-");
    number.is_some_and(|number| number.len() == 16 && number.bytes().all(|digit| digit.is_ascii_hexdigit()))
}

#[cfg(test)]
mod tests;
