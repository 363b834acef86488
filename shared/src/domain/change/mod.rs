//! Changes: the record of everything that is done to a campaign.
//!
//! A change is stored before it is sent, and kept until its outcome is known and for a year. So a create is never sent
//! twice, and nothing happens to a campaign unseen.

mod approval;
mod capacity;
mod combined;
mod create;
mod fields;
mod filters;
mod id;
mod inverse;
mod marker;
mod new;
mod outcome;
mod requester;
mod schedule;
mod transitions;

pub use approval::{Approval, Approver};
pub use capacity::{CapacityError, MAX_AWAITING, MAX_SCHEDULED, WaitRequest, WaitingChange, check_capacity};
pub use combined::{Undoable, undo_all};
pub use create::Create;
pub use fields::{ChangedFields, EditedFields};
pub(in crate::domain) use filters::is_same;
pub use filters::{ChangeFilters, ChangeStatus, ReadBy};
pub use id::ChangeId;
pub use inverse::{Inverse, named_period};
pub use marker::Marker;
pub use new::{Attempt, ChangeOrigin, ChangeTarget, Purpose};
pub use outcome::{CampaignValues, ChangeError, ChangeState};
pub use requester::{Executor, Requester};
pub use schedule::is_schedulable;
pub use transitions::{Ending, NextLook, Settlement, Transition};

use super::{
    AmountAsText, BudgetPeriod, BulkId, CampaignChanges, CampaignDraft, CampaignId, CampaignStatus, ConnectionId,
    Currency, CustomerId, ExternalRef, KeyId, Platform, Reference, variants,
};
use jiff::civil::Date;
use jiff::{SignedDuration, Timestamp};
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};
use serde_with::{serde_as, skip_serializing_none};
use strum::{EnumString, IntoStaticStr, VariantArray};
use uuid::Uuid;

/// Time after the send deadline in which a platform may still carry out what was sent.
const GRACE: SignedDuration = SignedDuration::from_secs(30);
/// Retention of a change.
const RETENTION: SignedDuration = SignedDuration::from_hours(365 * 24);
/// A change in use is renewed once it is older than this.
const RENEWAL_AGE: SignedDuration = SignedDuration::from_hours(24);

/// The action of a change.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    Create(NewCampaign),
    Update(CampaignChanges),
    /// Removes the campaign.
    Delete,
}

/// The fields that only a create has.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NewCampaign {
    pub draft: CampaignDraft,
    /// The start of the draft, if the service holds it.
    pub held_start_at: Option<Timestamp>,
    /// The end of the draft, if the service holds it.
    pub held_end_at: Option<Timestamp>,
    /// The monthly budget that the service holds; the draft has the daily budget of its first day.
    pub monthly: Option<NewMonthlyBudget>,
}

/// A monthly budget of a new campaign.
#[serde_as]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NewMonthlyBudget {
    /// In major units of the account's currency.
    #[serde_as(as = "AmountAsText")]
    pub amount: Decimal,
    /// The day of the account on which the daily budget of the draft is right.
    pub day: Date,
}

/// The kind of a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::Display, EnumString, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "snake_case")]
pub enum ChangeKind {
    Create,
    Update,
    Delete,
}

