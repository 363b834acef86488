//! The rows of the page: campaigns with a monthly budget, and ad accounts, each currency by itself.

use super::MonthData;
use crate::client::accounts::Connection;
use crate::client::readings::{Account, CampaignRow, Overview};
use crate::kit::forecast::{MonthClock, held};
use crate::kit::total::Total;
use jiff::Timestamp;
use rust_decimal::Decimal;
use shared::domain::monthly::Month;
use shared::domain::{CampaignId, Currency};
use std::cmp::Reverse;
use std::collections::BTreeSet;

/// A row: a campaign, or an ad account.
#[derive(Clone, Debug)]
pub(super) struct MonthRow {
    /// The platform for people.
    pub(super) platform: &'static str,
    /// Name and number of the ad account.
    pub(super) account: (String, String),
    /// Name and id of the campaign.
    pub(super) campaign: Option<(String, String)>,
    pub(super) month: Month,
    /// The state of a campaign that is not active.
    pub(super) badge: Option<String>,
    pub(super) spent: Total,
    /// What is planned for a month that is not over.
    pub(super) plan: Option<Plan>,
    /// What the month comes to; `None` for one that is over.
    pub(super) forecast: Option<Total>,
    /// A monthly budget keeps the forecast at its amount.
    pub(super) is_held: bool,
}

/// A monthly budget, or the sum of those of an ad account.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Plan {
    pub(super) amount: Decimal,
    /// The even share of it until now.
    pub(super) expected: Option<Decimal>,
}

/// What is in a currency.
#[derive(Debug)]
pub(super) struct CurrencyRows {
    pub(super) currency: Currency,
    /// Those with the largest budgets first.
    pub(super) campaigns: Vec<MonthRow>,
    /// Those that spent most first.
    pub(super) accounts: Vec<MonthRow>,
    /// Numbers of an ad account are missing: sums without them are lower bounds.
    pub(super) is_partial: bool,
}

/// The rows of each currency. Without an overview the month is over, and budgets are not known.
pub(super) fn rows(
    MonthData { insights: data, overview, goes_on }: &MonthData,
    month: Month,
    now: Timestamp,
) -> Vec<CurrencyRows> {
    let overview = overview.as_ref();
    let mut currencies = data.currencies();
    let known = data.accounts.iter().filter_map(|account| account.connection.currency);
    let mut others: Vec<Currency> = known.filter(|currency| !currencies.contains(currency)).collect();
    others.sort_by_key(|currency| currency.code());
    others.dedup();
    currencies.extend(others);
    let of = |currency: Currency| {
        let own = data.accounts.iter().filter(|account| account.connection.currency == Some(currency));
        let mut accounts: Vec<MonthRow> =
            own.clone().filter_map(|account| account_row(account, currency, overview, month, now)).collect();
        accounts.sort_by_cached_key(|row| (Reverse(row.spent.known()), row.account.0.to_lowercase()));
        let budgets = overview.into_iter().flat_map(|overview| &overview.rows);
        let mut campaigns: Vec<MonthRow> = budgets
            .filter_map(|row| {
                let account = own.clone().find(|account| account.connection.id.0 == row.connection)?;
                campaign_row(row, account, currency, (goes_on, now))
            })
            .collect();
        campaigns.sort_by_cached_key(|row| (Reverse(row.plan.map(|plan| plan.amount)), row.name().to_lowercase()));
        CurrencyRows { currency, campaigns, accounts, is_partial: data.lacks(None, currency) }
    };
    currencies.into_iter().map(of).collect()
}

impl MonthRow {
    /// The name of the campaign, or of the ad account.
    pub(super) fn name(&self) -> &str {
        let (name, _) = self.campaign.as_ref().unwrap_or(&self.account);
        name
    }
}

