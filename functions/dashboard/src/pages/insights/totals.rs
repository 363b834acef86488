//! The total of each currency, and its spend by day.

use super::gather::{AccountNumbers, InsightsData};
use super::lines::{currencies, sum};
use crate::kit::chart::{Bars, ChartDays, spend_chart};
use crate::kit::numbers::Numbers;
use crate::kit::range::Range;
use crate::kit::ratio::change;
use crate::kit::total::Total;
use jiff::civil::Date;
use rust_decimal::Decimal;
use shared::domain::Currency;

/// The total of a currency.
pub(super) struct CurrencyTotal {
    /// Prefix of ids on the page.
    pub(super) id: String,
    pub(super) currency: &'static str,
    pub(super) figures: Vec<Figure>,
    pub(super) chart: Bars,
}

/// A number with its difference to the period before.
pub(super) struct Figure {
    pub(super) title: &'static str,
    pub(super) value: String,
    pub(super) change: String,
    /// The platform may still add conversions.
    pub(super) is_open: bool,
}

/// The totals, without currencies in which nothing happened.
pub(super) fn totals(gathered: &InsightsData, range: Range) -> Vec<CurrencyTotal> {
    let totals = currencies(gathered).into_iter().filter_map(|currency| {
        let accounts: Vec<AccountNumbers<'_>> =
            gathered.accounts_with_numbers().filter(|told| told.currency == currency).collect();
        let has_row = accounts.iter().any(|told| !told.now.campaigns.is_empty());
        has_row.then(|| total(gathered, range, currency, &accounts))
    });
    totals.collect()
}

/// The difference of each number, in the order of [`Numbers::cells`].
pub(super) fn changes(now: &Numbers, before: Option<&Numbers>) -> [String; 7] {
    let sum = |of: fn(&Numbers) -> Total| change(of(now).exact(), before.and_then(|before| of(before).exact()));
    let ratio = |of: fn(&Numbers) -> Option<Decimal>| change(of(now), before.and_then(of));
    [
        sum(|numbers| numbers.spend),
        sum(|numbers| numbers.impressions),
        sum(|numbers| numbers.clicks),
        ratio(Numbers::click_rate),
        ratio(Numbers::click_cost),
        sum(|numbers| numbers.conversions),
        sum(|numbers| numbers.conversion_value),
    ]
}

fn total(gathered: &InsightsData, range: Range, currency: Currency, accounts: &[AccountNumbers<'_>]) -> CurrencyTotal {
    const TITLES: [&str; 7] = ["Spend", "Impressions", "Clicks", "CTR", "CPC", "Conversions", "Conversion value"];
    let (now, before) = sum(accounts.iter().copied());
    let now = if gathered.lacks(None, currency) { now.lower_bound() } else { now };
    let currency = currency.code();
    let values = now.cells(currency).into_iter().zip(changes(&now, before.as_ref()));
    let figures = TITLES.into_iter().zip(values).map(|(title, (value, change))| Figure {
        is_open: title.starts_with("Conversion") && now.is_open,
        title,
        value,
        change,
    });
    let figures = figures.collect();
    let days: Vec<_> = range.days().into_iter().map(|day| (day, on(accounts, day))).collect();
    let id = format!("total-{}", currency.to_ascii_lowercase());
    let chart = ChartDays { id: &id, subject: "All ad accounts", currency, range, days: &days };
    CurrencyTotal { chart: spend_chart(chart), figures, id, currency }
}

/// The numbers of a day; `None` without a row.
fn on(accounts: &[AccountNumbers<'_>], day: Date) -> Option<Numbers> {
    let parts = accounts.iter().filter_map(|told| told.now.days.get(&day));
    parts.fold(None, |sum: Option<Numbers>, part| {
        let mut sum = sum.unwrap_or_default();
        sum.add(part);
        Some(sum)
    })
}
