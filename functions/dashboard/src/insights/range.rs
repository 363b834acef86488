//! The days that a page shows.

use crate::choice::{Choice, choices};
use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan};
use shared::envelope::query::value;

/// The choices: the value, and what it says. The API has at most 90 days.
const CHOICES: &[(&str, &str)] = &[("7", "Last 7 days"), ("30", "Last 30 days"), ("90", "Last 90 days")];
const DEFAULT_DAYS: &str = "7";
/// More days than these are folded, so that a page can be overlooked.
const MAX_OPEN_DAYS: usize = 7;

/// Full days up to yesterday in UTC, both ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Range {
    pub(super) from: Date,
    pub(super) to: Date,
    chosen: &'static str,
}

impl Range {
    /// The range that the address of the page chooses.
    pub(crate) fn read(query: &[(String, String)], now: Timestamp) -> Range {
        let given = value(query, "days").unwrap_or(DEFAULT_DAYS);
        let known = CHOICES.iter().map(|(days, _)| *days).find(|days| *days == given);
        let chosen = known.unwrap_or(DEFAULT_DAYS);
        let today = TimeZone::UTC.to_datetime(now).date();
        let count = chosen.parse::<i64>().unwrap_or(1);
        Range { from: today.saturating_sub(count.days()), to: today.saturating_sub(1.day()), chosen }
    }

    /// The options of the form.
    pub(crate) fn choices(&self) -> Vec<Choice> {
        choices(CHOICES, self.chosen)
    }

    /// The days for people: `16 Nov to 22 Nov 2026`.
    pub(crate) fn text(&self) -> String {
        format!("{} to {}", label(self.from), self.to.strftime("%-d %b %Y"))
    }

    /// The days in order.
    pub(super) fn days(&self) -> Vec<Date> {
        self.from.series(1.day()).take_while(|day| *day <= self.to).collect()
    }

    /// Whether the table of the days is short enough to be shown at once.
    pub(super) fn is_short(&self) -> bool {
        self.days().len() <= MAX_OPEN_DAYS
    }

    /// The parameters of the API.
    pub(super) fn parameters(&self) -> String {
        format!("from={}&to={}", self.from, self.to)
    }
}

/// A day for people: `22 Nov`.
pub(super) fn label(day: Date) -> String {
    day.strftime("%-d %b").to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(days: &str) -> Range {
        Range::read(&[("days".to_owned(), days.to_owned())], "2026-03-03T00:00:00Z".parse().unwrap())
    }

    #[test]
    fn a_range_has_full_days_up_to_yesterday() {
        for (given, count, first) in [("7", 7, "2026-02-24"), ("30", 30, "2026-02-01"), ("90", 90, "2025-12-03")] {
            let range = read(given);
            assert_eq!(
                (range.days().len(), range.from.to_string(), range.to.to_string().as_str()),
                (count, first.to_owned(), "2026-03-02")
            );
        }
        assert_eq!(read("7").parameters(), "from=2026-02-24&to=2026-03-02");
        assert_eq!(read("7").text(), "24 Feb to 2 Mar 2026");
    }

    #[test]
    fn another_number_of_days_is_the_default() {
        for given in ["", "8", "-7", "<b>"] {
            assert_eq!(read(given), read("7"));
        }
        let chosen: Vec<String> =
            read("30").choices().into_iter().filter(|choice| choice.is_chosen).map(|choice| choice.value).collect();
        assert_eq!(chosen, ["30"]);
        assert!(read("7").is_short() && !read("30").is_short());
    }
}
