//! Campaigns, independent of their platform.

use super::{CampaignId, Currency, Moment, Platform};
use jiff::Timestamp;
use rust_decimal::Decimal;

/// Objective of a campaign: the values of both response shapes, which overlap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goal {
    /// `AWARENESS` in the flat shape, `BRAND_AWARENESS` in the enveloped shape.
    BrandAwareness,
    /// Enveloped shape only; the flat shape shows `AWARENESS`.
    Reach,
    /// `TRAFFIC` in the flat shape, `WEBSITE_TRAFFIC` in the enveloped shape.
    WebsiteTraffic,
    /// `LEADS` in both shapes.
    Leads,
    /// `SALES` in both shapes.
    Sales,
    /// Flat shape only; the enveloped shape shows `SALES`.
    Conversions,
    /// Enveloped shape only.
    AppPromotion,
}

impl Goal {
    /// Every goal.
    pub const ALL: [Goal; 7] = [
        Goal::BrandAwareness,
        Goal::Reach,
        Goal::WebsiteTraffic,
        Goal::Leads,
        Goal::Sales,
        Goal::Conversions,
        Goal::AppPromotion,
    ];

    /// The goal in plain words, for messages.
    pub fn plain(self) -> &'static str {
        match self {
            Goal::BrandAwareness => "awareness",
            Goal::Reach => "reach",
            Goal::WebsiteTraffic => "traffic",
            Goal::Leads => "leads",
            Goal::Sales => "sales",
            Goal::Conversions => "conversions",
            Goal::AppPromotion => "app promotion",
        }
    }
}

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

/// The period that a budget amount covers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BudgetPeriod {
    /// Each day.
    Daily,
    /// Each month.
    Monthly,
    /// The whole run of the campaign, as the enveloped shape spells it.
    Total,
    /// The whole run of the campaign, as both shapes spell it.
    Lifetime,
}

impl BudgetPeriod {
    /// Every period.
    pub const ALL: [BudgetPeriod; 4] =
        [BudgetPeriod::Daily, BudgetPeriod::Monthly, BudgetPeriod::Total, BudgetPeriod::Lifetime];

    /// Returns `true` if two periods are the same: `TOTAL` and `LIFETIME` are.
    pub fn means(self, other: BudgetPeriod) -> bool {
        self == other || (self.is_whole_run() && other.is_whole_run())
    }

    /// Returns `true` if the amount covers the whole run of the campaign.
    pub fn is_whole_run(self) -> bool {
        matches!(self, BudgetPeriod::Total | BudgetPeriod::Lifetime)
    }

    /// The name, equal in both shapes: `DAILY`.
    pub fn as_str(self) -> &'static str {
        match self {
            BudgetPeriod::Daily => "DAILY",
            BudgetPeriod::Monthly => "MONTHLY",
            BudgetPeriod::Total => "TOTAL",
            BudgetPeriod::Lifetime => "LIFETIME",
        }
    }
}

/// A campaign as read from its platform, completed from the service's own record.
#[derive(Clone, Debug, PartialEq)]
pub struct Campaign {
    /// Identifier in this API.
    pub id: CampaignId,
    /// Ad account on the platform (`organization_id`).
    pub account_id: String,
    /// Identifier on the platform.
    pub remote_id: String,
    /// Name.
    pub name: String,
    /// Status.
    pub status: CampaignStatus,
    /// Objective; `None` if the platform's value has no equivalent.
    pub goal: Option<Goal>,
    /// Budget in major units of the currency; `None` for a campaign without its own budget.
    pub budget_amount: Option<Decimal>,
    /// Period of the budget; `None` if the platform's value has no equivalent.
    pub budget_period: Option<BudgetPeriod>,
    /// Currency of the ad account.
    pub currency: Currency,
    /// Spend so far, in major units; `None` if it was not read.
    pub total_spend_amount: Option<Decimal>,
    /// Start.
    pub start_at: Option<Timestamp>,
    /// End.
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
    /// Objective.
    pub goal: Goal,
    /// Budget, above zero, in major units of the account's currency.
    pub budget_amount: Decimal,
    /// Period of the budget.
    pub budget_period: BudgetPeriod,
    /// Start; at once if absent.
    pub start_at: Option<Moment>,
    /// End; open if absent.
    pub end_at: Option<Moment>,
}

/// Changes of `updateCampaign`; `None` keeps a field.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CampaignChanges {
    /// New name.
    pub name: Option<String>,
    /// New status.
    pub status: Option<CampaignStatus>,
    /// New budget, in major units of the account's currency.
    pub budget_amount: Option<Decimal>,
    /// New budget period.
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
