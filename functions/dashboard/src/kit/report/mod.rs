//! The charts of a campaign's spend and clicks, and the table with the same numbers.

use crate::kit::chart::{Bars, ChartDays, clicks_chart, spend_chart};
use crate::kit::numbers::{NumberCell, Numbers};
use crate::kit::range::{Range, label};
use askama::Template;
use jiff::civil::Date;
use shared::domain::{Currency, Platform};

/// What is reported: the numbers of some days, and what they mean.
#[derive(Debug)]
pub(crate) struct ReportedDays {
    pub(crate) platform: Platform,
    pub(crate) currency: Currency,
    /// The time zone of the days.
    pub(crate) zone: String,
    /// The platform's words on conversions; may be empty.
    pub(crate) attribution: &'static str,
    pub(crate) range: Range,
    /// The days of the range in order; `None` without a row.
    pub(crate) days: Vec<(Date, Option<Numbers>)>,
    pub(crate) total: Numbers,
}

/// The charts and the table of some days.
#[derive(Template)]
#[template(path = "kit/report/report.html")]
pub(crate) struct DailyReport {
    /// The platform and the currency.
    heading: String,
    currency: &'static str,
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
    cells: [NumberCell; 5],
    /// Conversions, their cost, their value, ROAS.
    conversions: [NumberCell; 4],
}

impl ReportedDays {
    /// Whether the platform reports nothing.
    pub(crate) fn is_empty(&self) -> bool {
        self.days.iter().all(|(_, numbers)| numbers.is_none())
    }

    fn notes(&self) -> Vec<String> {
        let ReportedDays { platform, zone, attribution, days, .. } = self;
        let first_open = days.iter().find(|(_, numbers)| numbers.as_ref().is_some_and(|numbers| numbers.is_open));
        let mut notes = vec![format!("Days are those of the time zone {zone}.")];
        if let Some((day, _)) = first_open {
            let platform = platform.display_name();
            notes.push(format!("From {} on, {platform} may still add conversions: those are gray.", label(*day)));
        }
        if !attribution.is_empty() {
            notes.push(format!("Conversions: {}", ended(attribution)));
        }
        notes
    }
}

impl DailyReport {
    /// The report of some days. `number` makes its ids unique on the page.
    pub(crate) fn new(reported: &ReportedDays, number: usize) -> DailyReport {
        let ReportedDays { platform, currency, range, days, total, .. } = reported;
        let (currency, range) = (currency.code(), *range);
        let row = |text: String, numbers: &Numbers, is_running: bool| {
            let [spend, impressions, clicks, rate, cost, conversions, conversion_cost, value, roas] =
                numbers.cells(currency);
            TableRow {
                day: text,
                is_running,
                is_open: numbers.is_open,
                cells: [spend, impressions, clicks, rate, cost],
                conversions: [conversions, conversion_cost, value, roas],
            }
        };
        let none = Numbers::default();
        let rows = days
            .iter()
            .map(|(day, numbers)| row(label(*day), numbers.as_ref().unwrap_or(&none), range.is_running(*day)))
            .collect();
        let [spent, _, clicked, ..] = &total.cells(currency);
        let id = format!("report-{number}");
        let subject = platform.display_name();
        let chart = ChartDays { id: &id, subject, currency, range, days };
        DailyReport {
            heading: format!("{subject}, {currency}"),
            spend: spend_chart(chart),
            clicks: clicks_chart(chart),
            currency,
            summary: format!("{} {currency} spent and {} clicks, {}.", spent.text, clicked.text, range.text()),
            rows,
            total: row("All days".to_owned(), &Numbers { is_open: false, ..total.clone() }, false),
            is_open: range.is_short(),
            notes: reported.notes(),
        }
    }
}

/// The text as a sentence.
fn ended(text: &str) -> String {
    if text.ends_with('.') { text.to_owned() } else { format!("{text}.") }
}

#[cfg(test)]
mod tests;
