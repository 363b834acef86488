//! Start and end of a campaign, and their local time in the ad account's time zone.

use jiff::Timestamp;
use jiff::civil::{Date, DateTime};
use jiff::tz::TimeZone;
use std::fmt;

/// Start or end of a campaign: an instant (RFC 3339 with an offset) or a calendar day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moment {
    /// An exact instant.
    Instant(Timestamp),
    /// A calendar day in the account's time zone.
    Day(Date),
}

/// Reason why a moment is rejected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MomentError {
    /// Finer than a second. No platform stores fractions of a second.
    SubSecond,
    /// The local time occurs twice in the account's time zone, and the platform would read the other instant.
    Ambiguous,
    /// Outside the supported years.
    OutOfRange,
}

impl MomentError {
    /// Message for a validation error.
    pub fn message(self) -> &'static str {
        match self {
            MomentError::SubSecond => "must be a whole second",
            MomentError::Ambiguous => "is in the hour that the account's time zone repeats; choose another time",
            MomentError::OutOfRange => "is out of range",
        }
    }
}

impl fmt::Display for Moment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Moment::Instant(instant) => instant.fmt(f),
            Moment::Day(day) => day.fmt(f),
        }
    }
}

impl Moment {
    /// Parses RFC 3339 with an offset (`2026-12-01T09:00:00+01:00`) or a plain date (`2026-12-01`).
    pub fn parse(text: &str) -> Option<Moment> {
        if text.len() == 10 {
            return text.parse::<Date>().ok().map(Moment::Day);
        }
        is_rfc3339(text).then(|| text.parse().ok().map(Moment::Instant)).flatten()
    }

    /// Parses RFC 3339 with an offset.
    pub fn parse_instant(text: &str) -> Option<Timestamp> {
        match Moment::parse(text)? {
            Moment::Instant(at) => Some(at),
            Moment::Day(_) => None,
        }
    }

    /// The local time at which a campaign starts: a day starts at 00:00:00.
    pub fn start_in(self, zone: &TimeZone) -> Result<DateTime, MomentError> {
        self.local(zone, |day| day.at(0, 0, 0, 0))
    }

    /// The local time at which a campaign ends: a day ends at 23:59:59.
    pub fn end_in(self, zone: &TimeZone) -> Result<DateTime, MomentError> {
        self.local(zone, |day| day.at(23, 59, 59, 0))
    }

    fn local(self, zone: &TimeZone, of_day: impl Fn(Date) -> DateTime) -> Result<DateTime, MomentError> {
        match self {
            Moment::Day(day) => Ok(of_day(day)),
            Moment::Instant(instant) if instant.subsec_nanosecond() != 0 => Err(MomentError::SubSecond),
            Moment::Instant(instant) => {
                let local = zone.to_datetime(instant);
                // The platform receives only the local time, which must convert back to the same instant.
                (instant_of(local, zone)? == instant).then_some(local).ok_or(MomentError::Ambiguous)
            }
        }
    }
}

/// Whether a text has the form of RFC 3339. The parser reads more: other forms of ISO 8601, offsets of a day and more, and
/// a second 60 as 59.
fn is_rfc3339(text: &str) -> bool {
    let bytes = text.as_bytes();
    let offset = text.get(19..).and_then(|rest| rest.get(rest.rfind(['+', '-'])? + 1..));
    let hours = offset.and_then(|offset| offset.get(..2)?.parse::<u8>().ok());
    bytes.get(10).is_some_and(|separator| b"Tt ".contains(separator))
        && bytes.get(13) == Some(&b':')
        && bytes.get(16) == Some(&b':')
        && bytes.get(17..19) != Some(b"60")
        && hours.is_none_or(|hours| hours < 24)
        && !text.contains('[')
}

/// The instant of a local time, as platforms read it.
pub fn instant_of(local: DateTime, zone: &TimeZone) -> Result<Timestamp, MomentError> {
    zone.to_timestamp(local).map_err(|_| MomentError::OutOfRange)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn berlin() -> TimeZone {
        TimeZone::get("Europe/Berlin").unwrap()
    }

    #[test]
    fn an_instant_becomes_the_local_time_of_the_account() {
        let moment = Moment::parse("2026-12-01T09:00:00Z").unwrap();
        assert_eq!(moment.start_in(&berlin()).unwrap().to_string(), "2026-12-01T10:00:00");
    }

    #[test]
    fn a_plain_date_is_a_whole_day_of_the_account() {
        let day = Moment::parse("2026-12-01").unwrap();
        assert_eq!(day.start_in(&berlin()).unwrap().to_string(), "2026-12-01T00:00:00");
        assert_eq!(day.end_in(&berlin()).unwrap().to_string(), "2026-12-01T23:59:59");
    }

    #[test]
    fn the_second_pass_of_a_repeated_hour_is_rejected() {
        let pause_in_flight = Moment::parse("2026-10-25T01:30:00Z").unwrap();
        assert_eq!(pause_in_flight.start_in(&berlin()), Err(MomentError::Ambiguous));
        let pause_campaigns = Moment::parse("2026-10-25T00:30:00Z").unwrap();
        assert!(pause_campaigns.start_in(&berlin()).is_ok());
    }

    #[test]
    fn a_text_that_is_not_rfc_3339_is_rejected() {
        for text in [
            "",
            "tomorrow",
            "2026-12-01T09:00:00",
            "2026-13-01",
            "20261201T090000Z",
            "2026-12-01T09:00:00+01:00[Europe/Berlin]",
            "2026-12-01T09Z",
            "2026-12-01T09:00:60Z",
            "2026-12-01T09:00:60.5+01:00",
            "2026-12-01T09:00:00+25:00",
            "2026-12-01T09:00:00-24:00",
            "2026-12-01T09:00:00.25+25:30",
        ] {
            assert_eq!(Moment::parse(text), None, "{text}");
        }
        for text in ["2026-12-01T09:00:59+23:59", "2026-12-01t09:00:00.25-12:00", "2026-12-01 09:00:00z"] {
            assert!(Moment::parse(text).is_some(), "{text}");
        }
    }
}
