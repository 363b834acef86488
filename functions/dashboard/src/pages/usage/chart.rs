//! The charts of the days: their values and texts.

use super::days::Day;
use crate::kit::chart::{Bars, Column, Frame, Lines, Scale};
use crate::kit::text::{grouped, milliseconds};

/// The chart of requests: successes, with errors on top.
pub(super) fn bars(days: &[Day]) -> Bars {
    let max = days.iter().map(|day| day.requests).max().unwrap_or_default();
    let (total, errors) = days.iter().fold((0, 0), |(all, bad), day| (all + day.requests, bad + day.errors()));
    let description = format!(
        "{}: {} requests, {} of them refused or failed. Most in a day: {}.",
        span(days),
        grouped(total),
        grouped(errors),
        grouped(max)
    );
    let frame = Frame {
        id: "requests".to_owned(),
        title: "Requests per day".to_owned(),
        key: &[("good", "answered"), ("bad", "refused or failed")],
        scale: Scale::of_counts(max, ""),
        description,
        ..Frame::default()
    };
    Bars::new(frame.over(&labels(days)), ("good", "bad"), days.iter().map(column).collect())
}

/// The chart of the time to the answer.
pub(super) fn lines(days: &[Day]) -> Lines {
    let max = days.iter().filter_map(|day| day.p95.max(day.median)).max().unwrap_or_default();
    let median = days.iter().filter_map(|day| day.median).max().unwrap_or_default();
    let description = format!(
        "{}: of each day half of the requests were answered within {}, and 95 of 100 within {}.",
        span(days),
        milliseconds(median),
        milliseconds(max)
    );
    let frame = Frame {
        id: "latency".to_owned(),
        title: "Response time".to_owned(),
        key: &[("median", "median"), ("p95", "95th percentile")],
        scale: Scale::of_counts(max, " ms"),
        description,
        ..Frame::default()
    };
    let p95 = days.iter().map(|day| day.p95).collect();
    let median = days.iter().map(|day| day.median).collect();
    Lines::new(frame.over(&labels(days)), &[("p95", p95), ("median", median)])
}

fn column(day: &Day) -> Column {
    let requests = grouped(day.requests);
    let errors = grouped(day.errors());
    let title = format!("{}: {requests} requests, {errors} refused or failed", day.label);
    Column { title, value: day.requests, upper: day.errors() }
}

fn labels(days: &[Day]) -> Vec<&str> {
    days.iter().map(|day| day.label.as_str()).collect()
}

fn span(days: &[Day]) -> String {
    let label = |day: Option<&Day>| day.map(|day| day.label.clone()).unwrap_or_default();
    format!("{} to {}", label(days.first()), label(days.last()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use askama::Template;

    fn day(requests: u64, refused: u64, times: Option<(u64, u64)>) -> Day {
        let (median, p95) = times.unzip();
        Day { label: "1 Dec".to_owned(), requests, refused, failed: 0, median, p95 }
    }

    #[test]
    fn the_charts_say_their_largest_values() {
        let days = [day(1_000, 1, Some((5, 10))), day(0, 0, None)];
        let html = bars(&days).render().unwrap();
        assert!(html.contains("1,000 requests, 1 of them refused or failed. Most in a day: 1,000."), "{html}");
        assert!(html.contains("<title>1 Dec: 1,000 requests, 1 refused or failed</title>"), "{html}");
        let html = lines(&days).render().unwrap();
        assert!(html.contains("half of the requests were answered within 5 ms, and 95 of 100 within 10 ms."), "{html}");
    }
}
