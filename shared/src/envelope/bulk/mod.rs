//! Bulk changes of the status and of budgets, and the undo of one, in either shape. Each campaign has a change of its
//! own (D61).

mod read;
mod wire;

pub use read::{read_budgets, read_bulk, read_undo};
pub(super) use wire::{response, status_response};

use crate::domain::{
    Action, BulkAccount, BulkAction, BulkId, CampaignId, CampaignStatus, Change, ChangeId, ConnectionId, Listing,
    NewBudget, Percent, Platform, Reference, RefusedCampaign,
};
use crate::error::Error;
use jiff::Timestamp;

/// The body of `setStatuses`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BulkRequest {
    /// ACTIVE or PAUSED.
    pub status: CampaignStatus,
    pub targets: BulkTargets,
    /// The caller's own reference.
    pub reference: Option<Reference>,
}

/// The campaigns that a bulk change is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BulkTargets {
    /// All in the ad accounts of a platform, of a connection, or of both; without either in all of them.
    Accounts { platform: Option<Platform>, connection: Option<String> },
    /// These, without repeats.
    Campaigns(Vec<String>),
}

/// The body of `setBudgets`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BudgetsRequest {
    pub changes: BudgetChanges,
    /// The caller's own reference.
    pub reference: Option<Reference>,
}

/// The body of `undoChange`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UndoRequest {
    /// The connection whose ad account alone is undone.
    pub connection: Option<String>,
    /// Changes that are undone together with the one of the path.
    pub changes: Vec<ChangeId>,
    /// The caller's own reference.
    pub reference: Option<Reference>,
}

/// The new budgets of a bulk change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BudgetChanges {
    Percent(Percent, BulkTargets),
    /// Each campaign once.
    Amounts(Vec<NewBudget>),
}

/// What a bulk change has begun.
#[derive(Debug)]
pub struct BulkReport {
    pub bulk: BulkId,
    /// The caller's own reference.
    pub reference: Option<Reference>,
    pub changes: Vec<ChangeId>,
    /// Campaigns that it does not change: most have the requested values already.
    pub unchanged: Vec<CampaignId>,
    /// Campaigns that could not be changed, and why.
    pub refused: Vec<RefusedCampaign>,
    /// Waiting changes that it has canceled.
    pub canceled: Vec<ChangeId>,
    /// Connections whose campaigns could not be read yet.
    pub failures: Vec<(Platform, ConnectionId, Error)>,
}

/// How far a bulk change is.
#[derive(Debug)]
pub struct BulkStatus {
    pub bulk: BulkId,
    /// The ad accounts, each with its changes.
    pub accounts: Vec<(BulkAccount, Vec<Change>)>,
}

impl BulkStatus {
    /// Whether nothing is tried any more: every change has its outcome, and every ad account is listed or given up.
    pub fn is_settled(&self, now: Timestamp) -> bool {
        self.accounts.iter().all(|(account, changes)| {
            !matches!(account.listing, Listing::Pending(_))
                && changes.iter().all(|change| change.status(now).is_final())
        })
    }

    /// The status that it sets, also by undoing another one; `None` if it changes something else. The undo of a set of
    /// changes sets what each campaign has had.
    pub fn status(&self) -> Option<CampaignStatus> {
        match self.accounts.first()?.0.action {
            BulkAction::Status(status) => Some(status),
            BulkAction::Percent(_) | BulkAction::Budgets | BulkAction::UndoSet => None,
            BulkAction::Undo(_) => self.one_status(),
        }
    }

    /// The status that all of its changes set.
    fn one_status(&self) -> Option<CampaignStatus> {
        let status = |change: &Change| match &change.action {
            Action::Update(changes) => changes.status,
            Action::Create(_) | Action::Delete => None,
        };
        let mut statuses = self.accounts.iter().flat_map(|(_, changes)| changes).map(status);
        let first = statuses.next()?;
        first.filter(|_| statuses.all(|status| status == first))
    }
}
