//! The line above the list: the number of campaigns, and what they spend.

use super::totals::ListTotals;
use crate::client::readings::{CampaignRow, Overview, RecentNumbers, RecentSpend, StatusCounts};
use crate::kit::money;
use crate::kit::together::Together;
use crate::kit::total::Total;
use crate::pages::campaigns::filter::Filter;
use jiff::Timestamp;
use shared::domain::{Currency, Reporting};

/// The line for people.
pub(super) struct Head {
    /// The number of campaigns, and the spend of the ad accounts in the first currency. With a filter it is the number of
    /// those that it selects, and the table has what they spend.
    pub(super) sums: Vec<String>,
    /// The spend of all currencies together.
    pub(super) together: Option<Together>,
}

impl Head {
    /// The line above the rows of a filter.
    pub(super) fn of(
        filter: &Filter,
        overview: &Overview,
        (rows, totals): (&[CampaignRow], Option<&ListTotals>),
        (reporting, now): (Option<&Reporting>, Timestamp),
    ) -> Head {
        if filter.is_narrow() {
            let counts = totals.map(|_| count_words(StatusCounts::of(rows, now)));
            let together = totals.and_then(|totals| totals.together(reporting, overview));
            return Head { sums: counts.into_iter().collect(), together };
        }
        // The table has the other currencies.
        let sums = total_words(overview).into_iter().take(2).collect();
        Head { sums, together: overview.together(reporting) }
    }
}

/// `30 active, 11 paused, 2 others`
fn count_words(counts: StatusCounts) -> String {
    let number = |number: usize| counts.words(number);
    let others = match counts.other {
        0 => String::new(),
        1 => ", 1 other".to_owned(),
        other => format!(", {} others", number(other)),
    };
    format!("{} active, {} paused{others}", number(counts.active), number(counts.paused))
}

/// The number of campaigns, and the spend of the ad accounts in each currency. What they lack stands once, beside the age of the
/// list: here it makes them lower bounds.
pub(super) fn total_words(overview: &Overview) -> Vec<String> {
    if overview.rows.is_empty() {
        return Vec::new();
    }
    let counted = count_words(overview.counts());
    let spent = overview.totals().into_iter().map(|(currency, spend)| {
        let code = currency.code();
        let text = |total: Total| total.text(|amount| money::amount_text(amount, code));
        let deleted = if has_more(overview, currency, spend) { ", with deleted campaigns" } else { "" };
        format!("{code} {} today, {} in the last 7 days{deleted}", text(spend.today), text(spend.week))
    });
    [counted].into_iter().chain(spent).collect()
}

/// Whether ad accounts have spent more than the campaigns of the list: also deleted campaigns have.
fn has_more(overview: &Overview, currency: Currency, spend: RecentSpend) -> bool {
    let rows = overview.rows.iter().filter(|row| row.campaign.currency == currency);
    let own = RecentNumbers::sum(rows.map(|row| &row.numbers)).spend;
    [(spend.today, own.today), (spend.week, own.week)].iter().any(|(all, own)| all.known() > own.known())
}
