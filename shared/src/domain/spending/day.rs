//! The day of an ad account, which decides until when an amount counts.

use crate::domain::Connection;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};

/// Length of a day in an unknown time zone, at most.
const LONGEST_DAY: SignedDuration = SignedDuration::from_hours(25);

/// The present moment in the day of an ad account.
#[derive(Clone, Copy, Debug)]
pub struct AccountDay {
    pub now: Timestamp,
    /// End of the day in the account's time zone.
    pub ends_at: Timestamp,
}

impl AccountDay {
    /// The day of a connection's ad account.
    pub fn of(connection: &Connection, now: Timestamp) -> AccountDay {
        let zone = connection.account.as_ref().map(|account| account.time_zone.as_str());
        AccountDay { now, ends_at: end_of_day(zone, now) }
    }
}

/// The next midnight in a time zone.
fn end_of_day(zone: Option<&str>, now: Timestamp) -> Timestamp {
    let end = zone.and_then(|name| TimeZone::get(name).ok()).and_then(|zone| {
        let tomorrow = zone.to_datetime(now).date().tomorrow().ok()?;
        tomorrow.to_zoned(zone).ok().map(|midnight| midnight.timestamp())
    });
    end.unwrap_or(now + LONGEST_DAY)
}

#[cfg(test)]
#[test]
fn a_day_ends_at_midnight_in_the_time_zone_of_the_account() {
    for (zone, now, end) in [
        (Some("Etc/UTC"), "2026-11-28T12:00:00Z", "2026-11-29T00:00:00Z"),
        (Some("America/Los_Angeles"), "2026-11-28T12:00:00Z", "2026-11-29T08:00:00Z"),
        (Some("Asia/Tokyo"), "2026-11-28T12:00:00Z", "2026-11-28T15:00:00Z"),
        // A day of 25 hours, in its first hour.
        (Some("America/Los_Angeles"), "2026-11-01T07:30:00Z", "2026-11-02T08:00:00Z"),
        (Some("Mars/Olympus"), "2026-11-28T12:00:00Z", "2026-11-29T13:00:00Z"),
        (None, "2026-11-28T12:00:00Z", "2026-11-29T13:00:00Z"),
    ] {
        assert_eq!(end_of_day(zone, now.parse().unwrap()).to_string(), end, "{zone:?}");
    }
}
