//! The approval of a change by a person.

use super::{Action, Change, ChangeId, ChangeState};
use crate::domain::{CampaignValues, Requester, sha256_hex};
use jiff::{SignedDuration, Timestamp};
use std::fmt::{self, Display, Formatter};
use uuid::Uuid;

/// A change that nobody has approved for this long expires.
const MAX_WAIT: SignedDuration = SignedDuration::from_hours(7 * 24);

/// Who decides on a change that waits for a person: a person, or a key in whose product the person has decided.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Approver {
    pub by: Requester,
    /// The person in the words of the key's product; `None` if `by` is the person.
    pub person: Option<String>,
    /// The request with the decision, so that two equal ones at one moment are two; `None` in older records.
    pub request: Option<Uuid>,
}

impl Approver {
    /// A person who decides with a request of their own.
    pub fn in_person(by: Requester, request: Uuid) -> Approver {
        Approver { by, person: None, request: Some(request) }
    }

    /// Whether both are the same person, or the same word of the same key, in whatever request.
    fn is_same(&self, other: &Approver) -> bool {
        self.by.is_same(&other.by) && self.person == other.person
    }
}

/// The approver in a message: `ada@example.com`, or `"shop42" (the API key "Product")`.
impl Display for Approver {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match &self.person {
            Some(person) => write!(f, "\"{person}\" ({})", self.by),
            None => self.by.fmt(f),
        }
    }
}

/// The approval of a change.
#[derive(Clone, Debug, PartialEq)]
pub struct Approval {
    pub by: Approver,
    pub at: Timestamp,
    /// The campaign as the person saw it; `None` for a create.
    pub seen: Option<CampaignValues>,
}

impl Approval {
    /// Identifies the campaign that a person saw when they decided on a change.
    pub fn version(change: ChangeId, seen: Option<&CampaignValues>) -> String {
        sha256_hex(&format!("{change} {seen:?}"))
    }

    /// Whether it is this decision: of the same approver, about the same campaign as it was seen.
    fn is_by(&self, change: ChangeId, by: &Approver, version: &str) -> bool {
        self.by.is_same(by) && Approval::version(change, self.seen.as_ref()) == version
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

    /// Whether this approver has approved the change before, as they have seen it in this version. Then asking again
    /// changes nothing.
    pub fn is_approved_by(&self, by: &Approver, version: &str) -> bool {
        self.approval.as_ref().is_some_and(|approval| approval.is_by(self.id, by, version))
    }

    /// The campaign before the change. Of one that waits for a person, it is the campaign as it was when they were asked.
    pub fn values_before(&self) -> Option<&CampaignValues> {
        self.before.as_ref().or(self.asked.as_ref())
    }

    /// The campaign after the change if it is made at this time, from these values before it. `None` after a removal, and
    /// where the values before an update are not known.
    pub fn values_after(&self, before: Option<&CampaignValues>, at: Timestamp) -> Option<CampaignValues> {
        match (&self.action, before) {
            (Action::Create(new), _) => Some(new.values(self.currency)),
            (Action::Update(changes), Some(before)) => Some(before.after(changes, at)),
            (Action::Update(_), None) | (Action::Delete, _) => None,
        }
    }

    /// Whether the change has waited for a person in vain.
    pub fn has_expired(&self, now: Timestamp) -> bool {
        self.state == ChangeState::AwaitingApproval && self.approval_until() <= now
    }
}
