//! Moments and days, as the Graph API writes them.

use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{Timestamp, Zoned};

/// `2026-11-20T08:00:00-0800`, on the clock of a time zone.
pub(crate) fn show(time: Timestamp, zone: &str) -> String {
    local(time, zone).strftime("%Y-%m-%dT%H:%M:%S%z").to_string()
}

/// The day that it is in a time zone.
pub(crate) fn day(time: Timestamp, zone: &str) -> Date {
    local(time, zone).date()
}

/// Whole hours between a time zone and UTC; every account here is in such a one.
pub(crate) fn offset_hours(time: Timestamp, zone: &str) -> i32 {
    local(time, zone).offset().seconds() / 3600
}

fn local(time: Timestamp, zone: &str) -> Zoned {
    time.to_zoned(TimeZone::get(zone).unwrap_or(TimeZone::UTC))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_moment_is_shown_on_the_clock_of_the_account() {
        let noon = "2026-03-02T12:00:00Z".parse().unwrap();
        assert_eq!(show(noon, "America/New_York"), "2026-03-02T07:00:00-0500");
        assert_eq!(offset_hours(noon, "Asia/Tokyo"), 9);
        assert_eq!(day(noon, "Pacific/Auckland").to_string(), "2026-03-03");
    }
}
