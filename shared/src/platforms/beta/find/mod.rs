//! Evidence that a create made a campaign. The platform has no place for a marker, and names may repeat: a campaign
//! is known by its name, its budget and its age, among all campaigns that can be listed.

use super::translate::{has_unknown_budget, listed};
use super::{Beta, api};
use crate::platforms::prelude::*;

/// Rows that are requested in one call, the platform's maximum.
const PAGE_SIZE: usize = 200;

impl Find for Beta {
    /// The platform has no search by name: all campaigns that can be listed are read.
    fn find_request(
        &self,
        account: &AdAccount,
        _: &CampaignDraft,
        token: Option<&str>,
    ) -> Result<OutboundRequest, Error> {
        let statuses = api::effective_statuses(StatusSet::of(&CampaignStatus::ALL)).unwrap_or_default();
        api::listing(&account.id, &statuses, PAGE_SIZE, token)
    }

    fn read_page(&self, _: &str, response: &OutboundResponse) -> Result<Page, Error> {
        api::read_page(response)
    }

    fn read_row(&self, account: &AdAccount, row: &RawValue, now: Timestamp) -> Result<Option<PlatformCampaign>, Error> {
        listed(account, row.get(), now).map(Some).map_err(|error| errors::account_error(Platform::Beta, error))
    }

    /// A campaign without a time of creation may be an old one, even if it fits.
    fn evidence(&self, campaign: &PlatformCampaign, draft: &CampaignDraft, marker: &Marker) -> Result<Evidence, Error> {
        let is_undated = campaign.created_at.is_none() && marker.fits(campaign, draft);
        Ok(Evidence::by_draft(campaign, draft, marker, is_undated || has_unknown_budget(campaign)))
    }
}

#[cfg(test)]
mod tests;
