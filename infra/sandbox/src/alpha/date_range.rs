//! The days of a query: its conditions on `segments.date`.
//!
//! Google Ads API: Date ranges, with the lookback limits; Segmentation; Zero metrics; reference v26: `QueryError`,
//! `DateRangeError`. A date in a condition limits the days, and only a selected date divides the numbers by day. Not
//! verified: that a selected date needs both a first and a last day.

use super::failure::Failure;
use super::field_catalog::SEGMENT_DATE;
use super::filter::date;
use super::gaql::{Condition, Literal, Operator, Query, QueryError};
use jiff::ToSpan as _;
use jiff::civil::{Date, Weekday};

/// Months that have daily numbers.
const DAILY_MONTHS: i64 = 37;

/// The days that a query reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct DateRange {
    pub(crate) first: Date,
    pub(crate) last: Date,
    /// Whether there is a row for each day.
    pub(crate) by_day: bool,
}

impl DateRange {
    /// The days of a query; `None` for the whole time. Its conditions are well typed.
    pub(crate) fn of(query: &Query, today: Date) -> Result<Option<Self>, Failure> {
        let by_day = query.select.iter().any(|field| field == SEGMENT_DATE);
        let (mut first, mut last) = (Date::MIN, Date::MAX);
        for condition in query.conditions.iter().filter(|condition| condition.field == SEGMENT_DATE) {
            let (from, to) = days(condition, today)?;
            (first, last) = (first.max(from), last.min(to));
        }
        if by_day && (first == Date::MIN || last == Date::MAX) {
            let why = "Error in query: a finite range of dates is required when a core date segment is selected.";
            return Err(reject("EXPECTED_FILTERS_ON_DATE_RANGE", why));
        }
        if query.order.iter().any(|order| order.field == SEGMENT_DATE) && !by_day {
            let why = "Error in query: segments.date has to be selected to sort by it.";
            return Err(reject("EXPECTED_REFERENCED_FIELD_IN_SELECT_CLAUSE", why));
        }
        if first > last {
            let why = "Error in query: the start date is after the end date.";
            return Err(reject("DATE_RANGE_TOO_NARROW", why));
        }
        let range = Self { first, last, by_day };
        range.check_lookback(today)?;
        Ok(((first, last) != (Date::MIN, Date::MAX)).then_some(range))
    }

    /// Days beyond the daily numbers are refused by day, and in a range below one month.
    fn check_lookback(self, today: Date) -> Result<(), Failure> {
        let is_below_month = self.last < self.first.saturating_add(1.month()).saturating_sub(1.day());
        let is_daily = self.by_day || (is_below_month && self.first != Date::MIN);
        if is_daily && self.first < today.saturating_sub(DAILY_MONTHS.months()) {
            let code = ("dateRangeError", "REQUESTED_DATE_GRANULARITY_NOT_SUPPORTED");
            let why = "The requested time granularity is not supported for the date range in the query. Metrics with \
                       daily, hourly, or weekly segmentation are only available for the last 37 months.";
            return Err(Failure::invalid(code, why));
        }
        Ok(())
    }
}

/// First and last day of one condition.
fn days(condition: &Condition, today: Date) -> Result<(Date, Date), Failure> {
    let values: Vec<Date> = condition.values.iter().filter_map(|value| date(value.text())).collect();
    Ok(match (condition.operator, values.as_slice()) {
        (Operator::Equal, [day]) => (*day, *day),
        (Operator::Between, [first, last]) => (*first, *last),
        (Operator::Greater, [day]) => (day.saturating_add(1.day()), Date::MAX),
        (Operator::GreaterOrEqual, [day]) => (*day, Date::MAX),
        (Operator::Less, [day]) => (Date::MIN, day.saturating_sub(1.day())),
        (Operator::LessOrEqual, [day]) => (Date::MIN, *day),
        (Operator::During, _) => {
            let name = condition.values.first().map(Literal::text).unwrap_or_default();
            named(name, today).ok_or_else(|| {
                reject("INVALID_VALUE_WITH_DURING_OPERATOR", "Error in query: unknown range of dates.")
            })?
        }
        _ => return Err(reject("INVALID_DATE_FORMAT", "Error in query: invalid date for 'segments.date'.")),
    })
}

/// A predefined date range.
fn named(name: &str, today: Date) -> Option<(Date, Date)> {
    let ago = |days: i64| today.saturating_sub(days.days());
    let last_month = today.first_of_month().saturating_sub(1.day());
    // Days since the last start of a week.
    let since = |start: Weekday| i64::from(start.until(today.weekday()));
    let sunday = since(Weekday::Sunday);
    let monday = since(Weekday::Monday);
    Some(match name {
        "TODAY" => (today, today),
        "YESTERDAY" => (ago(1), ago(1)),
        "LAST_7_DAYS" => (ago(7), ago(1)),
        "LAST_14_DAYS" => (ago(14), ago(1)),
        "LAST_30_DAYS" => (ago(30), ago(1)),
        "THIS_MONTH" => (today.first_of_month(), today),
        "LAST_MONTH" => (last_month.first_of_month(), last_month),
        "THIS_WEEK_SUN_TODAY" => (ago(sunday), today),
        "THIS_WEEK_MON_TODAY" => (ago(monday), today),
        "LAST_WEEK_SUN_SAT" => (ago(sunday + 7), ago(sunday + 1)),
        "LAST_WEEK_MON_SUN" => (ago(monday + 7), ago(monday + 1)),
        "LAST_BUSINESS_WEEK" => (ago(monday + 7), ago(monday + 3)),
        _ => return None,
    })
}

fn reject(code: &'static str, why: &str) -> Failure {
    let QueryError { code, message } = QueryError::new(code, why);
    Failure::invalid(("queryError", code), message)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn predefined_ranges_end_yesterday_or_today() {
        let today: Date = "2026-03-04".parse().unwrap();
        let range = |name| named(name, today).map(|(first, last)| format!("{first} {last}"));
        for (name, days) in [
            ("LAST_7_DAYS", "2026-02-25 2026-03-03"),
            ("LAST_MONTH", "2026-02-01 2026-02-28"),
            ("THIS_WEEK_SUN_TODAY", "2026-03-01 2026-03-04"),
            ("THIS_WEEK_MON_TODAY", "2026-03-02 2026-03-04"),
            ("LAST_WEEK_SUN_SAT", "2026-02-22 2026-02-28"),
            ("LAST_WEEK_MON_SUN", "2026-02-23 2026-03-01"),
            ("LAST_BUSINESS_WEEK", "2026-02-23 2026-02-27"),
        ] {
            assert_eq!(range(name).as_deref(), Some(days), "{name}");
        }
        assert_eq!(range("LAST_90_DAYS"), None);
    }
}
