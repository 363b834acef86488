//! Charts of spend and clicks, and the table with the same numbers.

use super::groups::Group;
use super::range::{Range, label};
use super::sums::Numbers;
use crate::accounts::platform_name;
use crate::chart::{Bars, Column, Frame};
use crate::layout::grouped_digits;
use crate::money;
use askama::Template;
use rust_decimal::Decimal;
use rust_decimal::prelude::ToPrimitive;

/// Height of the largest bar before the chart scales it: decimals become whole numbers without a float.
const FULL: u64 = 1_000_000;
/// Decimals of an amount for a click, if the currency has fewer.
const MIN_COST_DECIMALS: u32 = 2;
const KEY: &[(&str, &str)] = &[("good", "final"), ("open", "still changing")];
const FINAL_KEY: &[(&str, &str)] = &[];

/// The charts and the table of a group.
#[derive(Template)]
#[template(path = "insights_report.html")]
pub(crate) struct Report {
    /// The platform and the currency.
    pub(crate) heading: String,
    /// Prefix of ids on the page.
    pub(crate) id: String,
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
    is_changing: bool,
    /// Spend, impressions, clicks, CTR, CPC, conversions, conversion value.
    cells: [String; 7],
}

impl Report {
    /// The report of a group. `number` makes its ids unique on the page.
    pub(crate) fn new(group: &Group, range: Range, number: usize) -> Report {
        let Group { platform, currency, days, total, .. } = group;
        let rows: Vec<TableRow> = days
            .iter()
            .map(|(day, numbers)| TableRow::new(label(*day), numbers.as_ref().unwrap_or(&Numbers::default()), currency))
            .collect();
        let [spent, _, clicked, ..] = &cells(total, currency);
        let summary = format!("{spent} {currency} spent and {clicked} clicks, {}.", range.text());
        let id = format!("report-{number}");
        Report {
            heading: format!("{}, {currency}", platform_name(platform)),
            spend: chart(&id, group, Measure::Spend),
            clicks: chart(&id, group, Measure::Clicks),
            id,
            currency: currency.clone(),
            summary,
            rows,
            total: TableRow::new("All days".to_owned(), &Numbers { is_open: false, ..total.clone() }, currency),
            is_open: range.is_short(),
            notes: notes(group),
        }
    }
}

impl TableRow {
    fn new(day: String, numbers: &Numbers, currency: &str) -> TableRow {
        TableRow { day, is_changing: numbers.is_open, cells: cells(numbers, currency) }
    }
}

fn cells(numbers: &Numbers, currency: &str) -> [String; 7] {
    let Numbers { spend, impressions, clicks, conversions, conversion_value, is_open: _ } = numbers;
    let money = |amount| money::shown(amount, currency);
    let count = |count: Decimal| grouped_digits(&count.normalize().to_string());
    let otherwise = || "–".to_owned();
    let cost = numbers.click_cost(money::decimals(currency).max(MIN_COST_DECIMALS));
    [
        spend.text(money),
        impressions.text(count),
        clicks.text(count),
        numbers.click_rate().map_or_else(otherwise, |rate| format!("{rate}%")),
        cost.map_or_else(otherwise, |cost| grouped_digits(&cost.to_string())),
        conversions.text(count),
        conversion_value.text(money),
    ]
}

/// The number that a chart shows.
#[derive(Clone, Copy)]
enum Measure {
    Spend,
    Clicks,
}

impl Measure {
    fn of(self, numbers: &Numbers) -> Option<Decimal> {
        match self {
            Measure::Spend => numbers.spend.known,
            Measure::Clicks => numbers.clicks.known,
        }
    }

    fn text(self, value: Decimal, currency: &str) -> String {
        match self {
            Measure::Spend => format!("{} {currency}", money::shown(value, currency)),
            Measure::Clicks => grouped_digits(&value.normalize().to_string()),
        }
    }
}

fn chart(id: &str, group: &Group, measure: Measure) -> Bars {
    let Group { platform, currency, days, .. } = group;
    let value = |numbers: &Option<Numbers>| numbers.as_ref().and_then(|numbers| measure.of(numbers));
    let max = days.iter().filter_map(|(_, numbers)| value(numbers)).max().unwrap_or_default().max(Decimal::ZERO);
    let labels: Vec<String> = days.iter().map(|(day, _)| label(*day)).collect();
    let labels: Vec<&str> = labels.iter().map(String::as_str).collect();
    let is_changing = |numbers: &Option<Numbers>| numbers.as_ref().is_some_and(|numbers| numbers.is_open);
    let column = |(_, numbers): &(_, Option<Numbers>)| {
        let value = value(numbers).map_or(0, |value| height(value, max));
        // The table below the chart has the numbers, so a bar has no text of its own.
        Column { title: String::new(), value, upper: if is_changing(numbers) { value } else { 0 } }
    };
    let (name, title) = match measure {
        Measure::Spend => ("spend", format!("Spend a day in {currency}")),
        Measure::Clicks => ("clicks", "Clicks a day".to_owned()),
    };
    let max_text = measure.text(max, currency);
    let frame = Frame {
        id: format!("{id}-{name}"),
        title,
        key: if days.iter().any(|(_, numbers)| is_changing(numbers)) { KEY } else { FINAL_KEY },
        description: format!("{}. Most in a day: {max_text}. The table has the numbers.", platform_name(platform)),
        max: max_text,
        ..Frame::default()
    };
    Bars::new(frame.over(&labels), ("good", "open"), days.iter().map(column).collect())
}

/// A value as a part of [`FULL`]. A value below zero has no bar; one that is too small to count still has one.
fn height(value: Decimal, max: Decimal) -> u64 {
    if value <= Decimal::ZERO || max <= Decimal::ZERO {
        return 0;
    }
    let part = value.checked_div(max).and_then(|part| part.checked_mul(Decimal::from(FULL)));
    part.and_then(|part| part.trunc().to_u64()).unwrap_or_default().clamp(1, FULL)
}

fn notes(group: &Group) -> Vec<String> {
    let Group { time_zones, attributions, accounts, .. } = group;
    let mut notes = vec![
        match accounts.as_slice() {
            [only] => format!("Ad account {only}."),
            several => format!("{} ad accounts: {}.", several.len(), several.join(", ")),
        },
        format!("Days are those of the time zone {}.", time_zones.join(", ")),
    ];
    if !attributions.is_empty() {
        notes.push(format!("Conversions: {}", ended(&attributions.join("; "))));
    }
    notes
}

/// The text as a sentence.
fn ended(text: &str) -> String {
    if text.ends_with('.') { text.to_owned() } else { format!("{text}.") }
}

#[cfg(test)]
mod tests;
