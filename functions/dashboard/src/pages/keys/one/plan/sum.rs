//! What the campaigns of a revert may spend a day. The script adds the same up when a campaign is ticked or not.

use super::RevertRow;
use crate::kit::campaign::CampaignSummary;
use crate::kit::money::{self, amount_text};
use crate::kit::total::Total;
use jiff::Timestamp;
use rust_decimal::Decimal;
use shared::domain::{BudgetPeriod, Campaign, CampaignChanges, CampaignStatus, Currency};
use std::collections::BTreeMap;

/// What one campaign may spend a day, now and with the revert.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) struct Daily {
    currency: Currency,
    now: Decimal,
    then: Decimal,
}

/// What the campaigns of a currency may spend a day, now and then.
#[derive(Default)]
pub(super) struct Sum {
    pub(super) now: Total,
    pub(super) then: Total,
}

/// What some rows do together.
#[derive(Debug, Default, PartialEq, Eq)]
pub(in super::super) struct Counted {
    /// A sentence for each currency: what runs a day, now and then.
    pub(in super::super) sums: Vec<String>,
    /// `3,600.00 USD a day less` for each currency.
    pub(in super::super) differences: Vec<String>,
    /// The number of campaigns that are activated.
    pub(in super::super) activated: usize,
    /// The number of campaigns whose budget is none of a day.
    pub(in super::super) not_daily: usize,
}

impl Daily {
    /// `None` for a budget of another period.
    pub(super) fn of(campaign: &Campaign, changes: &CampaignChanges, now: Timestamp) -> Option<Daily> {
        if campaign.budget_period != Some(BudgetPeriod::Daily) {
            return None;
        }
        let budget = campaign.budget_amount?;
        let is_active = CampaignSummary::from(campaign).is_active(now);
        let runs = changes.status.map_or(is_active, |status| status == CampaignStatus::Active);
        let of = |runs: bool, amount: Decimal| if runs { amount } else { Decimal::ZERO };
        let (now, then) = (of(is_active, budget), of(runs, changes.budget_amount.unwrap_or(budget)));
        Some(Daily { currency: campaign.currency, now, then })
    }

    pub(in super::super) fn currency(&self) -> &'static str {
        self.currency.code()
    }

    pub(in super::super) fn decimals(&self) -> u32 {
        self.currency.decimals()
    }

    /// Both amounts in millionths, with a space, which the script adds up as whole numbers.
    pub(in super::super) fn millionths(&self) -> String {
        format!("{} {}", money::millionths(self.now), money::millionths(self.then))
    }
}

impl Counted {
    pub(in super::super) fn of<'a>(rows: impl Iterator<Item = &'a RevertRow>) -> Counted {
        let mut counted = Counted::default();
        let mut sums: BTreeMap<&'static str, Sum> = BTreeMap::new();
        for row in rows {
            counted.activated += usize::from(row.activates);
            match &row.daily {
                Some(daily) => {
                    let sum = sums.entry(daily.currency.code()).or_default();
                    sum.now.add(Total::of(Some(daily.now)));
                    sum.then.add(Total::of(Some(daily.then)));
                }
                None => counted.not_daily += 1,
            }
        }
        counted.sums = sums.iter().map(|(currency, sum)| sum.words(currency)).collect();
        counted.differences = sums.iter().filter_map(|(currency, sum)| sum.difference(currency)).collect();
        counted
    }
}

impl Sum {
    /// `3,600.00 USD a day less`; `None` for as much as now, and for what is too large to add up.
    fn difference(&self, currency: &str) -> Option<String> {
        let (now, then) = (self.now.exact()?, self.then.exact()?);
        let word = if now < then { "more" } else { "less" };
        let amount = now.saturating_sub(then).abs();
        (!amount.is_zero()).then(|| format!("{} {currency} a day {word}", amount_text(amount, currency)))
    }

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
