//! What the platforms can express, in the flat spelling (`GET /v1/platforms`).

use super::flat::{goal_words, period_words, status_words};
use super::wire::Number;
use crate::domain::{BudgetPeriod, CampaignStatus, Goal, Platform};
use rust_decimal::Decimal;
use serde::Serialize;

/// One platform's table, as the adapter's capabilities have it.
#[derive(Clone, Debug)]
pub struct PlatformTable {
    /// Which platform.
    pub platform: Platform,
    /// Goals that a campaign can be created with.
    pub goals: &'static [Goal],
    /// Budget periods that a campaign can be created with.
    pub budget_periods: &'static [BudgetPeriod],
    /// States that a PATCH can move to.
    pub statuses: &'static [CampaignStatus],
    /// Budgets below these are refused before anything is sent.
    pub minimum_budgets: Vec<SmallestBudget>,
    /// OAuth scopes that are asked for.
    pub scopes: &'static [&'static str],
    /// Whether the authorization carries a PKCE challenge.
    pub pkce: bool,
    /// What a caller should know.
    pub notes: &'static [&'static str],
}

/// The smallest budget for a period.
#[derive(Clone, Debug)]
pub struct SmallestBudget {
    /// For which period.
    pub period: BudgetPeriod,
    /// In which currency; `None` for a number that holds in every account currency.
    pub currency: Option<&'static str>,
    /// The amount, in major units.
    pub amount: Decimal,
}

#[derive(Serialize)]
pub(super) struct PlatformList {
    platforms: Vec<WirePlatform>,
}

#[derive(Serialize)]
struct WirePlatform {
    platform: &'static str,
    display_name: &'static str,
    goals: Vec<&'static str>,
    budget_periods: Vec<&'static str>,
    statuses: Vec<&'static str>,
    minimum_budgets: Vec<WireMinimum>,
    oauth: WireOauth,
    notes: &'static [&'static str],
}

#[derive(Serialize)]
struct WireMinimum {
    budget_period: &'static str,
    currency: Option<&'static str>,
    amount: Number,
}

#[derive(Serialize)]
struct WireOauth {
    scopes: &'static [&'static str],
    pkce: bool,
}

/// The body of the answer.
pub(super) fn body(tables: &[PlatformTable]) -> PlatformList {
    PlatformList { platforms: tables.iter().map(platform).collect() }
}

fn platform(table: &PlatformTable) -> WirePlatform {
    let PlatformTable { platform, goals, budget_periods, statuses, minimum_budgets, scopes, pkce, notes } = table;
    let minimum = |smallest: &SmallestBudget| WireMinimum {
        budget_period: smallest.period.word(),
        currency: smallest.currency,
        amount: Number(smallest.amount),
    };
    WirePlatform {
        platform: platform.word(),
        display_name: platform.display_name(),
        goals: goal_words(goals),
        budget_periods: period_words(budget_periods),
        statuses: status_words(statuses),
        minimum_budgets: minimum_budgets.iter().map(minimum).collect(),
        oauth: WireOauth { scopes, pkce: *pkce },
        notes,
    }
}
