//! Requests to create and update campaigns, independent of the shape.

use crate::domain::{AdAccount, BudgetPeriod, CampaignChanges, CampaignDraft, Currency, Goal, Moment, Platform};
use crate::error::Error;
use rust_decimal::Decimal;

/// Largest number of targets in a create request.
pub const MAX_TARGETS: usize = 10;
/// Longest campaign name in characters.
pub const MAX_NAME_CHARS: usize = 255;

/// A create request. It is valid in itself, but not checked against an ad account yet.
#[derive(Clone, Debug, PartialEq)]
pub struct CreateRequest {
    pub name: String,
    pub goal: Goal,
    /// Above zero, in major units of the ad account's currency.
    pub budget_amount: Decimal,
    pub budget_period: BudgetPeriod,
    /// Expected currency; must be the ad account's.
    pub currency: Option<Currency>,
    pub start_at: Option<Moment>,
    pub end_at: Option<Moment>,
    pub targets: Targets,
}

/// The ad accounts of a create request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Targets {
    /// One ad account. The response is the campaign.
    One(Target),
    /// Several ad accounts (`targets`). The response has a result for each.
    Many(Vec<Target>),
}

impl Targets {
    /// The targets as a list.
    pub fn as_slice(&self) -> &[Target] {
        match self {
            Targets::One(target) => std::slice::from_ref(target),
            Targets::Many(several) => several,
        }
    }
}

/// An ad account of a create request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    pub platform: Platform,
    /// Selects one of the customer's connections on the platform.
    pub choice: AccountChoice,
}

/// Selects the ad account that pays.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AccountChoice {
    /// By ad account id (`organization_id`).
    Account(String),
    /// By connection id (`connection_id`).
    Connection(String),
    /// Not given. Valid only if exactly one connection is active.
    OnlyConnection,
}

/// An update request.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct UpdateRequest {
    pub changes: CampaignChanges,
    /// Ad account that the caller expects the campaign in.
    pub organization_id: Option<String>,
}

impl CreateRequest {
    /// Checks currency and decimals against the ad account.
    pub fn draft_for(&self, account: &AdAccount) -> Result<CampaignDraft, Error> {
        let currency = account.currency;
        if self.currency.is_some_and(|requested| requested != currency) {
            let message = format!("must be the ad account's currency, {}; nothing is converted", currency.code());
            return Err(Error::field("currency", message));
        }
        currency.check(self.budget_amount).map_err(|reason| Error::amount("budget_amount", reason))?;
        let CreateRequest { name, goal, budget_amount, budget_period, currency: _, start_at, end_at, targets: _ } =
            self;
        Ok(CampaignDraft {
            name: name.clone(),
            goal: *goal,
            budget_amount: *budget_amount,
            budget_period: *budget_period,
            start_at: *start_at,
            end_at: *end_at,
        })
    }
}
