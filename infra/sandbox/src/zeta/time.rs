//! Times in the platform's form.

use jiff::Timestamp;

/// Formats Unix seconds as ISO 8601 in UTC.
pub(crate) fn to_iso8601(second: i64) -> String {
    Timestamp::from_second(second).unwrap_or_default().to_string()
}

/// Rounds Unix seconds down to the hour.
pub(crate) fn start_of_hour(second: i64) -> i64 {
    second - second.rem_euclid(3600)
}
