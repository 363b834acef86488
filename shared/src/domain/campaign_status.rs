//! Statuses of campaigns.

/// Status of a campaign, as the advertiser set it: the values of both shapes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CampaignStatus {
    /// Switched on.
    Active,
    /// Switched off.
    Paused,
    /// Switched on, and past its end. Read only.
    Ended,
    /// Not launched yet. Read only.
    Draft,
    /// Removed or archived. Final.
    Archived,
    /// Removal is scheduled. Final.
    ScheduledForDeletion,
    /// A platform status without an equivalent here.
    Unspecified,
}

impl CampaignStatus {
    /// Every status.
    pub const ALL: [CampaignStatus; 7] = [
        CampaignStatus::Active,
        CampaignStatus::Paused,
        CampaignStatus::Ended,
        CampaignStatus::Draft,
        CampaignStatus::Archived,
        CampaignStatus::ScheduledForDeletion,
        CampaignStatus::Unspecified,
    ];

    /// Returns `true` if the status never changes again.
    pub fn is_final(self) -> bool {
        matches!(self, CampaignStatus::Archived | CampaignStatus::ScheduledForDeletion)
    }
}
