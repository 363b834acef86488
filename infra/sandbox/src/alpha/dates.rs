//! Start and end of campaigns: `yyyy-MM-dd HH:mm:ss` in the account's time zone.
//!
//! Google Ads API reference v26: `Campaign.start_date_time`, `Campaign.end_date_time`,
//! `DateError`, `DateRangeError`.

use super::error::AdsError;
use jiff::Timestamp;
use jiff::civil::{DateTime, date};
use jiff::tz::TimeZone;

const FORMAT: &str = "%Y-%m-%d %H:%M:%S";

/// The local time of an account.
pub(crate) fn local(now: Timestamp, time_zone: &str) -> DateTime {
    let zone = TimeZone::get(time_zone).unwrap_or(TimeZone::UTC);
    now.to_zoned(zone).datetime()
}

/// The instant of an account's local time.
pub(crate) fn instant(local: Option<DateTime>, time_zone: &str) -> Option<Timestamp> {
    let zone = TimeZone::get(time_zone).unwrap_or(TimeZone::UTC);
    Some(local?.to_zoned(zone).ok()?.timestamp())
}

/// Formats a time as Google does.
pub(crate) fn format(time: DateTime) -> String {
    time.strftime(FORMAT).to_string()
}

/// Parses the value of a field.
pub(crate) fn parse(text: &str, field: &str) -> Result<DateTime, AdsError> {
    let has_format = text.len() == 19
        && text.bytes().enumerate().all(|(at, byte)| match at {
            4 | 7 => byte == b'-',
            10 => byte == b' ',
            13 | 16 => byte == b':',
            _ => byte.is_ascii_digit(),
        });
    let error = |value, why: &str| AdsError::new(("dateError", value), why).at(field).with_trigger(text);
    if !has_format {
        let why = "The date time's format should be yyyy-MM-dd HH:mm:ss.";
        return Err(error("INVALID_STRING_DATE_TIME_SECONDS", why));
    }
    DateTime::strptime(FORMAT, text)
        .map_err(|_| error("INVALID_FIELD_VALUES_IN_DATE_TIME", "Given values are no valid date time."))
}

/// Whether campaigns of a channel may start and end at any time of day. Google says that some channels do, not which
/// ones. This is an assumption; whole days are valid on every channel.
fn any_time_of_day(channel: &str) -> bool {
    matches!(channel, "DEMAND_GEN" | "VIDEO")
}

/// A new start may not be before the account's current day.
pub(crate) fn check_start(start: DateTime, channel: &str, now: DateTime) -> Result<(), AdsError> {
    let field = "start_date_time";
    if start.date() < now.date() {
        return Err(past_error(field, start));
    }
    if start.time() != jiff::civil::Time::midnight() && !any_time_of_day(channel) {
        let code = ("dateError", "DATE_RANGE_ERROR_START_TIME_MUST_BE_THE_START_OF_A_DAY");
        let why = "This campaign type has to start at 00:00:00.";
        return Err(AdsError::new(code, why).at(field).with_trigger(format(start)));
    }
    Ok(())
}

/// An end comes after the start. The error is at the end if the request has one, otherwise at the start.
pub(crate) fn check_order(start: Option<DateTime>, end: Option<DateTime>, requested: &[&str]) -> Result<(), AdsError> {
    let (Some(start), Some(end)) = (start, end) else { return Ok(()) };
    if start < end {
        return Ok(());
    }
    let (field, time) =
        if requested.contains(&"end_date_time") { ("end_date_time", end) } else { ("start_date_time", start) };
    let code = ("dateRangeError", "START_DATE_AFTER_END_DATE");
    Err(AdsError::new(code, "The end is not after the start.").at(field).with_trigger(format(time)))
}

/// A new end may not be in the past or after Google's maximum.
pub(crate) fn check_end(end: DateTime, channel: &str, now: DateTime) -> Result<(), AdsError> {
    let field = "end_date_time";
    if end <= now {
        return Err(past_error(field, end));
    }
    if end.date() > date(2037, 12, 30) {
        let code = ("dateRangeError", "AFTER_MAXIMUM_ALLOWABLE_DATE");
        return Err(AdsError::new(code, "The end is too far away.").at(field).with_trigger(format(end)));
    }
    let last_second = (end.hour(), end.minute(), end.second()) == (23, 59, 59);
    if !last_second && !any_time_of_day(channel) {
        let code = ("dateError", "DATE_RANGE_ERROR_END_TIME_MUST_BE_THE_END_OF_A_DAY");
        let why = "This campaign type has to end at 23:59:59.";
        return Err(AdsError::new(code, why).at(field).with_trigger(format(end)));
    }
    Ok(())
}

