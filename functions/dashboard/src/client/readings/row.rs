//! A campaign with its numbers.

use super::recent::Recent;
use crate::kit::campaign::CampaignSummary;
use crate::kit::money;
use crate::kit::ratio::shown_cost;
use rust_decimal::Decimal;

/// A campaign in the overview.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    pub(crate) campaign: CampaignSummary,
    /// The id of its connection.
    pub(crate) connection: String,
    /// The name of its ad account: its label, its name on the platform, or else its id there.
    pub(crate) account: String,
    pub(crate) numbers: Recent,
}

impl Row {
    /// A campaign whose account and numbers are not known.
    pub(crate) fn without_numbers(campaign: CampaignSummary) -> Row {
        let account = campaign.account_id.clone();
        Row { campaign, connection: String::new(), account, numbers: Recent::UNKNOWN }
    }

    /// Spend of today in percent of the daily budget: for people, and of the bar. Platforms may spend more than the budget
    /// on a day.
    pub(crate) fn today_in_percent(&self) -> Option<(String, u64)> {
        money::percent(self.numbers.spend.today.whole()?, self.campaign.daily_budget()?)
    }

    /// The cost of a click in the seven days, rounded.
    pub(crate) fn click_cost(&self) -> Option<Decimal> {
        self.numbers.click_cost.map(|cost| shown_cost(cost, self.campaign.currency.code()))
    }
}