/// A change of one campaign in one ad account.
#[derive(Clone, Debug, PartialEq)]
pub struct Change {
    pub id: ChangeId,
    pub customer: CustomerId,
    pub platform: Platform,
    pub account_id: String,
    /// The connection at the time of the request.
    pub connection: ConnectionId,
    /// Currency of the ad account.
    pub currency: Currency,
    /// The campaign; `None` until it is created.
    pub campaign: Option<CampaignId>,
    pub action: Action,
    /// The values that the change was computed from. The campaign must have these or the new ones. `None` for a change
    /// that depends on nothing.
    pub only_if: Option<CampaignChanges>,
    /// The request that asked for it.
    pub request: Uuid,
    pub requested_by: Requester,
    /// Who sends it to the platform.
    pub executed_by: Executor,
    /// The approval by a person, of a change that needed one and has it.
    pub approval: Option<Approval>,
    /// The campaign at the time at which a person was asked to approve the change; `None` for a create.
    pub asked: Option<CampaignValues>,
    pub state: ChangeState,
    /// The time for which it was scheduled; `None` for one that was sent at once.
    pub apply_at: Option<Timestamp>,
    /// Whether it is for a value that the service holds: the start or the end of its campaign, or its monthly budget.
    pub is_held: bool,
    /// Whether it is a step of a monthly budget, which follows from the amount that somebody asked for.
    pub is_step: bool,
    /// Whether its attempt counts against the spending limit of a key: the one that is stopped, or that asked for it.
    pub is_limited: bool,
    /// The user against whose spending limit its attempt counts: that of the connection when the attempt began.
    pub limited_user: Option<ExternalRef>,
    /// The key whose stop pauses the campaign.
    pub stops: Option<KeyId>,
    /// The campaign before the change, as the platform reported it; `None` if it was not read, or for a create.
    pub before: Option<CampaignValues>,
    /// The campaign after the change; `None` without one, or if it was not read.
    pub after: Option<CampaignValues>,
    /// Number of the latest attempt, the only one that may send.
    pub attempt: i64,
    /// End of the latest attempt. It sends nothing from then on.
    pub send_deadline: Timestamp,
    /// Start of the latest attempt.
    pub sent_at: Option<Timestamp>,
    /// The time at which its outcome was stored.
    pub settled_at: Option<Timestamp>,
    /// Expiry of the record, unless it is renewed.
    pub expires_at: Timestamp,
    /// What events have reported of it before its outcome.
    pub told: ReportedStates,
    /// When maintenance processes it next.
    pub next_look: NextLook,
    /// Rises with each transition: a write requires the version before. 0 in records that are older than versions.
    pub version: i64,
    /// The caller's own reference, of the request or of the target of a create.
    pub reference: Option<Reference>,
    /// Digest of the request's `Idempotency-Key`. The key's record must outlive an unknown outcome of a create.
    pub key_digest: Option<String>,
    /// The user of the connection at the time of the request.
    pub external_ref: Option<ExternalRef>,
}

/// What events have reported of a change before its outcome, so that each is reported once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReportedStates {
    /// The latest attempt that was reported as unknown.
    pub in_doubt: Option<i64>,
    /// Whether it was reported that the change waits although its time is over.
    pub late: bool,
}

impl NewCampaign {
    /// The campaign that the create makes, with the dates and the monthly budget that the service holds.
    pub fn values(&self, currency: Currency) -> CampaignValues {
        let NewCampaign { draft, held_start_at, held_end_at, monthly } = self;
        let values = CampaignValues::of_draft(draft, currency);
        let monthly = monthly.map(|monthly| (Some(monthly.amount), Some(BudgetPeriod::Monthly)));
        let (budget_amount, budget_period) = monthly.unwrap_or((values.budget_amount, values.budget_period));
        CampaignValues { budget_amount, budget_period, start_at: *held_start_at, end_at: *held_end_at, ..values }
    }
}

impl Action {
    /// The kind of the action.
    pub fn kind(&self) -> ChangeKind {
        match self {
            Action::Create(_) => ChangeKind::Create,
            Action::Update(_) => ChangeKind::Update,
            Action::Delete => ChangeKind::Delete,
        }
    }

    /// Whether it pauses its campaign.
    pub fn pauses(&self) -> bool {
        self.sets(CampaignStatus::Paused)
    }

    fn sets(&self, status: CampaignStatus) -> bool {
        matches!(self, Action::Update(changes) if changes.status == Some(status))
    }
}

impl ChangeKind {
    /// Every kind.
    pub const ALL: [ChangeKind; 3] = variants();

    /// The name in the API: `create`.
    pub fn as_str(self) -> &'static str {
        self.into()
    }

    /// Parses the name.
    pub fn parse(name: &str) -> Option<ChangeKind> {
        name.parse().ok()
    }
}

