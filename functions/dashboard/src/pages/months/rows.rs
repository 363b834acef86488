//! The rows of the page: campaigns with a monthly budget in all currencies, and the ad accounts of each currency.

use super::MonthData;
use crate::client::readings::{Account, CampaignRow, Overview, Sums};
use crate::kit::forecast::{MonthClock, Phase};
use crate::kit::month::Resumption;
use crate::kit::month_end::{self, MonthEnd, MonthEndWords, Running, Verdict, phase_words};
use crate::kit::total::Total;
use jiff::Timestamp;
use jiff::civil::Date;
use rust_decimal::Decimal;
use shared::domain::Currency;
use shared::domain::monthly::{Month, begin_of};
use std::cmp::Reverse;

/// A row: a campaign with its budget, or an ad account.
#[derive(Clone, Debug)]
pub(super) struct MonthRow {
    /// The platform for people.
    pub(super) platform: &'static str,
    /// Name and number of the ad account.
    pub(super) account: (String, String),
    pub(super) currency: Currency,
    /// Where it is another month than that of the page: `Its December begins 1 Dec, 08:00 UTC`.
    pub(super) other_month: Option<String>,
    pub(super) spent: Total,
    /// What the month comes to; `None` for one that is over.
    pub(super) forecast: Option<Total>,
    /// `None` for an ad account: what it spends is not that of one budget.
    pub(super) budget: Option<Budget>,
}

/// A campaign and its monthly budget.
#[derive(Clone, Debug)]
pub(super) struct Budget {
    pub(super) name: String,
    pub(super) id: String,
    /// The state of a campaign that is not active.
    pub(super) badge: Option<String>,
    pub(super) words: MonthEndWords,
    /// The even share of the amount until now.
    pub(super) expected: Option<Decimal>,
    pub(super) end: MonthEnd,
    /// Whether it spends now.
    pub(super) running: Running,
    /// The first day of the next month, and when it begins by the reports of the ad account.
    pub(super) next_month: Option<(Date, Timestamp)>,
    /// Its daily budget at the platform.
    pub(super) daily: Decimal,
}

/// The rows of the page.
#[derive(Debug)]
pub(super) struct MonthRows {
    /// The worst first.
    pub(super) campaigns: Vec<MonthRow>,
    pub(super) currencies: Vec<CurrencyRows>,
}

/// The ad accounts with a currency.
#[derive(Debug)]
pub(super) struct CurrencyRows {
    pub(super) currency: Currency,
    /// Those that spent most first.
    pub(super) accounts: Vec<MonthRow>,
    /// Numbers of an ad account are missing: sums without them are lower bounds.
    pub(super) is_partial: bool,
}

/// The rows of a month. Without an overview the month is over, and budgets are not known.
pub(super) fn rows(data: &MonthData, month: Month, now: Timestamp) -> MonthRows {
    let MonthData { insights, overview, goes_on } = data;
    let row = |row: &CampaignRow| {
        let account = insights.accounts.iter().find(|account| account.connection.id.0 == row.connection)?;
        campaign_row(row, account, goes_on.get(&row.campaign.id).copied(), (month, now))
    };
    let mut campaigns: Vec<MonthRow> = overview.iter().flat_map(|overview| &overview.rows).filter_map(row).collect();
    campaigns.sort_by_cached_key(|row| {
        let end = row.budget.as_ref().map(|budget| budget.end);
        let order = end.map(|end| (end.verdict(), Reverse(end.gravity())));
        (order, row.name().to_lowercase())
    });
    MonthRows { campaigns, currencies: currencies(data, month, now) }
}

/// The ad accounts of each currency.
fn currencies(data: &MonthData, month: Month, now: Timestamp) -> Vec<CurrencyRows> {
    let insights = &data.insights;
    let mut currencies = insights.currencies();
    let known = insights.accounts.iter().filter_map(|account| account.connection.currency);
    let mut others: Vec<Currency> = known.filter(|currency| !currencies.contains(currency)).collect();
    others.sort_by_key(|currency| currency.code());
    others.dedup();
    currencies.extend(others);
    let of = |currency: Currency| {
        let own = insights.accounts.iter().filter(|account| account.connection.currency == Some(currency));
        let row = |account| account_row(account, currency, data.overview.as_ref(), month, now);
        let mut accounts: Vec<MonthRow> = own.filter_map(row).collect();
        accounts.sort_by_cached_key(|row| (Reverse(row.spent.known()), row.account.0.to_lowercase()));
        CurrencyRows { currency, accounts, is_partial: insights.lacks(None, currency) }
    };
    currencies.into_iter().map(of).collect()
}

impl MonthRow {
    /// The name of the campaign, or of the ad account.
    pub(super) fn name(&self) -> &str {
        self.budget.as_ref().map_or(&self.account.0, |budget| &budget.name)
    }

    /// Whether its numbers are complete.
    pub(super) fn is_whole(&self) -> bool {
        self.spent.exact().is_some() && self.forecast.is_none_or(|forecast| forecast.exact().is_some())
    }

    /// How the month of a campaign ends.
    pub(super) fn verdict(&self) -> Option<Verdict> {
        self.budget.as_ref().map(|budget| budget.end.verdict())
    }
}

