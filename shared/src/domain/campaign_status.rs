//! Statuses of campaigns.

use super::variants;
use serde::{Deserialize, Serialize};
use strum::{EnumString, IntoStaticStr, VariantArray};

/// Status of a campaign, as the advertiser set it: the values of both shapes.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, strum::Display, EnumString, IntoStaticStr, VariantArray, Serialize, Deserialize,
)]
#[strum(serialize_all = "SCREAMING_SNAKE_CASE")]
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
    pub const ALL: [CampaignStatus; 7] = variants();

    /// The name in the table. The shapes have names of their own.
    pub fn as_str(self) -> &'static str {
        self.into()
    }

    /// Parses the name in the table.
    pub fn parse(name: &str) -> Option<CampaignStatus> {
        name.parse().ok()
    }

    /// The status as somebody has set it: a campaign past its end is still switched on.
    #[must_use]
    pub fn switched(self) -> CampaignStatus {
        if self == CampaignStatus::Ended { CampaignStatus::Active } else { self }
    }

    /// Returns `true` if the status never changes again.
    pub fn is_final(self) -> bool {
        matches!(self, CampaignStatus::Archived | CampaignStatus::ScheduledForDeletion)
    }
}