impl Change {
    /// Time of the request.
    pub fn created_at(&self) -> Timestamp {
        self.id.created_at()
    }

    /// The time from which it could be sent: that of the request, or of the approval. No effect of this change is older.
    pub fn began_at(&self) -> Timestamp {
        self.approval.as_ref().map_or(self.created_at(), |approval| approval.at)
    }

    /// Expiry of a change that is stored or renewed now.
    pub fn expiry_from(now: Timestamp) -> Timestamp {
        now.checked_add(RETENTION).unwrap_or(Timestamp::MAX)
    }

    /// Returns `true` if a change in use needs a renewal: about once a day.
    pub fn needs_renewal(&self, now: Timestamp) -> bool {
        self.expires_at < Self::expiry_from(now) - RENEWAL_AGE
    }

    /// The time from which a read or a search of the platform proves the outcome of the latest attempt.
    pub fn conclusive_from(&self) -> Timestamp {
        self.send_deadline + GRACE
    }

    /// Whether an event has reported that the outcome of the latest attempt is unknown.
    pub fn is_unknown_reported(&self) -> bool {
        self.told.in_doubt == Some(self.attempt)
    }

    /// Who asks for the change.
    pub fn origin(&self) -> ChangeOrigin {
        ChangeOrigin {
            request: self.request,
            requested_by: self.requested_by.clone(),
            reference: self.reference.clone(),
            key_digest: self.key_digest.clone(),
        }
    }

    /// What the change is about.
    pub fn target(&self) -> ChangeTarget {
        ChangeTarget {
            customer: self.customer,
            platform: self.platform,
            account_id: self.account_id.clone(),
            connection: self.connection.clone(),
            currency: self.currency,
            campaign: self.campaign.clone(),
            external_ref: self.external_ref.clone(),
        }
    }

    /// Whether the change waits, for its time or for a person.
    pub fn is_open(&self) -> bool {
        matches!(self.state, ChangeState::Scheduled | ChangeState::AwaitingApproval)
    }

    /// Whether its attempt counts against a spending limit.
    pub fn is_counted(&self) -> bool {
        self.is_limited || self.limited_user.is_some()
    }

    /// Whether the change activates its campaign.
    pub fn activates(&self) -> bool {
        self.action.sets(CampaignStatus::Active)
    }

    /// Whether the change pauses its campaign.
    pub fn pauses(&self) -> bool {
        self.action.pauses()
    }

    /// Whether a campaign may run against the request until the change has an outcome: one that it pauses, or a new one that
    /// its platform has made active.
    pub fn may_leave_running(&self) -> bool {
        self.pauses() || matches!(self.action, Action::Create(_)) && self.campaign.is_some()
    }

    /// Whether the change has started its campaign, which did not run before.
    pub fn has_started_campaign(&self) -> bool {
        let (Action::Update(changes), Some(before)) = (&self.action, &self.before) else { return false };
        before.is_started_by(&changes.clone().against(before), self.sent_at.unwrap_or(self.created_at()))
    }

    /// Whether a waiting change is canceled when its key is stopped or deleted. A pause that this service holds, and
    /// one of a stop, end what a key has started, so they stay. A pause of a bulk change stays: it adds nothing, and may be
    /// that of a user. A step of a monthly budget stays too: somebody else may run its campaign.
    pub fn ends_with_its_key(&self) -> bool {
        let is_held_pause = self.is_held && self.pauses();
        self.stops.is_none() && !self.is_step && !is_held_pause && !self.is_bulk_pause()
    }

    /// The bulk change that it is a part of: that of its request.
    pub fn bulk(&self) -> Option<BulkId> {
        (self.executed_by == Executor::Bulk).then_some(BulkId(self.request))
    }

    /// Whether it is a pause of a bulk change, which depends on nothing. One that undoes an activation is not.
    pub fn is_bulk_pause(&self) -> bool {
        self.executed_by == Executor::Bulk && self.pauses() && self.only_if.is_none()
    }
}