/// What ad accounts of one currency have spent, and what their month comes to; `None` for a month that is over.
pub(super) fn sum(CurrencyRows { accounts, is_partial, .. }: &CurrencyRows) -> (Total, Option<Total>) {
    let (mut spent, mut forecast) = (Total::default(), Total::default());
    for row in accounts {
        spent.add(row.spent);
        forecast.add(row.forecast.unwrap_or(Total::UNKNOWN));
    }
    let bounded = |total: Total| if *is_partial { total.lower_bound() } else { total };
    let has_forecast = accounts.iter().any(|row| row.forecast.is_some());
    (bounded(spent), has_forecast.then(|| bounded(forecast)))
}

/// The spend of the month that an ad account has reported, of one campaign or of all. Nothing is spent of one that has not begun
/// there: what is read then is of the month before.
fn reported(account: &Account, clock: MonthClock, of: impl Fn(&Sums) -> Total) -> Total {
    match &account.now {
        _ if matches!(clock.phase, Phase::NotBegun(_)) => Total::ZERO,
        Some(sums) => of(sums),
        None if account.is_missing => Total::UNKNOWN,
        None => Total::ZERO,
    }
}

/// The moment in the month for which the numbers of an ad account are true: that of their reading. So what follows from them is
/// the same until they are read again.
fn clock(account: &Account, month: Month, now: Timestamp) -> Option<MonthClock> {
    let zone = account.connection.report_zone();
    let today = MonthClock::in_month(month, now, &zone)?;
    let read = account.read_at.and_then(|at| MonthClock::in_month(month, at, &zone));
    Some(read.filter(|read| read.phase == today.phase).unwrap_or(today))
}

fn account_row(
    account: &Account,
    currency: Currency,
    overview: Option<&Overview>,
    month: Month,
    now: Timestamp,
) -> Option<MonthRow> {
    let clock = clock(account, month, now)?;
    let spent = reported(account, clock, |sums| sums.of_all().spend);
    let row = MonthRow { spent, ..row(account, currency, clock) };
    let Some(overview) = overview else { return Some(MonthRow { other_month: not_over(account, clock), ..row }) };
    let connection = &account.connection;
    let known = overview.accounts.iter().find(|known| known.connection == connection.id.0);
    let week = known.and_then(|known| known.spend).map_or(Total::UNKNOWN, |spend| spend.week);
    // The days that are left say nothing of a month of which nothing is known.
    let forecast = if spent.known().is_some() { clock.forecast(spent, week, currency) } else { Total::UNKNOWN };
    Some(MonthRow { forecast: Some(forecast), ..row })
}

/// `Its November ends 1 Dec, 08:00 UTC`, of a month that is over but not there.
fn not_over(account: &Account, clock: MonthClock) -> Option<String> {
    let (_, end) = next_month(clock.month, account).filter(|_| clock.phase == Phase::Running)?;
    Some(format!("Its {} ends {}", clock.month.first().strftime("%B"), end.strftime("%-d %b, %H:%M UTC")))
}

/// The row of a campaign; `None` for one without a monthly budget. Its spend is that of the report on the month, as of the
/// ad account; until that is read it is at least what this service has counted.
fn campaign_row(
    row: &CampaignRow,
    account: &Account,
    resumption: Option<Resumption>,
    (shown, now): (Month, Timestamp),
) -> Option<MonthRow> {
    let CampaignRow { campaign, numbers, .. } = row;
    let (month, currency) = (campaign.monthly?, campaign.currency);
    let clock = clock(account, shown, now)?;
    let reported = reported(account, clock, |sums| sums.of(&campaign.id).spend);
    let spent = month_end::spent(reported, month, clock);
    let running = row.running(resumption, now);
    let end = MonthEnd::of(campaign, [spent, numbers.spend.week], running, clock)?;
    let reason = row.not_running_line(now).filter(|_| row.does_not_run(now));
    let (badge, _) = campaign.badge(resumption, now);
    let budget = Budget {
        name: campaign.name.clone(),
        id: campaign.id.to_string(),
        badge: (!campaign.is_active(now)).then_some(badge),
        expected: clock.expected(month.amount, currency),
        words: end.words(campaign, reason.as_deref()),
        end,
        running,
        next_month: next_month(clock.month, account),
        daily: month.daily_now,
    };
    let row = self::row(account, currency, clock);
    Some(MonthRow { spent, forecast: Some(end.forecast), budget: Some(budget), ..row })
}

fn next_month(month: Month, account: &Account) -> Option<(Date, Timestamp)> {
    let first = month.next().first();
    begin_of(first, &account.connection.report_zone()).map(|at| (first, at))
}

/// The row of an ad account of which nothing is known yet.
fn row(Account { connection, .. }: &Account, currency: Currency, clock: MonthClock) -> MonthRow {
    MonthRow {
        platform: connection.platform_name(),
        account: (connection.own_name().to_owned(), connection.remote_account_id.clone()),
        currency,
        other_month: phase_words(clock.month, clock.phase),
        spent: Total::UNKNOWN,
        forecast: None,
        budget: None,
    }
}
