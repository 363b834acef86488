//! Evidence that a create made a campaign. The search is by name, which is unique among the campaigns that are not
//! removed.
//!
//! The platform does not say how old a campaign is, so one that runs or has spent money counts as older than the
//! create. If it is the create's after all, the platform's own rule keeps a second one from being created.

use super::{Alpha, api, query, translate, wire};
use crate::platforms::prelude::*;

impl Find for Alpha {
    fn find_request(
        &self,
        account: &AdAccount,
        draft: &CampaignDraft,
        token: Option<&str>,
    ) -> Result<OutboundRequest, Error> {
        let query = query::named(&draft.name).ok_or_else(|| Error::internal("a name that no campaign can have"))?;
        api::search_request(&account.id, &query, token)
    }

    fn read_page(&self, _: &str, response: &OutboundResponse) -> Result<Page, Error> {
        api::read_complete_page(response)
    }

    fn read_row(&self, account: &AdAccount, row: &RawValue, _: Timestamp) -> Result<Option<PlatformCampaign>, Error> {
        translate::campaign(account, row.get()).map(Some)
    }

    fn evidence(&self, campaign: &PlatformCampaign, draft: &CampaignDraft, marker: &Marker) -> Result<Evidence, Error> {
        let hides_budget = serde_json::from_str::<wire::BudgetOfRow>(&campaign.raw).is_err();
        let has_spent = campaign.total_spend_amount.is_some_and(|spent| !spent.is_zero());
        let is_new = campaign.status == CampaignStatus::Paused && !has_spent;
        Ok(if hides_budget || campaign.name.trim().is_empty() {
            Evidence::Unclear
        } else if is_new && marker.fits(campaign, draft) {
            Evidence::Fits
        } else {
            Evidence::Other
        })
    }
}

#[cfg(test)]
mod tests;
