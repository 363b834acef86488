//! The geometry of the charts, in the units of their `viewBox`.

use super::days::Day;
use super::log::milliseconds;
use crate::layout::grouped;
use std::fmt::Write;

/// Size of a chart.
pub(super) const WIDTH: u64 = 3_600;
pub(super) const HEIGHT: u64 = 1_500;
/// The height of the largest value.
pub(super) const TOP: u64 = 200;
/// The axis of days.
pub(super) const BOTTOM: u64 = 1_300;
/// The height of the smallest bar that is not zero.
const MIN_BAR: u64 = 20;
const MAX_BAR_WIDTH: u64 = 400;

/// Requests a day: successes, with errors on top.
#[derive(Debug, Default)]
pub(super) struct Bars {
    pub(super) bars: Vec<Bar>,
    /// The largest value, which is at [`TOP`].
    pub(super) max: String,
    pub(super) first: String,
    pub(super) last: String,
    pub(super) description: String,
}

#[derive(Debug)]
pub(super) struct Bar {
    pub(super) title: String,
    pub(super) x: u64,
    pub(super) width: u64,
    /// Upper edge and height of the part without errors.
    pub(super) good: (u64, u64),
    /// Upper edge and height of the errors.
    pub(super) bad: (u64, u64),
}

/// Latency a day.
#[derive(Debug, Default)]
pub(super) struct Lines {
    pub(super) median: Line,
    pub(super) p95: Line,
    /// The largest value, which is at [`TOP`].
    pub(super) max: String,
    pub(super) first: String,
    pub(super) last: String,
    pub(super) description: String,
}

/// Path data. A day without a request interrupts the line.
#[derive(Debug, Default)]
pub(super) struct Line {
    pub(super) line: String,
    /// A path of no length for each day: round ends make it a dot.
    pub(super) dots: String,
}

/// The chart of requests.
pub(super) fn bars(days: &[Day]) -> Bars {
    let max = days.iter().map(|day| day.requests).max().unwrap_or_default();
    let (total, errors) = days.iter().fold((0, 0), |(all, bad), day| (all + day.requests, bad + day.errors()));
    let (first, last) = ends(days);
    let slots = Slots::of(days);
    Bars {
        bars: days
            .iter()
            .zip(0..)
            .filter(|(day, _)| day.requests > 0)
            .map(|(day, at)| slots.bar(day, at, max))
            .collect(),
        description: format!(
            "{first} to {last}: {} requests, {} of them errors. Most in a day: {}.",
            grouped(total),
            grouped(errors),
            grouped(max)
        ),
        max: grouped(max),
        first,
        last,
    }
}

/// The chart of latency.
pub(super) fn lines(days: &[Day]) -> Lines {
    let max = days.iter().filter_map(|day| day.p95.max(day.median)).max().unwrap_or_default();
    let median = days.iter().filter_map(|day| day.median).max().unwrap_or_default();
    let (first, last) = ends(days);
    let slots = Slots::of(days);
    Lines {
        median: slots.line(days.iter().map(|day| day.median), max),
        p95: slots.line(days.iter().map(|day| day.p95), max),
        description: format!(
            "{first} to {last}: the median of a day is at most {}, the 95th percentile at most {}.",
            milliseconds(median),
            milliseconds(max)
        ),
        max: milliseconds(max),
        first,
        last,
    }
}

/// The labels of the first and of the last day. The last is empty if it is the first.
fn ends(days: &[Day]) -> (String, String) {
    let label = |day: Option<&Day>| day.map(|day| day.label.clone()).unwrap_or_default();
    (label(days.first()), label(days.last()))
}

/// The width of each day.
struct Slots(u64);

impl Slots {
    fn of(days: &[Day]) -> Slots {
        Slots(WIDTH / u64::try_from(days.len()).unwrap_or(WIDTH).clamp(1, WIDTH))
    }

    fn bar(&self, day: &Day, at: u64, max: u64) -> Bar {
        let width = (self.0 * 7 / 10).min(MAX_BAR_WIDTH);
        let height = scaled(day.requests, max).max(MIN_BAR);
        let bad = match day.errors() {
            0 => 0,
            errors => scaled(errors, max).clamp(MIN_BAR, height),
        };
        let good = height - bad;
        let (requests, errors) = (grouped(day.requests), grouped(day.errors()));
        Bar {
            title: format!("{}: {requests} requests, {errors} errors", day.label),
            x: at * self.0 + (self.0 - width) / 2,
            width,
            good: (BOTTOM - good, good),
            bad: (BOTTOM - height, bad),
        }
    }

    fn line(&self, values: impl Iterator<Item = Option<u64>>, max: u64) -> Line {
        let mut line = Line::default();
        let mut command = 'M';
        for (value, at) in values.zip(0..) {
            let Some(value) = value else {
                command = 'M';
                continue;
            };
            let (x, y) = (at * self.0 + self.0 / 2, BOTTOM - scaled(value, max));
            // Writing to a string does not fail.
            let _ = write!(line.line, "{command}{x} {y}");
            let _ = write!(line.dots, "M{x} {y}h0");
            command = 'L';
        }
        line
    }
}

/// The height of a value, if `max` reaches from [`BOTTOM`] to [`TOP`].
fn scaled(value: u64, max: u64) -> u64 {
    value.min(max).saturating_mul(BOTTOM - TOP) / max.max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(requests: u64, refused: u64, times: Option<(u64, u64)>) -> Day {
        let (median, p95) = times.unzip();
        Day { label: "1 Dec".to_owned(), requests, refused, failed: 0, median, p95 }
    }

    #[test]
    fn bars_stay_within_the_chart_and_do_not_overlap() {
        for count in [1, 2, 13, 14] {
            let days: Vec<Day> = (0..count).map(|at| day(1 + at * 999, at, None)).collect();
            let bars = bars(&days).bars;
            assert_eq!(bars.len(), days.len());
            for bar in &bars {
                let ((good_y, good), (bad_y, bad)) = (bar.good, bar.bad);
                assert!(bar.x + bar.width <= WIDTH && bad_y >= TOP, "{bar:?}");
                assert_eq!((good_y + good, bad_y + bad), (BOTTOM, good_y), "{bar:?}");
            }
            assert!(bars.windows(2).all(|pair| pair[0].x + pair[0].width < pair[1].x));
        }
    }

    #[test]
    fn a_single_error_is_visible_and_a_day_without_requests_has_no_bar() {
        let chart = bars(&[day(0, 0, None), day(1_000, 1, None), day(1, 1, None)]);
        let [large, small] = &chart.bars[..] else { panic!("two bars") };
        assert_eq!((large.bad.1, large.good.1), (MIN_BAR, BOTTOM - TOP - MIN_BAR));
        assert_eq!((small.bad.1, small.good.1), (MIN_BAR, 0));
        assert_eq!(chart.max, "1,000");
    }

    #[test]
    fn a_day_without_requests_interrupts_the_line() {
        let chart =
            lines(&[day(1, 0, Some((5, 10))), day(1, 0, Some((10, 10))), day(0, 0, None), day(1, 0, Some((0, 0)))]);
        assert_eq!(chart.median.line, "M450 750L1350 200M3150 1300");
        assert_eq!(chart.p95.dots, "M450 200h0M1350 200h0M3150 1300h0");
        assert_eq!(chart.max, "10 ms");
    }

    #[test]
    fn huge_values_stay_within_the_chart() {
        assert_eq!(scaled(0, 0), 0);
        assert!(scaled(u64::MAX, u64::MAX) <= BOTTOM - TOP);
        assert_eq!(scaled(7, 7), BOTTOM - TOP);
    }
}
