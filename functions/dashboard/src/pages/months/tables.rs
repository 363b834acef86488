//! The rows of the page in words.

use super::rows::{CurrencyRows, MonthRow, Plan, sum};
use super::view;
use crate::kit::addresses;
use crate::kit::money;
use crate::kit::text::grouped;
use crate::kit::total::Total;
use rust_decimal::Decimal;
use shared::domain::Currency;
use shared::domain::monthly::Month;

/// Rows of campaigns on the page, and rows of ad accounts. The file has all.
const MOST_ROWS: usize = 25;
const DASH: &str = "–";

/// What is in a currency, for people.
pub(super) struct CurrencyTables {
    pub(super) code: &'static str,
    /// The sum of its ad accounts: `1,234.50 USD spent by 3 ad accounts`.
    pub(super) summary: String,
    pub(super) is_folded: bool,
    pub(super) tables: Vec<Table>,
}

/// A table.
pub(super) struct Table {
    /// Unique on the page.
    pub(super) id: String,
    pub(super) title: &'static str,
    /// The heading of the first column.
    pub(super) subject: &'static str,
    /// The sum of its rows in a sentence.
    pub(super) sum: String,
    pub(super) rows: Vec<TableRow>,
    /// The number of rows that are in the file only.
    pub(super) more: Option<String>,
}

/// A row for people.
pub(super) struct TableRow {
    pub(super) name: String,
    /// The page of a campaign.
    pub(super) path: Option<String>,
    pub(super) platform: &'static str,
    pub(super) detail: String,
    pub(super) badge: Option<String>,
    pub(super) spent: String,
    /// The spend in percent of the budget: for people, and of the bar.
    pub(super) percent: Option<(String, u64)>,
    pub(super) budget: String,
    pub(super) expected: String,
    pub(super) forecast: String,
    pub(super) is_held: bool,
}

/// The tables of all currencies. The first one is open.
pub(super) fn tables(currencies: &[CurrencyRows], month: Month) -> Vec<CurrencyTables> {
    let (mut campaigns_left, mut accounts_left) = (MOST_ROWS, MOST_ROWS);
    let mut shown = Vec::new();
    for (at, rows) in currencies.iter().enumerate() {
        let CurrencyRows { currency, campaigns, accounts, is_partial } = rows;
        let code = currency.code();
        let count = accounts.len();
        let word = if count == 1 { "ad account" } else { "ad accounts" };
        let (spent, ..) = sum(accounts, *is_partial);
        let table = |subject, title, rows: &[MonthRow], left: &mut usize| {
            let first = &rows[..rows.len().min(*left)];
            *left -= first.len();
            Table {
                id: format!("{}-{}", if subject == "Campaign" { "campaigns" } else { "accounts" }, code.to_lowercase()),
                title,
                subject,
                sum: sentence(sum(rows, *is_partial), *currency),
                more: (first.len() < rows.len()).then(|| number(rows.len() - first.len())),
                rows: first.iter().map(|row| table_row(row, *currency, month)).collect(),
            }
        };
        let mut tables = Vec::new();
        if !campaigns.is_empty() {
            tables.push(table("Campaign", "Campaigns with a monthly budget", campaigns, &mut campaigns_left));
        }
        tables.push(table("Ad account", "Ad accounts", accounts, &mut accounts_left));
        let summary = format!("{} spent by {} {word}", in_currency(spent, *currency), number(count));
        shown.push(CurrencyTables { code, summary, is_folded: at > 0, tables });
    }
    shown
}

fn table_row(row: &MonthRow, currency: Currency, month: Month) -> TableRow {
    let amount = |amount: Option<Decimal>| amount.map_or_else(|| DASH.to_owned(), |amount| text(amount, currency));
    let budget = row.plan.map(|plan| plan.amount);
    let (account, number) = &row.account;
    let account = match &row.campaign {
        None if account == number => String::new(),
        None => number.clone(),
        Some(_) => account.clone(),
    };
    // Where it is another month already, the row says so.
    let other = if row.month == month { String::new() } else { view::name(row.month) };
    let parts: Vec<String> = [account, other].into_iter().filter(|part| !part.is_empty()).collect();
    TableRow {
        name: row.name().to_owned(),
        path: row.campaign.as_ref().map(|(_, id)| addresses::campaign(id)),
        platform: row.platform,
        detail: parts.join(", "),
        badge: row.badge.clone(),
        spent: row.spent.text(|amount| text(amount, currency)),
        percent: row.spent.exact().zip(budget).and_then(|(spent, budget)| money::percent(spent, budget)),
        budget: amount(budget),
        expected: amount(row.plan.and_then(|plan| plan.expected)),
        forecast: row.forecast.map_or_else(|| DASH.to_owned(), |sum| sum.text(|amount| text(amount, currency))),
        is_held: row.is_held,
    }
}

/// `1,200.00 USD spent of 3,000.00 USD, 1,500.00 USD expected by now, 2,900.00 USD at this pace.`
fn sentence((spent, plan, forecast): (Total, Option<Plan>, Option<Total>), currency: Currency) -> String {
    let mut text = format!("{} spent", in_currency(spent, currency));
    if let Some(plan) = plan {
        text.push_str(&format!(" of {}", money::in_currency(plan.amount, currency)));
        if let Some(expected) = plan.expected {
            text.push_str(&format!(", {} expected by now", money::in_currency(expected, currency)));
        }
    }
    if let Some(forecast) = forecast {
        text.push_str(&format!(", {} at this pace", in_currency(forecast, currency)));
    }
    text.push('.');
    text
}

fn in_currency(total: Total, currency: Currency) -> String {
    total.text(|amount| money::in_currency(amount, currency))
}

fn text(amount: Decimal, currency: Currency) -> String {
    money::amount_text(amount, currency.code())
}

fn number(count: usize) -> String {
    grouped(u64::try_from(count).unwrap_or(u64::MAX))
}
