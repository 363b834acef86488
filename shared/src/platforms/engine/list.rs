//! Lists: what their six kinds of cursor have in common. A cursor continues after any campaign of a page, whatever the
//! platform's own pages are; each adapter knows how, because the platforms differ in it.

use crate::domain::{Campaign, StatusSet};
use crate::error::Error;

/// The most pages of the platform that are read for one page of ours.
pub const MAX_PAGES: usize = 20;

/// A request for one page of an account's campaigns.
#[derive(Clone, Debug)]
pub struct ListRequest {
    /// States to include.
    pub statuses: StatusSet,
    /// At most this many, at least 1.
    pub limit: usize,
    /// A position of an earlier page.
    pub after: Option<String>,
}

/// One page of an account's campaigns.
#[derive(Debug, Default)]
pub struct CampaignPage {
    /// Campaigns in the platform's order, newest first where it can order so.
    pub campaigns: Vec<Campaign>,
    /// A cursor for each campaign: `positions[i]` continues after `campaigns[i]`.
    pub positions: Vec<String>,
    /// Whether there are more after the last one.
    pub has_more: bool,
}

impl CampaignPage {
    /// The first `limit` of the campaigns that were found, each with its position. One that was found beyond the limit
    /// proves that there are more; so does a reading that stopped before the end.
    pub fn of(mut found: Vec<(Campaign, String)>, limit: usize, is_end: bool) -> CampaignPage {
        let has_more = found.len() > limit || !is_end;
        found.truncate(limit);
        let (campaigns, positions) = found.into_iter().unzip();
        CampaignPage { campaigns, positions, has_more }
    }
}

/// The error of a position that this list did not return.
pub fn invalid_cursor() -> Error {
    Error::field("cursor", "is invalid or belongs to another filter; start again without it")
}
