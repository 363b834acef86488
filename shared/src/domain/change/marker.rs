//! How the campaign of a create is recognized at its platform before its id is known.

use crate::domain::{CampaignDraft, CampaignValues, PlatformCampaign};
use jiff::{SignedDuration, Timestamp};

/// Maximum lag of a platform's clock behind ours.
const MAX_CLOCK_SKEW: SignedDuration = SignedDuration::from_mins(2);

/// Recognizes the campaign of a create at its platform before its id is known.
///
/// Platforms with a field for it receive the marker in the create. On the others a campaign matches by ad account,
/// name, budget, and age.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Marker {
    number: u64,
    created_at: Timestamp,
}

impl Marker {
    /// A marker of 63 of these bits, for a change that was created then.
    pub(super) fn new(bits: u128, created_at: Timestamp) -> Marker {
        let number = u64::try_from(bits & u128::from(i64::MAX.unsigned_abs())).unwrap_or_default();
        Marker { number: number | 1, created_at }
    }

    /// The marker as a positive number of 63 bits, equal for all attempts of a create.
    pub fn number(&self) -> u64 {
        self.number
    }

    /// The marker as a text of 19 letters, digits and a dash.
    pub fn label(&self) -> String {
        format!("ua-{:016x}", self.number)
    }

    /// The earliest creation time that the platform can report.
    pub fn earliest(&self) -> Timestamp {
        self.created_at - MAX_CLOCK_SKEW
    }

    /// Returns `true` if a campaign may be the result of this draft: same name without surrounding spaces, same budget,
    /// and not older than the change if the platform reports its age.
    pub fn fits(&self, campaign: &PlatformCampaign, draft: &CampaignDraft) -> bool {
        CampaignValues::of(campaign).are_of_draft(draft)
            && campaign.created_at.is_none_or(|made| made >= self.earliest())
    }
}
