//! What a platform can express: one table per platform, read by validators and documentation.

use crate::domain::{BudgetPeriod, CampaignStatus, Currency, Goal};
use rust_decimal::Decimal;

/// What one platform can express.
#[derive(Debug)]
pub struct Capabilities {
    /// Name for people.
    pub display_name: &'static str,
    /// Goals that a campaign can be created with.
    pub goals: &'static [Goal],
    /// Budget periods that a campaign can be created with.
    pub budget_periods: &'static [BudgetPeriod],
    /// States that a PATCH can move to.
    pub writable_statuses: &'static [CampaignStatus],
    /// Smallest daily budgets (spec section 8).
    pub minimum_budgets: &'static [MinimumBudget],
    /// OAuth scopes that are asked for.
    pub scopes: &'static [&'static str],
    /// Whether the authorization carries a PKCE challenge.
    pub pkce: bool,
    /// What a caller should know.
    pub notes: &'static [&'static str],
}

/// A budget below this is refused before anything is sent.
#[derive(Debug)]
pub struct MinimumBudget {
    /// For which period.
    pub period: BudgetPeriod,
    /// In which currency; `None` for a number that holds in every account currency.
    pub currency: Option<&'static str>,
    /// The amount, in hundredths of the major unit.
    pub hundredths: i64,
}

impl Capabilities {
    /// The smallest budget for a period in a currency, if there is one.
    pub fn minimum_budget(&self, period: BudgetPeriod, currency: Currency) -> Option<Decimal> {
        let applies = |minimum: &&MinimumBudget| {
            minimum.period.means(period) && minimum.currency.is_none_or(|code| code == currency.code())
        };
        let found = self.minimum_budgets.iter().filter(applies).map(|minimum| minimum.hundredths).max();
        found.map(|hundredths| Decimal::new(hundredths, 2).normalize())
    }
}
