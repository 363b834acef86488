//! The approval of a change by a person.

use super::{Change, ChangeId, ChangeState};
use crate::domain::sha256_hex;
use crate::domain::{CampaignValues, Requester};
use jiff::{SignedDuration, Timestamp};

/// A change that nobody has approved for this long expires.
const MAX_WAIT: SignedDuration = SignedDuration::from_hours(7 * 24);

/// The approval of a change.
#[derive(Clone, Debug, PartialEq)]
pub struct Approval {
    /// The person.
    pub by: Requester,
    pub at: Timestamp,
    /// The campaign as the person saw it; `None` for a create.
    pub seen: Option<CampaignValues>,
}

impl Approval {
    /// Identifies the campaign that a person saw when they decided on a change.
    pub fn version(change: ChangeId, seen: Option<&CampaignValues>) -> String {
        sha256_hex(&format!("{change} {seen:?}"))
    }
}

impl Change {
    /// The time until which a person can approve the change: within seven days, and before the time for which it is
    /// scheduled.
    pub fn approval_until(&self) -> Timestamp {
        // One of many was asked for when its attempt found that it needs a person.
        let until = self.created_at().max(self.send_deadline) + MAX_WAIT;
        self.apply_at.map_or(until, |apply_at| apply_at.min(until))
    }

    /// The campaign before the change. Of one that waits for a person, it is the campaign as it was when they were asked.
    pub fn values_before(&self) -> Option<&CampaignValues> {
        self.before.as_ref().or(self.asked.as_ref())
    }

    /// Whether the change has waited for a person in vain.
    pub fn has_expired(&self, now: Timestamp) -> bool {
        self.state == ChangeState::AwaitingApproval && self.approval_until() <= now
    }
}
