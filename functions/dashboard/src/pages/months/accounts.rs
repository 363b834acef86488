//! The ad accounts of each currency, in words: what they have spent, and what their month comes to.

use super::rows::{CurrencyRows, MonthRow, sum};
use crate::kit::money;
use crate::kit::text::grouped;
use crate::kit::together::Together;
use crate::kit::total::Total;
use jiff::Timestamp;
use shared::domain::{Currency, Reporting};

/// Ad accounts on the page. The file has all.
const MOST_ROWS: usize = 25;

/// The ad accounts of a currency, for people.
pub(super) struct AccountTable {
    pub(super) code: &'static str,
    /// `At least 1,234.50 USD spent by 3 ad accounts`
    pub(super) summary: String,
    pub(super) is_folded: bool,
    /// The same with what the month comes to, in a sentence; empty if nothing is known.
    pub(super) sum: String,
    pub(super) rows: Vec<AccountRow>,
    /// The number of rows that are in the file only.
    pub(super) more: Option<String>,
}

/// An ad account for people.
pub(super) struct AccountRow {
    pub(super) name: String,
    pub(super) platform: &'static str,
    pub(super) detail: String,
    /// Where it is another month: `Its December begins 1 Dec, 08:00 UTC`.
    pub(super) other_month: Option<String>,
    pub(super) spent: String,
    pub(super) forecast: String,
}

/// The tables of all currencies. The first one is open.
pub(super) fn tables(currencies: &[CurrencyRows]) -> Vec<AccountTable> {
    let mut left = MOST_ROWS;
    let mut shown = Vec::new();
    for (at, rows) in currencies.iter().enumerate() {
        let CurrencyRows { currency, accounts, .. } = rows;
        let (spent, forecast) = sum(rows);
        let first = &accounts[..accounts.len().min(left)];
        left -= first.len();
        shown.push(AccountTable {
            code: currency.code(),
            summary: summary(spent, rows),
            is_folded: at > 0,
            sum: sentence(spent, forecast, *currency),
            more: (first.len() < accounts.len()).then(|| number(accounts.len() - first.len())),
            rows: first.iter().map(account_row).collect(),
        });
    }
    shown
}

/// What all of them have spent together, by the customer's own rates.
pub(super) fn together(reporting: Option<&Reporting>, currencies: &[CurrencyRows], now: Timestamp) -> Option<Together> {
    let spent = currencies.iter().map(|rows| (rows.currency, sum(rows).0)).collect();
    Together::of(reporting, &[(" spent", spent)], currencies.iter().any(|rows| rows.is_partial), now)
}

fn account_row(row: &MonthRow) -> AccountRow {
    let MonthRow { platform, account: (name, number), currency, other_month, spent, forecast, budget: _ } = row;
    let amount = |sum: &Total| sum.text(|amount| money::amount_text(amount, currency.code()));
    AccountRow {
        name: name.clone(),
        platform,
        detail: if name == number { String::new() } else { number.clone() },
        other_month: other_month.clone(),
        spent: amount(spent),
        forecast: forecast.as_ref().map(amount).unwrap_or_default(),
    }
}

/// `1,234.50 USD spent by 3 ad accounts`; `Not known yet: 2 ad accounts`.
fn summary(spent: Total, CurrencyRows { currency, accounts, .. }: &CurrencyRows) -> String {
    let word = if accounts.len() == 1 { "ad account" } else { "ad accounts" };
    let count = format!("{} {word}", number(accounts.len()));
    match in_currency(spent, *currency) {
        Some(spent) => format!("{spent} spent by {count}"),
        None => format!("Not known yet: {count}"),
    }
}

/// `At least 1,200.00 USD spent, at least 2,900.00 USD at the month’s end.`
fn sentence(spent: Total, forecast: Option<Total>, currency: Currency) -> String {
    let Some(spent) = in_currency(spent, currency) else { return String::new() };
    let forecast =
        forecast.and_then(|sum| sum.value_to_show().map(|_| sum.text(|it| money::in_currency(it, currency))));
    match forecast {
        Some(forecast) => format!("{spent} spent, {forecast} at the month’s end."),
        None => format!("{spent} spent."),
    }
}

/// A sum at the beginning of a line; `None` if it says nothing.
fn in_currency(sum: Total, currency: Currency) -> Option<String> {
    let amount = money::in_currency(sum.value_to_show()?, currency);
    Some(if sum.exact().is_none() { format!("At least {amount}") } else { amount })
}

fn number(count: usize) -> String {
    grouped(u64::try_from(count).unwrap_or(u64::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;
    use rust_decimal::Decimal;

    #[test]
    fn a_sum_begins_with_a_capital_and_an_unknown_one_says_so() {
        let currency = Currency::from_code("USD").unwrap();
        let whole = Total::of(Some(Decimal::from(1_200)));
        let text = |spent, forecast| sentence(spent, forecast, currency);
        assert_eq!(text(whole, Some(whole)), "1,200.00 USD spent, 1,200.00 USD at the month’s end.");
        let part = whole.lower_bound();
        assert_eq!(text(part, Some(part)), "At least 1,200.00 USD spent, at least 1,200.00 USD at the month’s end.");
        assert_eq!(
            (text(part, None), text(Total::UNKNOWN, None)),
            ("At least 1,200.00 USD spent.".into(), String::new())
        );
        let rows = |accounts| CurrencyRows { currency, accounts, is_partial: false };
        assert_eq!(summary(Total::UNKNOWN, &rows(Vec::new())), "Not known yet: 0 ad accounts");
    }
}
