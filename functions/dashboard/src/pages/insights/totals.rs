//! The total of each currency, first that in which most campaigns spent. That one has its spend by day; the others are
//! folded.

use super::lines::sum;
use super::view::View;
use crate::client::readings::{AccountNumbers, InsightsData};
use crate::kit::chart::{Bars, ChartDays, spend_chart};
use crate::kit::money;
use crate::kit::numbers::{CONVERSIONS, Numbers, TITLES};
use crate::kit::range::{Range, label};
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
    /// `None` for a currency that is folded.
    pub(super) days: Option<SpendByDay>,
    /// The page of this currency alone.
    pub(super) path: String,
}

/// The spend of a currency by day, as a chart and as text.
pub(super) struct SpendByDay {
    pub(super) chart: Bars,
    /// `16 Nov: 55.50`
    pub(super) texts: Vec<String>,
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
pub(super) fn totals(gathered: &InsightsData, range: Range, view: &View) -> Vec<CurrencyTotal> {
    let mut totals: Vec<CurrencyTotal> = Vec::new();
    for currency in gathered.currencies() {
        let accounts: Vec<AccountNumbers<'_>> =
            gathered.accounts_with_numbers().filter(|told| told.currency == currency).collect();
        if accounts.iter().any(|told| !told.now.campaigns.is_empty()) {
            let path = view.in_currency(currency).path();
            let total = CurrencyTotal { path, ..total(gathered, currency, &accounts) };
            let days = totals.is_empty().then(|| spend_by_day(&total.id, range, currency, &accounts));
            totals.push(CurrencyTotal { days, ..total });
        }
    }
    totals
}

/// The difference of each number, in the order of [`TITLES`].
pub(super) fn changes(now: &Numbers, before: Option<&Numbers>) -> [String; 9] {
    let sum = |of: fn(&Numbers) -> Total| change(of(now).exact(), before.and_then(|before| of(before).exact()));
    let ratio = |of: fn(&Numbers) -> Option<Decimal>| change(of(now), before.and_then(of));
    [
        sum(|numbers| numbers.spend),
        sum(|numbers| numbers.impressions),
        sum(|numbers| numbers.clicks),
        ratio(Numbers::click_rate),
        ratio(Numbers::click_cost),
        sum(|numbers| numbers.conversions),
        ratio(Numbers::conversion_cost),
        sum(|numbers| numbers.conversion_value),
        ratio(Numbers::return_on_spend),
    ]
}

/// The total of the ad accounts with a currency.
fn total(gathered: &InsightsData, currency: Currency, accounts: &[AccountNumbers<'_>]) -> CurrencyTotal {
    let (now, before) = sum(accounts.iter().copied());
    let now = if gathered.lacks(None, currency) { now.lower_bound() } else { now };
    let currency = currency.code();
    let values = now.cells(currency).into_iter().zip(changes(&now, before.as_ref()));
    let figures = TITLES.into_iter().zip(values).enumerate().map(|(at, (title, (value, change)))| Figure {
        is_open: at >= CONVERSIONS && now.is_open,
        title,
        value,
        change,
    });
    let id = format!("total-{}", currency.to_ascii_lowercase());
    CurrencyTotal { figures: figures.collect(), id, currency, days: None, path: String::new() }
}

fn spend_by_day(id: &str, range: Range, currency: Currency, accounts: &[AccountNumbers<'_>]) -> SpendByDay {
    let currency = currency.code();
    let days: Vec<_> = range.days().into_iter().map(|day| (day, on(accounts, day))).collect();
    let text = |(day, numbers): &(Date, Option<Numbers>)| {
        let spend = numbers.as_ref().map(|numbers| numbers.spend).unwrap_or_default();
        format!("{}: {}", label(*day), spend.text(|amount| money::amount_text(amount, currency)))
    };
    let texts = days.iter().map(text).collect();
    let chart = ChartDays { id, subject: "All ad accounts", currency, range, days: &days };
    SpendByDay { chart: spend_chart(chart), texts }
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