/// The sum of rows of one currency. Without a plan in every row there is none in the sum.
pub(super) fn sum(rows: &[MonthRow], is_partial: bool) -> (Total, Option<Plan>, Option<Total>) {
    let (mut spent, mut forecast) = (Total::default(), Total::default());
    let mut plan = Some(Plan { amount: Decimal::ZERO, expected: Some(Decimal::ZERO) });
    for row in rows {
        spent.add(row.spent);
        forecast.add(row.forecast.unwrap_or(Total::UNKNOWN));
        plan = plan.zip(row.plan).and_then(|(sum, more)| {
            let expected = sum.expected.zip(more.expected).and_then(|(sum, more)| sum.checked_add(more));
            Some(Plan { amount: sum.amount.checked_add(more.amount)?, expected })
        });
    }
    let bounded = |total: Total| if is_partial { total.lower_bound() } else { total };
    let has_forecast = rows.iter().any(|row| row.forecast.is_some());
    (bounded(spent), plan, has_forecast.then(|| bounded(forecast)))
}

fn account_row(
    account: &Account,
    currency: Currency,
    overview: Option<&Overview>,
    month: Month,
    now: Timestamp,
) -> Option<MonthRow> {
    let connection = &account.connection;
    let spent = match &account.now {
        Some(sums) => sums.of_all().spend,
        None if account.is_missing => Total::UNKNOWN,
        None => Total::ZERO,
    };
    let row = MonthRow { spent, ..row(connection, month) };
    let Some(overview) = overview else { return Some(row) };
    let clock = MonthClock::at(now, &connection.report_zone())?;
    let known = overview.accounts.iter().find(|known| known.connection == connection.id.0);
    let week = known.and_then(|known| known.spend).map_or(Total::UNKNOWN, |spend| spend.week);
    let amount =
        known.filter(|known| known.read_at.is_some() && !known.is_cut).and_then(|_| planned(overview, connection));
    Some(MonthRow {
        month: clock.month,
        plan: amount.map(|amount| Plan { amount, expected: clock.expected(amount, currency) }),
        forecast: Some(clock.forecast(spent, week, currency)),
        ..row
    })
}

/// The sum of the monthly budgets in an ad account; `None` if something else spends there, too.
fn planned(overview: &Overview, connection: &Connection) -> Option<Decimal> {
    let mut sum = None;
    for CampaignRow { campaign, .. } in overview.rows.iter().filter(|row| row.connection == connection.id.0) {
        let is_active = campaign.is_active(overview.now);
        match campaign.monthly {
            Some(month) if is_active || month.spent > Decimal::ZERO => {
                sum = Some(sum.unwrap_or(Decimal::ZERO).checked_add(month.amount)?);
            }
            None if is_active => return None,
            Some(_) | None => {}
        }
    }
    sum
}

/// The row of a campaign; `None` for one without a monthly budget. Its spend is that of the report on the month, as of the
/// ad account; until that is read it is at least what this service has counted.
fn campaign_row(
    row: &CampaignRow,
    account: &Account,
    currency: Currency,
    (goes_on, now): (&BTreeSet<CampaignId>, Timestamp),
) -> Option<MonthRow> {
    let CampaignRow { campaign, numbers, .. } = row;
    let month = campaign.monthly?;
    let clock = MonthClock::at(now, &account.connection.report_zone())?;
    let reported = match &account.now {
        Some(sums) => sums.of(&campaign.id).spend,
        None if account.is_missing => Total::UNKNOWN,
        None => Total::ZERO,
    };
    let counted = (month.month == clock.month).then_some(month.spent);
    let spent = if reported.known().is_some() { reported } else { Total::of(counted).lower_bound() };
    let (forecast, is_held) = if campaign.is_active(now) {
        held(clock.forecast(spent, numbers.spend.week, currency), spent, month.amount)
    } else {
        (spent, false)
    };
    let (badge, _) = campaign.badge(goes_on.contains(&campaign.id), now);
    Some(MonthRow {
        campaign: Some((campaign.name.clone(), campaign.id.to_string())),
        badge: (!campaign.is_active(now)).then_some(badge),
        spent,
        plan: Some(Plan { amount: month.amount, expected: clock.expected(month.amount, currency) }),
        forecast: Some(forecast),
        is_held,
        ..self::row(&account.connection, clock.month)
    })
}

/// The row of an ad account of which nothing is known yet.
fn row(connection: &Connection, month: Month) -> MonthRow {
    MonthRow {
        platform: connection.platform_name(),
        account: (connection.own_name().to_owned(), connection.remote_account_id.clone()),
        campaign: None,
        month,
        badge: None,
        spent: Total::UNKNOWN,
        plan: None,
        forecast: None,
        is_held: false,
    }
}
