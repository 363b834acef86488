//! The campaigns of a key that run now.

use crate::kit::campaign::CampaignSummary;
use crate::kit::money;
use crate::kit::total::Total;
use jiff::Timestamp;
use rust_decimal::Decimal;
use shared::domain::{BudgetPeriod, CampaignStatus, CampaignValues, Currency};

/// How many campaigns run, and their budgets by currency and period.
#[derive(Debug, Default)]
pub(crate) struct Running {
    count: usize,
    budgets: Vec<(Currency, Option<BudgetPeriod>, Total)>,
    /// Whether a campaign was not read.
    is_partial: bool,
}

impl Running {
    /// Adds a campaign if it runs.
    pub(crate) fn add(&mut self, campaign: &CampaignSummary, now: Timestamp) {
        if campaign.is_active(now) {
            self.count(campaign.budget_amount, campaign.currency, campaign.budget_period);
        }
    }

    /// Adds a campaign with the values that a change has found, if it runs.
    pub(crate) fn add_found(&mut self, values: &CampaignValues, now: Timestamp) {
        let is_over = values.end_at.is_some_and(|end| end <= now);
        if values.status == CampaignStatus::Active && !is_over {
            self.count(values.budget_amount, values.currency, values.budget_period);
        }
    }

    fn count(&mut self, budget: Option<Decimal>, currency: Currency, period: Option<BudgetPeriod>) {
        self.count += 1;
        let Some(amount) = budget.map(|amount| Total::of(Some(amount))) else { return };
        match self.budgets.iter_mut().find(|known| (known.0, known.1) == (currency, period)) {
            Some((_, _, sum)) => sum.add(amount),
            None => self.budgets.push((currency, period, amount)),
        }
    }

    /// Notes a campaign that was not read.
    pub(crate) fn add_unread(&mut self) {
        self.is_partial = true;
    }

    /// `12 of these campaigns run now, with budgets of 2,310.00 USD a day.` `None` if nothing is known.
    pub(crate) fn words(&self) -> Option<String> {
        self.words_of("these")
    }

    /// The same of campaigns that are `these`, or `its`.
    pub(crate) fn words_of(&self, which: &str) -> Option<String> {
        let at_least = if self.is_partial { "At least " } else { "" };
        let runs = match self.count {
            0 if self.is_partial => return None,
            0 => return Some(format!("None of {which} campaigns runs now.")),
            1 => format!("1 of {which} campaigns runs now"),
            count => format!("{count} of {which} campaigns run now"),
        };
        let sum = |(currency, period, sum): &(Currency, Option<BudgetPeriod>, Total)| {
            let shown = sum.text(|amount| money::in_currency(amount, *currency));
            format!("{shown}{}", money::span_of(*period))
        };
        let budgets: Vec<String> = self.budgets.iter().map(sum).collect();
        let with = if budgets.is_empty() { "" } else { ", with budgets of " };
        Some(format!("{at_least}{runs}{with}{}.", budgets.join(", ")))
    }
}
