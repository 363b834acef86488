//! The states that callers see, and the filters of a list.

use super::{Change, ChangeId, ChangeKind, ChangeState};
use crate::domain::{CampaignId, KeyId, PersonId, variants};
use jiff::Timestamp;
use strum::{EnumString, IntoStaticStr, VariantArray};

/// The state of a change, as callers see it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::Display, EnumString, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "snake_case")]
pub enum ChangeStatus {
    /// Waiting for its time.
    Scheduled,
    /// Waiting for a person to approve it.
    AwaitingApproval,
    /// On its way to the platform.
    Sending,
    /// Without a clear outcome: the platform is read until it is known.
    Unknown,
    Applied,
    PartlyApplied,
    Failed,
    Canceled,
    /// A person has rejected it.
    Rejected,
    /// Nobody approved it in time.
    Expired,
}

impl ChangeStatus {
    /// Every state.
    pub const ALL: [ChangeStatus; 10] = variants();

    /// The name in the API: `partly_applied`.
    pub fn as_str(self) -> &'static str {
        self.into()
    }

    /// Whether the state never changes again, but for a create that is sent again.
    pub fn is_final(self) -> bool {
        match self {
            ChangeStatus::Scheduled
            | ChangeStatus::AwaitingApproval
            | ChangeStatus::Sending
            | ChangeStatus::Unknown => false,
            ChangeStatus::Applied
            | ChangeStatus::PartlyApplied
            | ChangeStatus::Failed
            | ChangeStatus::Canceled
            | ChangeStatus::Rejected
            | ChangeStatus::Expired => true,
        }
    }

    /// Parses the name.
    pub fn parse(name: &str) -> Option<ChangeStatus> {
        name.parse().ok()
    }
}

impl Change {
    /// The state that callers see. A change whose last attempt is over without an outcome is `unknown`, and one that
    /// nobody approved in time is `expired`, whether or not maintenance has come to it.
    pub fn status(&self, now: Timestamp) -> ChangeStatus {
        match &self.state {
            ChangeState::Scheduled => ChangeStatus::Scheduled,
            ChangeState::AwaitingApproval if now < self.approval_until() => ChangeStatus::AwaitingApproval,
            ChangeState::AwaitingApproval | ChangeState::Expired => ChangeStatus::Expired,
            ChangeState::Sending if now < self.send_deadline => ChangeStatus::Sending,
            ChangeState::Sending => ChangeStatus::Unknown,
            ChangeState::Applied => ChangeStatus::Applied,
            ChangeState::PartlyApplied(_) => ChangeStatus::PartlyApplied,
            ChangeState::Failed(_) => ChangeStatus::Failed,
            ChangeState::Canceled(_) => ChangeStatus::Canceled,
            ChangeState::Rejected(_) => ChangeStatus::Rejected,
        }
    }
}

/// Filters of `listChanges`. A filter of `None` accepts every change.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ChangeFilters {
    /// At or after this time.
    pub from: Option<Timestamp>,
    /// Before this time.
    pub to: Option<Timestamp>,
    pub campaign: Option<CampaignId>,
    pub status: Option<ChangeStatus>,
    pub kind: Option<ChangeKind>,
    /// Requested with this key.
    pub api_key: Option<KeyId>,
    /// Requested by this person.
    pub person: Option<PersonId>,
}

impl ChangeFilters {
    /// Returns `true` if the filters are on what a query reads by: time and campaign.
    pub fn only_by_key(&self) -> bool {
        let ChangeFilters { from: _, to: _, campaign: _, status, kind, api_key, person } = self;
        status.is_none() && kind.is_none() && api_key.is_none() && person.is_none()
    }

    /// Returns `true` if a change with this id is within the time range.
    pub fn time_range_contains(&self, id: ChangeId) -> bool {
        self.from.is_none_or(|from| id >= ChangeId::first_at(from))
            && self.to.is_none_or(|to| id < ChangeId::first_at(to))
    }

    /// Returns `true` if a change passes all filters but those of time.
    pub fn accept(&self, change: &Change, now: Timestamp) -> bool {
        let ChangeFilters { from: _, to: _, campaign, status, kind, api_key, person } = self;
        campaign.as_ref().is_none_or(|campaign| change.campaign.as_ref() == Some(campaign))
            && status.is_none_or(|status| change.status(now) == status)
            && kind.is_none_or(|kind| change.action.kind() == kind)
            && api_key.as_ref().is_none_or(|key| change.requested_by.is_key(key))
            && person.as_ref().is_none_or(|person| change.requested_by.is_person(person))
    }
}
