use super::super::log::sample;
use super::*;

const NOW: &str = "2026-11-22T10:00:00Z";

fn entry(time: &str, status: u16, response_time_ms: u64) -> UsageEntry {
    UsageEntry { status, response_time_ms, ..sample(time) }
}

fn summary_of(entries: Vec<UsageEntry>, is_complete: bool) -> Summary {
    summary(&History { entries, is_complete }, NOW.parse().unwrap())
}

#[test]
fn a_percentile_is_one_of_the_values() {
    assert_eq!(percentile(&[], 50), None);
    assert_eq!((percentile(&[7], 50), percentile(&[7], 95)), (Some(7), Some(7)));
    assert_eq!((percentile(&[1, 9], 50), percentile(&[1, 9], 95)), (Some(1), Some(9)));
    assert_eq!(percentile(&[1, 2, 3], 50), Some(2));
    let hundred: Vec<u64> = (1..=100).collect();
    assert_eq!((percentile(&hundred, 50), percentile(&hundred, 95)), (Some(50), Some(95)));
    let twenty: Vec<u64> = (1..=20).collect();
    assert_eq!(percentile(&twenty, 95), Some(19));
}

#[test]
fn the_window_has_fourteen_days_with_today() {
    assert_eq!(window_start(NOW.parse().unwrap()).to_string(), "2026-11-09T00:00:00Z");
    let summary = summary_of(Vec::new(), true);
    assert_eq!((summary.days.len(), summary.has_requests), (14, false));
    assert_eq!((summary.days[0].label.as_str(), summary.days[13].label.as_str()), ("9 Nov", "22 Nov"));
}

#[test]
fn a_request_belongs_to_its_day_in_utc() {
    let entries = vec![
        entry("2026-11-22T00:00:00Z", 200, 30),
        entry("2026-11-21T23:59:59.999Z", 404, 20),
        entry("2026-11-21T00:00:00Z", 503, 10),
        entry("2026-11-08T23:59:59Z", 200, 1),
    ];
    let summary = summary_of(entries, true);
    let [yesterday, today] = &summary.days[12..] else { panic!("two days") };
    assert_eq!((today.requests, today.errors(), today.median), (1, 0, Some(30)));
    assert_eq!((yesterday.requests, yesterday.refused, yesterday.failed), (2, 1, 1));
    assert_eq!((yesterday.median, yesterday.p95), (Some(10), Some(20)));
    assert_eq!(summary.days.iter().map(|day| day.requests).sum::<u64>(), 3, "a day before the window is not shown");
}

#[test]
fn without_all_entries_only_whole_days_are_shown() {
    let entries = vec![entry("2026-11-22T09:00:00Z", 200, 1), entry("2026-11-19T12:00:00Z", 200, 1)];
    let summary = summary_of(entries, false);
    let labels: Vec<&str> = summary.days.iter().map(|day| day.label.as_str()).collect();
    assert_eq!(labels, ["20 Nov", "21 Nov", "22 Nov"]);
    assert_eq!(summary.coverage, "The whole days of the last 2 requests: since 20 Nov, in UTC.");
}

#[test]
fn today_is_shown_even_if_it_is_not_whole() {
    let summary = summary_of(vec![entry("2026-11-22T09:05:00Z", 200, 1)], false);
    assert_eq!(summary.days.len(), 1);
    assert_eq!(summary.coverage, "The last 1 requests. All of them are of today, since 09:05 UTC.");
}
