//! The platforms' capabilities. The spelling of goals, statuses and budget periods is that of the flat shape, and once
//! more in the members `flat` and `enveloped`, for programs that use either shape.

use super::Shape;
use super::names::{goal_names, period_name, status_names};
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
    pub periods: Vec<PeriodTable>,
    /// Whether an update can change the budget period.
    pub has_period_change: bool,
    /// Statuses that an update can set.
    pub statuses: &'static [CampaignStatus],
    pub names: NameTable,
    /// Who starts and ends a campaign at its dates.
    pub dates_held_by: Holder,
    pub dates: Dates,
    pub decimals: DecimalTable,
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

/// A budget period of new campaigns.
#[derive(Clone, Debug)]
pub struct PeriodTable {
    pub period: BudgetPeriod,
    /// Fields that a campaign with it must have.
    pub needs: &'static [&'static str],
    /// Goals that have it.
    pub goals: Vec<Goal>,
    /// Who keeps a campaign within its budget.
    pub held_by: Holder,
    /// A lower budget is rejected before anything is sent.
    pub minimums: Vec<Bound>,
    /// A higher budget is rejected before anything is sent.
    pub maximums: Vec<Bound>,
}

/// The smallest or the largest budget of a period.
#[derive(Clone, Debug)]
pub struct Bound {
    /// Currency; `None` if the amount applies to every currency.
    pub currency: Option<&'static str>,
    /// Amount in major units.
    pub amount: Decimal,
    /// `service` or `platform`.
    pub set_by: &'static str,
}

/// The rules for names.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct NameTable {
    pub minimum_characters: usize,
    pub maximum: usize,
    /// `characters` or `bytes`.
    pub maximum_counted_in: &'static str,
    /// What a name must not contain.
    pub forbidden: &'static [&'static str],
}

/// The rules for start and end.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Dates {
    /// `day` or `second`.
    pub precision: &'static str,
    pub start_at: DateTable,
    pub end_at: DateTable,
    pub maximum_days_ahead: Option<i64>,
    /// The end is before this day.
    pub end_before: Option<Date>,
}

/// The times that a date can be set to.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct DateTable {
    pub create: &'static str,
    pub update: &'static str,
    pub removable: bool,
}

/// The platform's own limit of an amount's decimals.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct DecimalTable {
    pub maximum: Option<u32>,
    /// Currencies without decimals on the platform.
    pub none_in: &'static [&'static str],
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
    flat: WireTerms,
    enveloped: WireTerms,
    budget_period_changes: bool,
    names: NameTable,
    dates_held_by: &'static str,
    dates: Dates,
    decimals: DecimalTable,
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

/// Goals, statuses and budget periods as a shape spells them.
#[derive(Serialize)]
struct WireTerms {
    platform: &'static str,
    goals: Vec<&'static str>,
    statuses: Vec<&'static str>,
    budget_periods: Vec<WirePeriod>,
}

#[derive(Serialize)]
struct WirePeriod {
    period: &'static str,
    needs: &'static [&'static str],
    goals: Vec<&'static str>,
    held_by: &'static str,
    minimums: Vec<WireBound>,
    maximums: Vec<WireBound>,
}

#[derive(Serialize)]
struct WireBound {
    currency: Option<&'static str>,
    amount: Number,
    set_by: &'static str,
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
        goals: _,
        periods: _,
        has_period_change,
        statuses: _,
        names,
        dates_held_by,
        dates,
        decimals,
        scopes,
        pkce,
        notes,
    } = table;
    let flat = terms(table, Shape::Flat);
    WirePlatform {
        platform: platform.as_str(),
        display_name: platform.display_name(),
        api_version: WireVersion { name: &version.name, ends_on: version.ends_on, page: version.page },
        goals: flat.goals.clone(),
        budget_periods: flat.budget_periods.iter().map(|period| period.period).collect(),
        statuses: flat.statuses.clone(),
        minimum_budgets: flat.budget_periods.iter().flat_map(minimums).collect(),
        flat,
        enveloped: terms(table, Shape::Enveloped),
        budget_period_changes: *has_period_change,
        names: *names,
        dates_held_by: dates_held_by.as_str(),
        dates: *dates,
        decimals: *decimals,
        oauth: WireOauth { scopes, pkce: *pkce },
        notes,
    }
}

fn minimums(period: &WirePeriod) -> Vec<WireMinimum> {
    let minimum = |bound: &WireBound| WireMinimum {
        budget_period: period.period,
        currency: bound.currency,
        amount: Number(bound.amount.0),
    };
    period.minimums.iter().map(minimum).collect()
}

/// The names of a shape. Periods that it does not tell apart are one.
fn terms(table: &PlatformTable, shape: Shape) -> WireTerms {
    let mut budget_periods: Vec<WirePeriod> = Vec::new();
    for period in &table.periods {
        let Some(name) = period_name(shape, period.period) else { continue };
        if budget_periods.iter().all(|known| known.period != name) {
            budget_periods.push(wire_period(period, name, shape));
        }
    }
    WireTerms {
        platform: shape.platform_name(table.platform),
        goals: goal_names(shape, table.goals),
        statuses: status_names(shape, table.statuses),
        budget_periods,
    }
}

fn wire_period(table: &PeriodTable, period: &'static str, shape: Shape) -> WirePeriod {
    let PeriodTable { period: _, needs, goals, held_by, minimums, maximums } = table;
    let bounds = |bounds: &[Bound]| bounds.iter().map(wire_bound).collect();
    WirePeriod {
        period,
        needs,
        goals: goal_names(shape, goals),
        held_by: held_by.as_str(),
        minimums: bounds(minimums),
        maximums: bounds(maximums),
    }
}

fn wire_bound(bound: &Bound) -> WireBound {
    let Bound { currency, amount, set_by } = bound;
    WireBound { currency: *currency, amount: Number(*amount), set_by }
}
