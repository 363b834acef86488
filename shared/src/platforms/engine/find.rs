//! The search for a created campaign. It reads every page, and never treats an unclear campaign as absent.

use super::page::Page;
use crate::domain::{AdAccount, CampaignDraft, CampaignStatus, Marker, Platform, PlatformCampaign};
use crate::error::Error;
use crate::outbound::{OutboundRequest, OutboundResponse};
use crate::platforms::errors::unreadable;
use jiff::Timestamp;
use rust_decimal::Decimal;
use serde_json::value::RawValue;

/// The search for a created campaign, as requests, pages and evidence. Pure.
pub trait Find {
    /// The request for one page of the campaigns to search for a created draft.
    fn find_request(
        &self,
        account: &AdAccount,
        draft: &CampaignDraft,
        token: Option<&str>,
    ) -> Result<OutboundRequest, Error>;

    /// Reads a page of campaigns. `called` is the URL that was requested.
    fn read_page(&self, called: &str, response: &OutboundResponse) -> Result<Page, Error>;

    /// Reads a campaign from a row; `None` if the campaign must not be shown.
    fn read_row(&self, account: &AdAccount, row: &RawValue, now: Timestamp) -> Result<Option<PlatformCampaign>, Error>;

    /// How well a campaign matches a create: evidence for or against.
    fn evidence(&self, campaign: &PlatformCampaign, draft: &CampaignDraft, marker: &Marker) -> Result<Evidence, Error>;

    /// Whether the search can stop: no later page can hold the created campaign.
    fn is_past(&self, _: &[PlatformCampaign], _: &Marker) -> bool {
        false
    }
}

/// How well a campaign matches the create that is searched for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Evidence {
    /// It carries the create's marker.
    Marked,
    /// It has the draft's name and budget, and is new enough.
    Fits,
    /// It may match: a deciding field cannot be read. Ignoring it would allow a second create.
    Unclear,
    /// It is another campaign.
    Other,
}

impl Evidence {
    /// The evidence of a campaign without a marker: its name, its budget and its age. `is_unclear` says that a deciding
    /// field of it cannot be read. A search without a result then proves nothing.
    pub fn by_draft(campaign: &PlatformCampaign, draft: &CampaignDraft, marker: &Marker, is_unclear: bool) -> Evidence {
        let name = campaign.name.trim();
        let is_new = campaign.created_at.is_none_or(|created| created >= marker.earliest());
        if is_new && (name.is_empty() || (is_unclear && name == draft.name.trim())) {
            Evidence::Unclear
        } else if marker.fits(campaign, draft) {
            Evidence::Fits
        } else {
            Evidence::Other
        }
    }
}

/// Collects campaigns by their evidence.
#[derive(Debug, Default)]
pub(super) struct Search {
    marked: Vec<PlatformCampaign>,
    fitting: Vec<PlatformCampaign>,
    is_unclear: bool,
}

impl Search {
    pub(super) fn add(&mut self, evidence: Evidence, campaign: PlatformCampaign) {
        match evidence {
            Evidence::Marked => self.marked.push(campaign),
            Evidence::Fits => self.fitting.push(campaign),
            Evidence::Unclear => self.is_unclear = true,
            Evidence::Other => {}
        }
    }

    /// The marked campaigns or, if there are none, those that fit; oldest first, without duplicates.
    pub(super) fn result(self, platform: Platform) -> Result<Vec<PlatformCampaign>, Error> {
        if self.marked.is_empty() && self.is_unclear {
            return Err(unreadable(platform, "a campaign that may be the created one cannot be read"));
        }
        let mut found = if self.marked.is_empty() { self.fitting } else { self.marked };
        // Ids are numbers, so a longer id is a later one.
        found.sort_by_cached_key(|found| (found.created_at, found.remote_id.len(), found.remote_id.clone()));
        // A campaign that moves while pages are read may appear on two of them.
        found.dedup_by(|later, earlier| later.remote_id == earlier.remote_id);
        Ok(found.into_iter().map(unspent).collect())
    }
}

/// A paused new campaign has spent nothing, so its spend is not read.
fn unspent(campaign: PlatformCampaign) -> PlatformCampaign {
    let is_paused = campaign.status == CampaignStatus::Paused;
    PlatformCampaign { total_spend_amount: is_paused.then_some(Decimal::ZERO), ..campaign }
}
