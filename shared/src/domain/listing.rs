//! Filters of `listCampaigns`.

use super::{CampaignStatus, Platform};

/// A set of campaign statuses. One name in a filter may stand for several statuses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StatusSet(u8);

impl StatusSet {
    /// The set of these statuses.
    pub fn of(statuses: &[CampaignStatus]) -> StatusSet {
        StatusSet(statuses.iter().fold(0, |set, status| set | Self::bit(*status)))
    }

    /// The default filter: all statuses but the final ones.
    pub fn not_final() -> StatusSet {
        let shown = CampaignStatus::ALL.into_iter().filter(|status| !status.is_final());
        StatusSet(shown.fold(0, |set, status| set | Self::bit(status)))
    }

    /// Returns `true` if the set contains a status.
    pub fn contains(self, status: CampaignStatus) -> bool {
        self.0 & Self::bit(status) != 0
    }

    /// The set as a bit field, for the cursor.
    pub fn bits(self) -> u8 {
        self.0
    }

    fn bit(status: CampaignStatus) -> u8 {
        1 << (status as u8)
    }
}

/// Filters of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListFilters {
    /// Only this platform.
    pub platform: Option<Platform>,
    /// Only this ad account.
    pub account_id: Option<String>,
    /// Only these statuses.
    pub statuses: StatusSet,
}
