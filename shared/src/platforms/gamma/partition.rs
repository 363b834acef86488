//! The two lists of campaigns. The platform keeps deleted campaigns in a list of their own.

use crate::domain::{CampaignStatus, StatusSet};

/// One of the lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ListPartition {
    /// Campaigns that are not deleted.
    Existing,
    /// Deleted campaigns.
    Deleted,
}

impl ListPartition {
    /// The platform's filter.
    pub(super) fn primary_status(self) -> &'static str {
        match self {
            ListPartition::Existing => "STATUS_NOT_DELETE",
            ListPartition::Deleted => "STATUS_DELETE",
        }
    }

    /// Returns `true` if the partition can have a campaign in one of the states.
    pub(super) fn may_hold(self, statuses: StatusSet) -> bool {
        use CampaignStatus::{Active, Archived, Paused, Unspecified};
        match self {
            ListPartition::Existing => {
                [Active, Paused, Unspecified].into_iter().any(|status| statuses.contains(status))
            }
            ListPartition::Deleted => statuses.contains(Archived),
        }
    }
}
