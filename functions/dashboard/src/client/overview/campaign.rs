//! A campaign with its numbers.

use super::days::Numbers;
use crate::client::insights::rounded;
use crate::kit::money;
use crate::pages::campaigns::Campaign;
use rust_decimal::Decimal;
use shared::domain::money::decimal_from_number;

/// A campaign in the overview.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    pub(crate) campaign: Campaign,
    /// The id of its connection.
    pub(crate) connection: String,
    /// The name of its ad account: its label, its name on the platform, or else its id there.
    pub(crate) account: String,
    pub(crate) numbers: Numbers,
}

impl Row {
    /// A campaign whose account and numbers are not known.
    pub(crate) fn without_numbers(campaign: Campaign) -> Row {
        let account = campaign.organization_id.clone();
        Row { campaign, connection: String::new(), account, numbers: Numbers::default() }
    }

    /// The budget.
    pub(crate) fn budget(&self) -> Option<Decimal> {
        decimal_from_number(self.campaign.budget_amount.as_ref()?.get()).ok()
    }

    /// The budget of a day, also that of the moment of a monthly one; `None` for one of another period.
    pub(crate) fn daily_budget(&self) -> Option<Decimal> {
        match &self.campaign.pacing {
            Some(pacing) => pacing.daily(),
            None => self.budget().filter(|_| self.campaign.budget_period.as_deref() == Some("DAILY")),
        }
    }

    /// Spend of today in percent of the daily budget: for people, and of the bar. Platforms may spend more than the budget
    /// on a day.
    pub(crate) fn today_in_percent(&self) -> Option<(String, u64)> {
        money::percent(self.numbers.today?, self.daily_budget()?)
    }

    /// The cost of a click in the seven days, rounded: a ratio has at least two decimals, also in yen.
    pub(crate) fn click_cost(&self) -> Option<Decimal> {
        let cost = self.numbers.week?.checked_div(Decimal::from(self.numbers.clicks?))?;
        Some(rounded(cost, money::decimals(&self.campaign.currency).max(2)))
    }
}
