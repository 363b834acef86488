//! Times and dates in the account's time zone.

use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{Timestamp, Zoned};

/// Formats a time as the Graph API does: `2026-11-20T08:00:00-0800`.
pub(crate) fn format(time: Timestamp, zone: &str) -> String {
    local(time, zone).strftime("%Y-%m-%dT%H:%M:%S%z").to_string()
}

/// The date in a time zone.
pub(crate) fn date(time: Timestamp, zone: &str) -> Date {
    local(time, zone).date()
}

/// The UTC offset in hours. Every account here has a whole one.
pub(crate) fn utc_offset_hours(time: Timestamp, zone: &str) -> i32 {
    local(time, zone).offset().seconds() / 3600
}

fn local(time: Timestamp, zone: &str) -> Zoned {
    time.to_zoned(TimeZone::get(zone).unwrap_or(TimeZone::UTC))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_formatted_in_the_time_zone_of_the_account() {
        let noon = "2026-03-02T12:00:00Z".parse().unwrap();
        assert_eq!(format(noon, "America/New_York"), "2026-03-02T07:00:00-0500");
        assert_eq!(utc_offset_hours(noon, "Asia/Tokyo"), 9);
        assert_eq!(date(noon, "Pacific/Auckland").to_string(), "2026-03-03");
    }
}
