//! The search for a created campaign. It reads every page, and never treats an unclear campaign as absent.

use crate::domain::{Campaign, CampaignStatus, Platform};
use crate::error::Error;
use crate::platforms::answers::unreadable;
use rust_decimal::Decimal;

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

/// Collects campaigns by their evidence.
#[derive(Debug, Default)]
pub(super) struct Search {
    marked: Vec<Campaign>,
    fitting: Vec<Campaign>,
    is_unclear: bool,
}

impl Search {
    pub(super) fn add(&mut self, evidence: Evidence, campaign: Campaign) {
        match evidence {
            Evidence::Marked => self.marked.push(campaign),
            Evidence::Fits => self.fitting.push(campaign),
            Evidence::Unclear => self.is_unclear = true,
            Evidence::Other => {}
        }
    }

    /// The marked campaigns or, if there are none, those that fit; oldest first, without duplicates.
    pub(super) fn result(self, platform: Platform) -> Result<Vec<Campaign>, Error> {
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
fn unspent(campaign: Campaign) -> Campaign {
    let is_paused = campaign.status == CampaignStatus::Paused;
    Campaign { total_spend_amount: is_paused.then_some(Decimal::ZERO), ..campaign }
}
