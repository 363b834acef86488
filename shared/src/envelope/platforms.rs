//! The platforms' capabilities, in the names of the flat shape.

use super::flat::{goal_names, period_names, status_names};
use super::wire::Number;
use crate::domain::{BudgetPeriod, CampaignStatus, Goal, Holder, Platform};
use jiff::civil::Date;
use rust_decimal::Decimal;
use serde::Serialize;

/// The capabilities of one platform.
#[derive(Clone, Debug)]
pub struct PlatformTable {
    pub platform: Platform,
    /// API version that this service calls.
    pub version: PlatformVersion,
    pub goals: &'static [Goal],
    pub budget_periods: &'static [BudgetPeriod],
    /// Statuses that an update can set.
    pub statuses: &'static [CampaignStatus],
    /// Minimum budgets. A lower budget is rejected before anything is sent.
    pub minimum_budgets: Vec<SmallestBudget>,
    /// Who starts and ends a campaign at its dates.
    pub dates_held_by: Holder,
    /// Requested OAuth scopes.
    pub scopes: &'static [&'static str],
    /// Whether the authorization uses PKCE.
    pub pkce: bool,
    pub notes: &'static [&'static str],
}

/// A version of a platform's API.
#[derive(Clone, Debug)]
pub struct PlatformVersion {
    /// Name in the platform's URLs or headers.
    pub name: String,
    /// First day on which calls may fail, if published.
    pub ends_on: Option<Date>,
    /// The platform's page about its versions.
    pub page: &'static str,
}

/// The minimum budget of a period.
#[derive(Clone, Debug)]
pub struct SmallestBudget {
    pub period: BudgetPeriod,
    /// Currency; `None` if the amount applies to every currency.
    pub currency: Option<&'static str>,
    /// Amount in major units.
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
    dates_held_by: &'static str,
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

/// The body of `listPlatforms`.
pub(super) fn body(tables: &[PlatformTable]) -> PlatformList<'_> {
    PlatformList { platforms: tables.iter().map(platform).collect() }
}

fn platform(table: &PlatformTable) -> WirePlatform<'_> {
    let PlatformTable {
        platform,
        version,
        goals,
        budget_periods,
        statuses,
        minimum_budgets,
        dates_held_by,
        scopes,
        pkce,
        notes,
    } = table;
    let minimum = |smallest: &SmallestBudget| WireMinimum {
        budget_period: smallest.period.as_str(),
        currency: smallest.currency,
        amount: Number(smallest.amount),
    };
    WirePlatform {
        platform: platform.as_str(),
        display_name: platform.display_name(),
        api_version: WireVersion { name: &version.name, ends_on: version.ends_on, page: version.page },
        goals: goal_names(goals),
        budget_periods: period_names(budget_periods),
        statuses: status_names(statuses),
        minimum_budgets: minimum_budgets.iter().map(minimum).collect(),
        dates_held_by: dates_held_by.as_str(),
        oauth: WireOauth { scopes, pkce: *pkce },
        notes,
    }
}
