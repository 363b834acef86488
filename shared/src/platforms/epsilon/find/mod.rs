//! Finds the campaign of a create. The platform has no place for a marker and no search by name: a campaign is known by
//! its exact name, its budget and its age, among all campaigns of the ad account.
//!
//! Names are not unique: two campaigns of one name, created 8 seconds apart, were recorded live, 2026-07. All that fit
//! are found. The time of the last change proves nothing: it is later than that of creation right after the create.

use super::translate::{found, has_unknown_budget, instant, read_budget};
use super::wire::{self, number};
use super::{Epsilon, api};
use crate::platforms::prelude::*;

impl Find for Epsilon {
    /// All campaigns in any state are read.
    fn find_request(
        &self,
        account: &AdAccount,
        _: &CampaignDraft,
        token: Option<&str>,
    ) -> Result<OutboundRequest, Error> {
        let statuses = api::entity_statuses(StatusSet::of(&CampaignStatus::ALL));
        api::campaigns_page(&account.id, &statuses, api::LARGEST_PAGE, token)
    }

    fn read_page(&self, _: &str, response: &OutboundResponse) -> Result<Page, Error> {
        api::read_page(response)
    }

    fn read_row(&self, account: &AdAccount, row: &RawValue, now: Timestamp) -> Result<Option<PlatformCampaign>, Error> {
        found(account, row.get(), now)
    }

    /// Fails where a budget or an age cannot be read: the campaign may be the one.
    fn evidence(&self, campaign: &PlatformCampaign, draft: &CampaignDraft, marker: &Marker) -> Result<Evidence, Error> {
        read_budget(&campaign.raw)?;
        let creation: Result<wire::CreationTime, _> = serde_json::from_str(&campaign.raw);
        instant(creation.map_err(|error| unreadable(Platform::Epsilon, error))?.created_time)?;
        Ok(Evidence::by_draft(campaign, draft, marker, has_unknown_budget(campaign)))
    }

    /// The list is by falling id, and a higher id is of a newer campaign (parameter `order` of
    /// <https://developers.pinterest.com/docs/api/v5/campaigns-list/>). A whole page of older campaigns is required, in
    /// the requested order, because two ids given out at nearly the same time may be in either order.
    fn is_past(&self, rows: &[PlatformCampaign], marker: &Marker) -> bool {
        let is_older = |row: &PlatformCampaign| row.created_at.is_some_and(|made| made < marker.earliest());
        let is_falling = rows.is_sorted_by(|first, second| number(&first.remote_id) > number(&second.remote_id));
        !rows.is_empty() && is_falling && rows.iter().all(is_older)
    }
}

#[cfg(test)]
mod tests;
