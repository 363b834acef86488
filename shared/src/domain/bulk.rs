//! Bulk changes: one status for many campaigns, their budgets, or the undo of such a change or of a set of changes.

use super::{
    CampaignId, CampaignStatus, ChangeError, ChangeId, ChangeOrigin, Connection, ConnectionId, CustomerId, ExternalRef,
    Percent, Platform, Reference, Requester,
};
use jiff::{SignedDuration, Timestamp};
use rust_decimal::Decimal;
use std::fmt;
use uuid::Uuid;

/// Prefix of the text form of an id.
const PREFIX: &str = "blk_";
/// An ad account that cannot be listed is tried for this long.
const GIVE_UP_AFTER: SignedDuration = SignedDuration::from_hours(24);
/// Shortest wait between two attempts to list an ad account.
const MIN_PAUSE: SignedDuration = SignedDuration::from_mins(1);
/// Longest wait between two attempts to list an ad account.
const MAX_PAUSE: SignedDuration = SignedDuration::from_hours(1);

/// Most campaigns that a request may name.
pub const MAX_BULK_IDS: usize = 500;

/// Identifies a bulk change: `blk_` and the id of its request, in 32 hexadecimal digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BulkId(pub Uuid);

impl BulkId {
    /// Parses the text form.
    pub fn parse(text: &str) -> Option<BulkId> {
        let id = BulkId(Uuid::try_parse(text.strip_prefix(PREFIX)?).ok()?);
        (id.to_string() == text).then_some(id)
    }
}

impl fmt::Display for BulkId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{PREFIX}{}", self.0.simple())
    }
}

/// What a bulk change does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BulkAction {
    /// Sets the status: ACTIVE or PAUSED.
    Status(CampaignStatus),
    /// Changes budgets by a percentage.
    Percent(Percent),
    /// Sets budgets, each to an amount of its own, which its change has.
    Budgets,
    /// Undoes this other bulk change.
    Undo(BulkId),
    /// Undoes a set of changes, which its ad accounts name.
    UndoSet,
}

impl BulkAction {
    /// Whether it pauses campaigns.
    pub fn pauses(self) -> bool {
        self == BulkAction::Status(CampaignStatus::Paused)
    }
}

/// A budget that somebody asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewBudget {
    pub campaign: CampaignId,
    /// In major units of the account's currency.
    pub amount: Decimal,
    /// The amount that they have seen. A campaign that has another one is not changed.
    pub from: Option<Decimal>,
}

/// A campaign that a bulk change could not change, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefusedCampaign {
    pub campaign: CampaignId,
    pub error: ChangeError,
}

/// Whether an ad account's campaigns were listed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Listing {
    /// Not all of its campaigns have been read yet. The error is that of the last attempt.
    Pending(Option<ChangeError>),
    /// Each campaign that the action fits has a change.
    Listed,
    /// Its campaigns are not read any more: they could not be for a day, or the bulk change was undone.
    Failed(ChangeError),
}

/// A bulk change in one ad account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BulkAccount {
    pub bulk: BulkId,
    pub customer: CustomerId,
    pub platform: Platform,
    pub account_id: String,
    pub connection: ConnectionId,
    /// The user of the connection when the bulk change was asked for.
    pub external_ref: Option<ExternalRef>,
    pub action: BulkAction,
    pub requested_by: Requester,
    /// The caller's own reference.
    pub reference: Option<Reference>,
    /// Digest of the request's `Idempotency-Key`.
    pub key_digest: Option<String>,
    pub created_at: Timestamp,
    pub listing: Listing,
    /// The changes that it undoes, if it undoes a set of them.
    pub undoes: Vec<ChangeId>,
    /// The changes of its campaigns.
    pub changes: Vec<ChangeId>,
    /// Campaigns without a change; of very many the first ones.
    pub refused: Vec<RefusedCampaign>,
}

impl BulkAccount {
    /// The id of a campaign's change. Every attempt to store it has the same one.
    pub fn change_id(&self, campaign: &CampaignId) -> ChangeId {
        ChangeId::of_name(self.created_at, &format!("{}#{campaign}", self.bulk))
    }

    /// Who asks for the changes of its campaigns.
    pub fn origin(&self) -> ChangeOrigin {
        ChangeOrigin {
            request: self.bulk.0,
            requested_by: self.requested_by.clone(),
            reference: self.reference.clone(),
            key_digest: self.key_digest.clone(),
        }
    }

    /// Whether the connection has come to another user since.
    pub fn has_moved(&self, connection: &Connection) -> bool {
        self.external_ref.is_some() && self.external_ref != connection.external_ref
    }

    /// Whether it undoes other changes.
    pub fn is_undo(&self) -> bool {
        matches!(self.action, BulkAction::Undo(_) | BulkAction::UndoSet)
    }

    /// Whether it pauses campaigns.
    pub fn pauses(&self) -> bool {
        self.action.pauses()
    }

    /// Whether its campaigns are to be read again after a failure.
    pub fn is_retried(&self, now: Timestamp) -> bool {
        now < self.created_at + GIVE_UP_AFTER
    }

    /// The time of the next attempt: the wait equals the age, from a minute up to an hour.
    pub fn next_attempt(&self, now: Timestamp) -> Timestamp {
        now + now.duration_since(self.created_at).clamp(MIN_PAUSE, MAX_PAUSE)
    }
}
