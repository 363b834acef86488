//! The days of a report and their division into rows.
//!
//! Marketing API: Ad Insights, `time_range`, `date_preset` and `time_increment`. Recorded live: error 3018 for a start
//! beyond 37 months.

use super::error::GraphError;
use super::params::Params;
use jiff::ToSpan as _;
use jiff::civil::Date;
use serde::Deserialize;

/// Months that have reports.
const HISTORY_MONTHS: i64 = 37;
/// Most days of one row with an increment.
const MAX_INCREMENT: u64 = 90;

const PRESETS: &[&str] = &[
    "data_maximum",
    "last_14d",
    "last_28d",
    "last_30d",
    "last_3d",
    "last_7d",
    "last_90d",
    "last_month",
    "last_quarter",
    "last_week_mon_sun",
    "last_week_sun_sat",
    "last_year",
    "maximum",
    "this_month",
    "this_quarter",
    "this_week_mon_today",
    "this_week_sun_today",
    "this_year",
    "today",
    "yesterday",
];

#[derive(Deserialize)]
struct TimeRange {
    since: Date,
    until: Date,
}

/// The days of each row: the whole range, or the parts of `time_increment`.
pub(crate) fn parts(params: &Params, today: Date) -> Result<Vec<(Date, Date)>, GraphError> {
    let (since, until) = date_range(params, today)?;
    let next: Box<dyn Fn(Date) -> Date> = match params.string("time_increment") {
        None | Some("all_days") => return Ok(vec![(since, until)]),
        Some("monthly") => Box::new(|first: Date| first.last_of_month()),
        Some(_) => {
            let days = params.unsigned("time_increment")?.filter(|days| (1..=MAX_INCREMENT).contains(days));
            let invalid =
                || GraphError::parameter("Param time_increment must be between 1 and 90, monthly or all_days");
            let days = i64::try_from(days.ok_or_else(invalid)?).map_err(|_| invalid())?;
            Box::new(move |first: Date| first.saturating_add((days - 1).days()))
        }
    };
    // No later day has rows.
    let end = until.min(today);
    let mut parts = Vec::new();
    let mut first = since;
    while first <= end {
        let last = next(first).min(end);
        parts.push((first, last));
        first = last.saturating_add(1.day());
    }
    Ok(parts)
}

/// First and last day, from `time_range` or else from `date_preset`, which defaults to `last_30d`. Presets with the
/// prefix `last` end yesterday.
fn date_range(params: &Params, today: Date) -> Result<(Date, Date), GraphError> {
    if let Some(text) = params.string("time_range") {
        let range: TimeRange = serde_json::from_str(text)
            .map_err(|_| GraphError::parameter("Param time_range must be an object of since and until"))?;
        if range.since > range.until {
            return Err(GraphError::parameter("Param time_range: since is after until"));
        }
        if range.since < today.saturating_sub(HISTORY_MONTHS.months()) {
            let why = "(#3018) The start date of the time range cannot be beyond 37 months from the current date";
            return Err(GraphError::new(400, 3018, why));
        }
        return Ok((range.since, range.until));
    }
    let preset = params.choice("date_preset", PRESETS)?.unwrap_or("last_30d");
    let before = |days: i64| today.saturating_sub(days.days());
    Ok(match preset {
        "maximum" | "data_maximum" => (today.saturating_sub(HISTORY_MONTHS.months()), today),
        "today" => (today, today),
        "yesterday" => (before(1), before(1)),
        "this_month" => (today.first_of_month(), today),
        "this_year" => (today.first_of_year(), today),
        "last_3d" => (before(3), before(1)),
        "last_7d" => (before(7), before(1)),
        "last_14d" => (before(14), before(1)),
        "last_28d" => (before(28), before(1)),
        "last_30d" => (before(30), before(1)),
        "last_90d" => (before(90), before(1)),
        other => return Err(GraphError::unsupported(other)),
    })
}
