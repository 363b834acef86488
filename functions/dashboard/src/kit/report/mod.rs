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
        let ReportedDays { platform, zone, days, .. } = self;
        let first_open = days.iter().find(|(_, numbers)| numbers.as_ref().is_some_and(|numbers| numbers.is_open));
        let mut notes = vec![format!("Days are in the time zone {zone}.")];
        if let Some((day, _)) = first_open {
            let platform = platform.display_name();
            notes.push(format!(
                "From {} on, {platform} may still add conversions: these are in gray italics.",
                label(*day)
            ));
        }
        notes.push(conversion_words(*platform).to_owned());
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

/// What a platform counts as conversions, and on which day. The API has its own words for it.
fn conversion_words(platform: Platform) -> &'static str {
    match platform {
        Platform::Alpha => {
            "Conversions are the primary ones of the ad account, within the conversion window of each, on the day of the \
             click."
        }
        Platform::Beta => {
            "Conversions are purchases, leads and app installs, by default within 7 days after a click and 1 day after a \
             view. Those on Meta count on the day of the impression, others on the day of the conversion."
        }
        Platform::Gamma => {
            "Conversions count on the day of the impression, by default within 7 days after a click and 1 day after a view."
        }
        Platform::Delta => {
            "Conversions count for the last ad before them, by default within 30 days after a click and 7 days after a view."
        }
        Platform::Epsilon => {
            "Conversions count on the day of the ad, within 30 days after a click or an engagement and 1 day after a view. \
             Their value is that of checkouts."
        }
        Platform::Zeta => {
            "Conversions are key conversions, by default within 28 days after a click and 1 day after a view. Their value is \
             that of purchases."
        }
    }
}

#[cfg(test)]
mod tests;
