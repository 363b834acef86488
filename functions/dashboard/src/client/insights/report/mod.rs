//! The charts of a campaign's spend and clicks, and the table with the same numbers.

use super::chart::{ChartDays, clicks_chart, spend_chart};
use super::groups::Group;
use super::range::{Range, label};
use super::sums::{Numbers, rounded, shown_rate};
use crate::client::accounts::platform_name;
use crate::kit::chart::Bars;
use crate::kit::money;
use crate::pages::layout::grouped_digits;
use askama::Template;
use rust_decimal::Decimal;

/// Decimals of an amount for a click, if the currency has fewer.
const MIN_COST_DECIMALS: u32 = 2;

/// The charts and the table of a group.
#[derive(Template)]
#[template(path = "client/insights/report/insights_report.html")]
pub(crate) struct Report {
    /// The platform and the currency.
    heading: String,
    currency: String,
    /// The totals in a sentence.
    summary: String,
    spend: Bars,
    clicks: Bars,
    rows: Vec<TableRow>,
    total: TableRow,
    /// Whether the table is shown at once.
    is_open: bool,
    notes: Vec<String>,
}

struct TableRow {
    day: String,
    is_running: bool,
    /// The platform may still add conversions.
    is_open: bool,
    /// Spend, impressions, clicks, CTR, CPC.
    cells: [String; 5],
    /// Conversions, conversion value.
    conversions: [String; 2],
}

impl Report {
    /// The report of a group. `number` makes its ids unique on the page.
    pub(crate) fn new(group: &Group, range: Range, number: usize) -> Report {
        let Group { platform, currency, days, total, .. } = group;
        let row = |text: String, numbers: &Numbers, is_running: bool| {
            let [spend, impressions, clicks, rate, cost, conversions, value] = cells(numbers, currency);
            TableRow {
                day: text,
                is_running,
                is_open: numbers.is_open,
                cells: [spend, impressions, clicks, rate, cost],
                conversions: [conversions, value],
            }
        };
        let none = Numbers::default();
        let rows = days
            .iter()
            .map(|(day, numbers)| row(label(*day), numbers.as_ref().unwrap_or(&none), range.is_running(*day)))
            .collect();
        let [spent, _, clicked, ..] = &cells(total, currency);
        let id = format!("report-{number}");
        let subject = platform_name(platform);
        let chart = ChartDays { id: &id, subject, currency, range, days };
        Report {
            heading: format!("{subject}, {currency}"),
            spend: spend_chart(chart),
            clicks: clicks_chart(chart),
            currency: currency.clone(),
            summary: format!("{spent} {currency} spent and {clicked} clicks, {}.", range.text()),
            rows,
            total: row("All days".to_owned(), &Numbers { is_open: false, ..total.clone() }, false),
            is_open: range.is_short(),
            notes: notes(group),
        }
    }
}

/// Spend, impressions, clicks, CTR, CPC, conversions and conversion value for people.
pub(crate) fn cells(numbers: &Numbers, currency: &str) -> [String; 7] {
    let Numbers { spend, impressions, clicks, conversions, conversion_value, is_open: _ } = numbers;
    let money = |amount| money::shown(amount, currency);
    let count = |count: Decimal| grouped_digits(&count.normalize().to_string());
    let otherwise = || "–".to_owned();
    let decimals = money::decimals(currency).max(MIN_COST_DECIMALS);
    [
        spend.text(money),
        impressions.text(count),
        clicks.text(count),
        numbers.click_rate().map_or_else(otherwise, |rate| format!("{}%", shown_rate(rate))),
        numbers.click_cost().map_or_else(otherwise, |cost| grouped_digits(&rounded(cost, decimals).to_string())),
        conversions.text(count),
        conversion_value.text(money),
    ]
}

fn notes(group: &Group) -> Vec<String> {
    let Group { platform, days, time_zone, attribution, .. } = group;
    let first_open = days.iter().find(|(_, numbers)| numbers.as_ref().is_some_and(|numbers| numbers.is_open));
    let mut notes = vec![format!("Days are those of the time zone {time_zone}.")];
    if let Some((day, _)) = first_open {
        let platform = platform_name(platform);
        notes.push(format!("From {} on, {platform} may still add conversions: those are gray.", label(*day)));
    }
    if !attribution.is_empty() {
        notes.push(format!("Conversions: {}", ended(attribution)));
    }
    notes
}

/// The text as a sentence.
fn ended(text: &str) -> String {
    if text.ends_with('.') { text.to_owned() } else { format!("{text}.") }
}

#[cfg(test)]
mod tests;