fn past_error(field: &str, time: DateTime) -> AdsError {
    let code = ("dateRangeError", "CANNOT_SET_DATE_TO_PAST");
    AdsError::new(code, "The date is in the past for this account.").at(field).with_trigger(format(time))
}

/// Number of days from start to end, both inclusive.
pub(crate) fn days(start: DateTime, end: DateTime) -> i64 {
    let span = end.date().duration_since(start.date());
    span.as_hours() / 24 + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> DateTime {
        parse(text, "x").unwrap()
    }

    fn code(outcome: Result<(), AdsError>) -> &'static str {
        outcome.map_or_else(|error| error.code.1, |()| "fine")
    }

    #[test]
    fn only_one_format_is_valid() {
        for bad in ["2026-01-01", "2026-1-01 00:00:00", "2026-01-01T00:00:00", "2026-01-01 00:00:00Z"] {
            let error = parse(bad, "x").unwrap_err();
            assert_eq!(error.code.1, "INVALID_STRING_DATE_TIME_SECONDS", "{bad}");
        }
        for bad in ["2026-02-30 00:00:00", "2026-01-01 24:00:00", "2026-13-01 00:00:00"] {
            let error = parse(bad, "x").unwrap_err();
            assert_eq!(error.code.1, "INVALID_FIELD_VALUES_IN_DATE_TIME", "{bad}");
        }
        assert_eq!(format(at("2026-01-02 03:04:05")), "2026-01-02 03:04:05");
    }

    #[test]
    fn a_start_may_be_on_the_current_day_of_the_account() {
        let now: Timestamp = "2026-03-01T23:30:00Z".parse().unwrap();
        let berlin = local(now, "Europe/Berlin");
        assert_eq!(format(berlin), "2026-03-02 00:30:00");
        assert_eq!(code(check_start(at("2026-03-02 00:00:00"), "SEARCH", berlin)), "fine");
        let yesterday = check_start(at("2026-03-01 00:00:00"), "SEARCH", berlin);
        assert_eq!(code(yesterday), "CANNOT_SET_DATE_TO_PAST");
    }

    #[test]
    fn an_end_is_in_the_future_at_the_end_of_a_day() {
        let now = at("2026-03-02 12:00:00");
        let end = |text| code(check_end(at(text), "SEARCH", now));
        assert_eq!(end("2026-03-05 23:59:59"), "fine");
        assert_eq!(end("2026-03-02 11:59:59"), "CANNOT_SET_DATE_TO_PAST");
        assert_eq!(end("2038-01-01 23:59:59"), "AFTER_MAXIMUM_ALLOWABLE_DATE");
        assert_eq!(end("2026-03-06 12:00:00"), "DATE_RANGE_ERROR_END_TIME_MUST_BE_THE_END_OF_A_DAY");
        assert_eq!(code(check_end(at("2026-03-06 12:00:00"), "VIDEO", now)), "fine");
    }

    #[test]
    fn an_end_is_after_the_start_and_the_requested_date_is_at_fault() {
        let start = Some(at("2026-03-05 00:00:00"));
        let order = |end: &str, mask: &[&str]| check_order(start, Some(at(end)), mask);
        assert_eq!(code(order("2026-03-05 23:59:59", &["end_date_time"])), "fine");
        assert_eq!(code(check_order(start, None, &["start_date_time"])), "fine");
        for (mask, field) in [(["end_date_time"], "end_date_time"), (["start_date_time"], "start_date_time")] {
            let error = order("2026-03-04 23:59:59", &mask).unwrap_err();
            assert_eq!((error.code.1, error.path().as_str()), ("START_DATE_AFTER_END_DATE", field));
        }
    }

    #[test]
    fn days_include_both_ends_across_a_clock_change() {
        assert_eq!(days(at("2026-03-28 00:00:00"), at("2026-03-30 23:59:59")), 3);
        assert_eq!(days(at("2026-03-28 00:00:00"), at("2026-03-28 23:59:59")), 1);
    }
}
