//! Requests and latency, day by day in UTC.

use crate::kit::text::{grouped, milliseconds};
use jiff::Timestamp;
use shared::domain::UsageEntry;

/// Days of the charts, today included.
const WINDOW_DAYS: i64 = 14;
const DAY_SECONDS: i64 = 24 * 60 * 60;

/// The newest entries.
#[derive(Debug, Default)]
pub(super) struct History {
    /// Newest first.
    pub(super) entries: Vec<UsageEntry>,
    /// Whether these are all entries since [`window_start`].
    pub(super) is_complete: bool,
}

/// The numbers of the charts.
#[derive(Debug)]
pub(super) struct Summary {
    /// Oldest first, without gaps.
    pub(super) days: Vec<Day>,
    /// The time that they cover.
    pub(super) coverage: String,
    /// Whether there is any request in that time.
    pub(super) has_requests: bool,
}

/// The numbers of a day.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Day {
    /// `22 Nov`.
    pub(super) label: String,
    pub(super) requests: u64,
    /// With a status of 4xx.
    pub(super) refused: u64,
    /// With a status of 5xx.
    pub(super) failed: u64,
    /// Milliseconds; `None` without a request.
    pub(super) median: Option<u64>,
    /// The 95th percentile, in milliseconds.
    pub(super) p95: Option<u64>,
}

impl Day {
    /// Requests that are not successes.
    pub(super) fn errors(&self) -> u64 {
        self.refused + self.failed
    }

    /// The median, for the table.
    pub(super) fn median_text(&self) -> String {
        time_text(self.median)
    }

    /// The 95th percentile, for the table.
    pub(super) fn p95_text(&self) -> String {
        time_text(self.p95)
    }
}

fn time_text(time: Option<u64>) -> String {
    time.map_or_else(|| "–".to_owned(), milliseconds)
}

/// The start of the first day of complete charts.
pub(super) fn window_start(now: Timestamp) -> Timestamp {
    start_of(day_of(now) - WINDOW_DAYS + 1)
}

/// Counts the entries of each day.
pub(super) fn summary(history: &History, now: Timestamp) -> Summary {
    let (first, coverage) = coverage(history, now);
    let days: Vec<Day> = (first..=day_of(now)).map(|day| count(day, &history.entries)).collect();
    Summary { has_requests: days.iter().any(|day| day.requests > 0), days, coverage }
}

/// The first day of the charts, and a sentence about the time that they cover.
fn coverage(history: &History, now: Timestamp) -> (i64, String) {
    let today = day_of(now);
    let window = day_of(window_start(now));
    let oldest = if history.is_complete { None } else { history.entries.last() };
    let Some(oldest) = oldest.map(|entry| entry.at) else {
        return (window, format!("The last {WINDOW_DAYS} days, in UTC."));
    };
    let count = grouped(u64::try_from(history.entries.len()).unwrap_or(u64::MAX));
    // Entries before the oldest one are missing, so its day is not whole.
    let first_whole = day_of(oldest) + 1;
    if first_whole > today {
        let since = oldest.strftime("%H:%M");
        return (today, format!("The last {count} requests. All of them are of today, since {since} UTC."));
    }
    let first = first_whole.max(window);
    let label = label(first);
    (first, format!("The whole days of the last {count} requests: since {label}, in UTC."))
}

fn count(day: i64, entries: &[UsageEntry]) -> Day {
    let of_day = || entries.iter().filter(|entry| day_of(entry.at) == day);
    let of_class = |class: u16| of_day().filter(|entry| entry.status / 100 == class).map(|_| 1).sum();
    let mut times: Vec<u64> = of_day().map(|entry| entry.response_time_ms).collect();
    times.sort_unstable();
    Day {
        label: label(day),
        requests: times.iter().map(|_| 1).sum(),
        refused: of_class(4),
        failed: of_class(5),
        median: percentile(&times, 50),
        p95: percentile(&times, 95),
    }
}

/// The smallest of some sorted values that at least `percent` of them do not exceed.
fn percentile(sorted: &[u64], percent: usize) -> Option<u64> {
    let rank = (sorted.len() * percent).div_ceil(100);
    sorted.get(rank.saturating_sub(1)).copied()
}

/// Days since 1970.
fn day_of(at: Timestamp) -> i64 {
    at.as_second().div_euclid(DAY_SECONDS)
}

fn start_of(day: i64) -> Timestamp {
    Timestamp::from_second(day * DAY_SECONDS).unwrap_or(Timestamp::MIN)
}

fn label(day: i64) -> String {
    start_of(day).strftime("%-d %b").to_string()
}

#[cfg(test)]
mod tests;
