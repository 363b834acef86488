//! Evidence that a create made a campaign. The platform has no place for a marker: a campaign is known by its exact
//! name, its budget and its age.

use super::{Delta, api, query, translate};
use crate::platforms::prelude::*;

impl Find for Delta {
    fn find_request(
        &self,
        account: &AdAccount,
        draft: &CampaignDraft,
        token: Option<&str>,
    ) -> Result<OutboundRequest, Error> {
        Ok(api::page_request(&query::campaigns_named(&account.id, &draft.name)?, token))
    }

    fn read_page(&self, _: &str, response: &OutboundResponse) -> Result<Page, Error> {
        api::read_page(response)
    }

    fn read_row(&self, account: &AdAccount, row: &RawValue, _: Timestamp) -> Result<Option<PlatformCampaign>, Error> {
        translate::campaign(account, row.get())
    }

    /// Every campaign has a budget and a time of creation; a missing one could not be read.
    fn evidence(&self, campaign: &PlatformCampaign, draft: &CampaignDraft, marker: &Marker) -> Result<Evidence, Error> {
        let is_undated = campaign.created_at.is_none() && marker.fits(campaign, draft);
        Ok(Evidence::by_draft(campaign, draft, marker, campaign.budget_amount.is_none() || is_undated))
    }
}

#[cfg(test)]
mod tests;
