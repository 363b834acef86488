//! Evidence that a create made a campaign. The platform stores the marker and does not return it: a campaign is
//! known by its name, its budget and its age.

use super::Gamma;
use super::api::{self, LARGEST_PAGE, ListPartition, PageRequest, SKEW};
use super::translate::{self, has_unknown_budget};
use crate::platforms::prelude::*;
use url::Url;

impl Find for Gamma {
    /// The platform has no filter by name: all campaigns that are not deleted are read, newest first. The token of a
    /// page is its number.
    fn find_request(
        &self,
        account: &AdAccount,
        _: &CampaignDraft,
        token: Option<&str>,
    ) -> Result<OutboundRequest, Error> {
        let number = token.map_or(Ok(1), str::parse).map_err(Error::internal)?;
        let page = PageRequest { partition: ListPartition::Existing, only: None, number, size: LARGEST_PAGE };
        api::campaigns(&account.id, page)
    }

    fn read_page(&self, called: &str, response: &OutboundResponse) -> Result<Page, Error> {
        let called = Url::parse(called).map_err(Error::internal)?;
        let number = called.query_pairs().find(|(name, _)| name == "page").and_then(|(_, number)| number.parse().ok());
        let number: usize = number.ok_or_else(|| Error::internal("a page without a number"))?;
        let (rows, pages) = api::read_campaigns(response, number, LARGEST_PAGE)?;
        let next = (!rows.is_empty() && number < pages).then(|| (number + 1).to_string());
        Ok(Page { rows, next })
    }

    fn read_row(&self, account: &AdAccount, row: &RawValue, _: Timestamp) -> Result<Option<PlatformCampaign>, Error> {
        translate::campaign(account, row.get(), false).map(Some)
    }

    /// A campaign that fits and has no creation time may be an old one.
    fn evidence(&self, campaign: &PlatformCampaign, draft: &CampaignDraft, marker: &Marker) -> Result<Evidence, Error> {
        let is_undated = campaign.created_at.is_none() && marker.fits(campaign, draft);
        Ok(Evidence::by_draft(campaign, draft, marker, has_unknown_budget(campaign) || is_undated))
    }

    /// A page with a row so old that no later row can be the campaign of the create.
    fn is_past(&self, rows: &[PlatformCampaign], marker: &Marker) -> bool {
        let is_old = |created_at| marker.earliest().duration_since(created_at) > SKEW;
        rows.iter().any(|row| row.created_at.is_some_and(is_old))
    }
}

#[cfg(test)]
mod tests;
