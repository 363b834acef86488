//! What a list of campaigns asks for.

use super::{CampaignStatus, Platform};

/// A set of campaign states: one word of a shape may stand for several of ours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StatusSet(u8);

impl StatusSet {
    /// Exactly these.
    pub fn of(statuses: &[CampaignStatus]) -> StatusSet {
        StatusSet(statuses.iter().fold(0, |set, status| set | Self::bit(*status)))
    }

    /// What a list shows without a status filter: all but the removed ones.
    pub fn not_final() -> StatusSet {
        let kept = CampaignStatus::ALL.into_iter().filter(|status| !status.is_final());
        StatusSet(kept.fold(0, |set, status| set | Self::bit(status)))
    }

    /// Whether it holds this one.
    pub fn contains(self, status: CampaignStatus) -> bool {
        self.0 & Self::bit(status) != 0
    }

    /// The set as a number, for the list's cursor.
    pub fn bits(self) -> u8 {
        self.0
    }

    fn bit(status: CampaignStatus) -> u8 {
        1 << (status as u8)
    }
}

/// The filters of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListFilters {
    /// Only this platform.
    pub platform: Option<Platform>,
    /// Only this ad account.
    pub account_id: Option<String>,
    /// Only these states.
    pub statuses: StatusSet,
}
