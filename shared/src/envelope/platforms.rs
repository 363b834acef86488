//! What the platforms can express, in the flat spelling (`GET /v1/platforms`).

use super::flat::{goal_words, period_words, status_words};
use super::wire::Number;
use crate::domain::{BudgetPeriod, CampaignStatus, Goal, Platform};
use jiff::civil::Date;
use rust_decimal::Decimal;
use serde::Serialize;

/// One platform's table, as the adapter's capabilities have it.
#[derive(Clone, Debug)]
pub struct PlatformTable {
    /// Which platform.
    pub platform: Platform,
    /// The version of its API that is called.
    pub version: PlatformVersion,
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

/// The version of a platform's API that is called.
#[derive(Clone, Debug)]
pub struct PlatformVersion {
    /// As it stands in the platform's addresses or headers.
    pub name: String,
    /// The first day on which calls of it may fail, where that is published.
    pub ends_on: Option<Date>,
    /// The page that says so.
    pub page: &'static str,
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
pub(super) struct PlatformList<'a> {
    platforms: Vec<WirePlatform<'a>>,
}

#[derive(Serialize)]
struct WirePlatform<'a> {
    platform: &'static str,
    display_name: &'static str,
    api_version: WireVersion<'a>,
    goals: Vec<&'static str>,
    budget_periods: Vec<&'static str>,
    statuses: Vec<&'static str>,
    minimum_budgets: Vec<WireMinimum>,
    oauth: WireOauth,
    notes: &'static [&'static str],
}

#[derive(Serialize)]
struct WireVersion<'a> {
    name: &'a str,
    ends_on: Option<Date>,
    page: &'static str,
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
pub(super) fn body(tables: &[PlatformTable]) -> PlatformList<'_> {
    PlatformList { platforms: tables.iter().map(platform).collect() }
}

fn platform(table: &PlatformTable) -> WirePlatform<'_> {
    let PlatformTable { platform, version, goals, budget_periods, statuses, minimum_budgets, scopes, pkce, notes } =
        table;
    let minimum = |smallest: &SmallestBudget| WireMinimum {
        budget_period: smallest.period.as_str(),
        currency: smallest.currency,
        amount: Number(smallest.amount),
    };
    WirePlatform {
        platform: platform.as_str(),
        display_name: platform.display_name(),
        api_version: WireVersion { name: &version.name, ends_on: version.ends_on, page: version.page },
        goals: goal_words(goals),
        budget_periods: period_words(budget_periods),
        statuses: status_words(statuses),
        minimum_budgets: minimum_budgets.iter().map(minimum).collect(),
        oauth: WireOauth { scopes, pkce: *pkce },
        notes,
    }
}
