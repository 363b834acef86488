//! Campaigns, independent of their platform.

use super::{BudgetPeriod, CampaignId, CampaignStatus, Currency, Goal, Moment, Platform};
use jiff::Timestamp;
use rust_decimal::Decimal;

/// A campaign as read from its platform, completed from the service's own record.
#[derive(Clone, Debug, PartialEq)]
pub struct Campaign {
    /// Identifier in this API.
    pub id: CampaignId,
    /// Ad account on the platform (`organization_id`).
    pub account_id: String,
    /// Identifier on the platform.
    pub remote_id: String,
    pub name: String,
    pub status: CampaignStatus,
    /// Objective; `None` if the platform's value has no equivalent.
    pub goal: Option<Goal>,
    /// Budget in major units of the currency; `None` for a campaign without its own budget.
    pub budget_amount: Option<Decimal>,
    /// Period of the budget; `None` if the platform's value has no equivalent.
    pub budget_period: Option<BudgetPeriod>,
    pub currency: Currency,
    /// Spend so far, in major units; `None` if it was not read.
    pub total_spend_amount: Option<Decimal>,
    pub start_at: Option<Timestamp>,
    pub end_at: Option<Timestamp>,
    /// Creation time; `None` for a campaign created elsewhere on a platform without timestamps.
    pub created_at: Option<Timestamp>,
    /// Last change through the service or reported by the platform.
    pub updated_at: Option<Timestamp>,
    /// The platform's JSON object, as received.
    pub raw: String,
}

impl Campaign {
    /// The campaign's platform.
    pub fn platform(&self) -> Platform {
        self.id.platform()
    }
}

/// A validated campaign to create in one ad account, as `PAUSED`.
#[derive(Clone, Debug, PartialEq)]
pub struct CampaignDraft {
    /// Name, 1 to 255 characters.
    pub name: String,
    pub goal: Goal,
    /// Budget, above zero, in major units of the account's currency.
    pub budget_amount: Decimal,
    pub budget_period: BudgetPeriod,
    /// Start; at once if absent.
    pub start_at: Option<Moment>,
    /// End; open if absent.
    pub end_at: Option<Moment>,
}

/// Changes of `updateCampaign`; `None` keeps a field.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CampaignChanges {
    pub name: Option<String>,
    pub status: Option<CampaignStatus>,
    /// New budget, in major units of the account's currency.
    pub budget_amount: Option<Decimal>,
    pub budget_period: Option<BudgetPeriod>,
}

impl CampaignChanges {
    /// Drops changes to values that the campaign already has, so that they are not written.
    pub fn against(self, current: &Campaign) -> CampaignChanges {
        CampaignChanges {
            name: self.name.filter(|name| *name != current.name),
            status: self.status.filter(|status| *status != current.status),
            budget_amount: self.budget_amount.filter(|amount| Some(*amount) != current.budget_amount),
            budget_period: self
                .budget_period
                .filter(|period| !current.budget_period.is_some_and(|had| had.means(*period))),
        }
    }

    /// Returns `true` if there is no change.
    pub fn is_empty(&self) -> bool {
        *self == CampaignChanges::default()
    }
}
