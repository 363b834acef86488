//! The total of each currency, first that in which most campaigns spent. That one has its spend by day; the others are
//! folded.

use super::lines::sum;
use super::view::View;
use crate::client::readings::{AccountNumbers, InsightsData};
use crate::kit::bound::Ratio;
use crate::kit::chart::{Bars, ChartDays, spend_chart};
use crate::kit::missing::without;
use crate::kit::money;
use crate::kit::numbers::{CONVERSIONS, NumberCell, Numbers, TITLES};
use crate::kit::range::{Range, label};
use crate::kit::ratio::change;
use crate::kit::total::Total;
use jiff::Timestamp;
use jiff::civil::Date;
use shared::domain::Currency;

/// The total of a currency.
pub(super) struct CurrencyTotal {
    /// Prefix of ids on the page.
    pub(super) id: String,
    pub(super) currency: &'static str,
    pub(super) spend: (Currency, Total),
    /// What the numbers are without: `TikTok as of 02:58 UTC`.
    pub(super) without: Option<String>,
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
    pub(super) value: NumberCell,
    pub(super) change: String,
    /// The platform may still add conversions.
    pub(super) is_open: bool,
}

impl Figure {
    /// The number, for the template of numbers.
    pub(super) fn cell(&self) -> &NumberCell {
        &self.value
    }
}

/// The totals, without currencies in which nothing happened.
pub(super) fn totals(gathered: &InsightsData, view: &View, now: Timestamp) -> Vec<CurrencyTotal> {
    let mut totals: Vec<CurrencyTotal> = Vec::new();
    for currency in gathered.currencies() {
        let accounts: Vec<AccountNumbers<'_>> =
            gathered.accounts_with_numbers().filter(|told| told.currency == currency).collect();
        if accounts.iter().any(|told| !told.now.campaigns.is_empty()) {
            let path = view.in_currency(currency).path();
            let without = without(&gathered.missing_parts(currency), now);
            let total = CurrencyTotal { path, without, ..total(gathered, currency, &accounts) };
            let days = if totals.is_empty() { spend_by_day(&total.id, currency, &accounts) } else { None };
            totals.push(CurrencyTotal { days, ..total });
        }
    }
    totals
}

/// The difference of each number, in the order of [`TITLES`].
pub(super) fn changes(now: &Numbers, before: Option<&Numbers>) -> [String; 9] {
    let sum = |of: fn(&Numbers) -> Total| change(of(now).exact(), before.and_then(|before| of(before).exact()));
    let ratio = |of: fn(&Numbers) -> Ratio| change(of(now).exact(), before.and_then(|before| of(before).exact()));
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
    let (spend, currency) = ((currency, now.spend), currency.code());
    let values = now.cells(currency).into_iter().zip(changes(&now, before.as_ref()));
    let figures = TITLES.into_iter().zip(values).enumerate().map(|(at, (title, (value, change)))| Figure {
        is_open: at >= CONVERSIONS && now.is_open,
        title,
        value,
        change,
    });
    let id = format!("total-{}", currency.to_ascii_lowercase());
    CurrencyTotal { figures: figures.collect(), id, currency, spend, without: None, days: None, path: String::new() }
}

/// The spend by day: of each ad account in its own days, the first of one beside the first of another. So it has as many
/// days as the page says, and adds up to the total.
fn spend_by_day(id: &str, currency: Currency, accounts: &[AccountNumbers<'_>]) -> Option<SpendByDay> {
    let currency = currency.code();
    let range = Range::shared(accounts.iter().map(|told| told.account.range))?;
    let days: Vec<_> = range.days().into_iter().map(|day| (day, on(accounts, range, day))).collect();
    let text = |(day, numbers): &(Date, Option<Numbers>)| {
        let spend = numbers.as_ref().map(|numbers| numbers.spend).unwrap_or_default();
        format!("{}: {}", label(*day), spend.text(|amount| money::amount_text(amount, currency)))
    };
    let texts = days.iter().map(text).collect();
    let chart = ChartDays { id, subject: "All ad accounts", currency, range, days: &days };
    Some(SpendByDay { chart: spend_chart(chart), texts })
}

/// The numbers at the place of a day; `None` without a row.
fn on(accounts: &[AccountNumbers<'_>], range: Range, day: Date) -> Option<Numbers> {
    let parts = accounts.iter().filter_map(|told| told.now.days.get(&told.account.range.day_at(range, day)));
    parts.fold(None, |sum: Option<Numbers>, part| {
        let mut sum = sum.unwrap_or_default();
        sum.add(part);
        Some(sum)
    })
}
