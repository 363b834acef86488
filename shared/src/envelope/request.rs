//! What a request asks for, read from either shape. The twins fill these; handlers see nothing else.

use crate::domain::{AdAccount, BudgetPeriod, CampaignChanges, CampaignDraft, Currency, Goal, Moment, Platform};
use crate::error::Error;
use rust_decimal::Decimal;

/// Most targets of one create (spec section 8).
pub const MAX_TARGETS: usize = 10;
/// Longest campaign name, in characters (spec section 8).
pub const MAX_NAME_CHARS: usize = 255;

/// A create request: valid in itself, not yet held against an ad account.
#[derive(Clone, Debug, PartialEq)]
pub struct CreateRequest {
    /// Name.
    pub name: String,
    /// Goal.
    pub goal: Goal,
    /// Amount, greater than zero.
    pub budget_amount: Decimal,
    /// Period.
    pub budget_period: BudgetPeriod,
    /// The currency the caller means; the account's when absent.
    pub currency: Option<Currency>,
    /// Start.
    pub start_at: Option<Moment>,
    /// End.
    pub end_at: Option<Moment>,
    /// Where.
    pub targets: Targets,
}

/// Where campaigns shall be made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Targets {
    /// In one account, answered with the campaign.
    One(Target),
    /// In several (`targets`), answered with a verdict for each.
    Many(Vec<Target>),
}

/// Where a campaign shall be made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// Platform.
    pub platform: Platform,
    /// Which of the customer's connections there.
    pub choice: AccountChoice,
}

/// How a caller says whose money is spent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AccountChoice {
    /// By the ad account (`organization_id`).
    Account(String),
    /// By the connection (`connection_id`).
    Connection(String),
    /// Not said: right only when there is one active connection.
    TheOnlyOne,
}

/// A PATCH request.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct UpdateRequest {
    /// What changes.
    pub changes: CampaignChanges,
    /// The ad account the caller believes the campaign to be in.
    pub organization_id: Option<String>,
}

impl CreateRequest {
    /// Holds the request against the account it is for: its currency and the currency's decimals.
    pub fn draft_for(&self, account: &AdAccount) -> Result<CampaignDraft, Error> {
        let currency = account.currency;
        if self.currency.is_some_and(|asked| asked != currency) {
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
