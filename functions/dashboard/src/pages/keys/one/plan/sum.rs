//! What the campaigns of a revert may spend a day.

use crate::kit::campaign::CampaignSummary;
use crate::kit::money::amount_text;
use crate::kit::total::Total;
use jiff::Timestamp;
use rust_decimal::Decimal;
use shared::domain::{BudgetPeriod, Campaign, CampaignChanges, CampaignStatus};

/// What the campaigns of a currency may spend a day, now and then.
#[derive(Default)]
pub(super) struct Sum {
    pub(super) now: Total,
    pub(super) then: Total,
}

/// What the campaign may spend a day, now and with these changes; `None` for a budget of another period.
pub(super) fn daily(campaign: &Campaign, changes: &CampaignChanges, now: Timestamp) -> Option<(Decimal, Decimal)> {
    if campaign.budget_period != Some(BudgetPeriod::Daily) {
        return None;
    }
    let budget = campaign.budget_amount?;
    let is_active = CampaignSummary::from(campaign).is_active(now);
    let runs = changes.status.map_or(is_active, |status| status == CampaignStatus::Active);
    let of = |runs: bool, amount: Decimal| if runs { amount } else { Decimal::ZERO };
    Some((of(is_active, budget), of(runs, changes.budget_amount.unwrap_or(budget))))
}

impl Sum {
    /// `0.00 → 950.00 USD a day: 950.00 USD more`
    pub(super) fn words(&self, currency: &str) -> String {
        let shown = |amount: Decimal| amount_text(amount, currency);
        let (Some(now), Some(then)) = (self.now.exact(), self.then.exact()) else {
            return format!("Too large to add up, in {currency} a day");
        };
        let line = format!("{} → {} {currency} a day", shown(now), shown(then));
        match now.cmp(&then) {
            std::cmp::Ordering::Less => format!("{line}: {} {currency} more", shown(then.saturating_sub(now))),
            std::cmp::Ordering::Greater => format!("{line}: {} {currency} less", shown(now.saturating_sub(then))),
            std::cmp::Ordering::Equal => format!("{line}: as much as now"),
        }
    }
}
