//! The search for the campaign of a create. Every page is read, and an unclear campaign does not count as absence.

use crate::domain::{Campaign, CampaignStatus, Platform};
use crate::error::Error;
use crate::platforms::answers::unreadable;
use rust_decimal::Decimal;

/// The relation of a campaign to the create that is searched for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Evidence {
    /// It carries the create's marker.
    Marked,
    /// It has the draft's name and budget, and is new enough.
    Fits,
    /// It may be the one: a field that decides cannot be read. To ignore it would allow a second create.
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

    /// The marked campaigns, or, where there is none, those that fit; the oldest first, each once.
    pub(super) fn result(self, platform: Platform) -> Result<Vec<Campaign>, Error> {
        if self.marked.is_empty() && self.is_unclear {
            return Err(unreadable(platform, "a campaign that may have come of the create cannot be read"));
        }
        let mut found = if self.marked.is_empty() { self.fitting } else { self.marked };
        // Ids are numbers, and a longer id is later.
        found.sort_by_cached_key(|found| (found.created_at, found.remote_id.len(), found.remote_id.clone()));
        // A campaign that moves while pages are read may be on two of them.
        found.dedup_by(|later, earlier| later.remote_id == earlier.remote_id);
        Ok(found.into_iter().map(unspent).collect())
    }
}

/// A new campaign is paused, and has spent nothing while it is. Its spend is not read.
fn unspent(campaign: Campaign) -> Campaign {
    let is_paused = campaign.status == CampaignStatus::Paused;
    Campaign { total_spend_amount: is_paused.then_some(Decimal::ZERO), ..campaign }
}
