//! The usage log: what a customer's requests were and how they were answered (spec 2.4, D36 in the README).

use super::Platform;
use jiff::Timestamp;
use std::fmt;
use std::ops::RangeInclusive;
use uuid::Uuid;

/// How long an entry is kept and shown, in days (spec section 8).
pub const RETENTION_DAYS: i64 = 30;

/// One request and its answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UsageEntry {
    /// The request's id.
    pub request_id: Uuid,
    /// When it came in, in whole milliseconds.
    pub at: Timestamp,
    /// HTTP method.
    pub method: String,
    /// Path, without the query.
    pub path: String,
    /// HTTP status of the answer.
    pub status: u16,
    /// From the request's arrival to its answer.
    pub response_time_ms: u64,
    /// The one platform it was about.
    pub platform: Option<Platform>,
    /// The part of the time in which a call to a platform was under way; `None` when none was made.
    pub platform_time_ms: Option<u64>,
}

/// A place in a usage log. Its text form sorts by time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UsagePosition {
    /// Milliseconds since 1970.
    at_ms: i64,
    request_id: Uuid,
}

/// Which entries are wanted. What is `None` lets all pass.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UsageFilters {
    /// At this time or later.
    pub from: Option<Timestamp>,
    /// Before this time.
    pub to: Option<Timestamp>,
    /// This method.
    pub method: Option<String>,
    /// A status among these.
    pub statuses: Option<RangeInclusive<u16>>,
    /// A path that begins so.
    pub path: Option<String>,
    /// This request.
    pub request_id: Option<Uuid>,
}

impl UsageEntry {
    /// Where it stands.
    pub fn position(&self) -> UsagePosition {
        UsagePosition { at_ms: self.at.as_millisecond(), request_id: self.request_id }
    }
}

impl UsageFilters {
    /// Whether all entries of a span of time are wanted.
    pub fn are_of_time_only(&self) -> bool {
        let UsageFilters { from: _, to: _, method, statuses, path, request_id } = self;
        method.is_none() && statuses.is_none() && path.is_none() && request_id.is_none()
    }

    /// Whether a place lies within the span of time.
    pub fn include_time_of(&self, position: &UsagePosition) -> bool {
        let (from, to) = self.places();
        (from..=to).contains(&position.to_string())
    }

    /// The span of time as the text forms of places: the first is in it, and the last is not, because no place is a
    /// time alone.
    pub fn places(&self) -> (String, String) {
        (first_place(self.from.unwrap_or(Timestamp::MIN)), first_place(self.to.unwrap_or(Timestamp::MAX)))
    }
}

/// A time as the text form of a place begins: the first whole millisecond that is not before it.
fn first_place(at: Timestamp) -> String {
    let whole = (at.as_nanosecond() + 999_999).div_euclid(1_000_000);
    format!("{:013}", whole.clamp(0, 9_999_999_999_999))
}

impl UsagePosition {
    /// Reads the text form; `None` for anything else.
    pub fn parse(text: &str) -> Option<UsagePosition> {
        let (at_ms, request_id) = text.split_once('#')?;
        let position = UsagePosition { at_ms: at_ms.parse().ok()?, request_id: request_id.parse().ok()? };
        let is_time = at_ms.len() == 13 && at_ms.bytes().all(|byte| byte.is_ascii_digit());
        (is_time && position.to_string() == text).then_some(position)
    }
}

impl fmt::Display for UsagePosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:013}#{}", self.at_ms, self.request_id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    #[test]
    fn a_place_reads_back_and_nothing_else_is_one() {
        let text = "1796108400123#00000000-0000-4000-8000-000000000001";
        assert_eq!(UsagePosition::parse(text).unwrap().to_string(), text);
        let id = "00000000-0000-4000-8000-000000000001";
        for other in ["", "#", "1796108400123", &format!("179610840012#{id}"), &format!("-796108400123#{id}")] {
            assert_eq!(UsagePosition::parse(other), None, "{other}");
        }
        assert_eq!(UsagePosition::parse(&format!("+796108400123#{id}")), None);
        assert_eq!(UsagePosition::parse(&text.replace('-', "")), None);
    }

    #[test]
    fn a_time_between_two_milliseconds_begins_with_the_later_one() {
        assert_eq!(first_place(at("1970-01-01T00:00:00.001Z")), "0000000000001");
        assert_eq!(first_place(at("1970-01-01T00:00:00.000000001Z")), "0000000000001");
        assert_eq!(first_place(at("1969-12-31T00:00:00Z")), "0000000000000");
        assert_eq!(first_place(at("9000-01-01T00:00:00Z")), "9999999999999");
    }

    #[test]
    fn a_span_of_time_has_its_beginning_and_not_its_end() {
        let place = UsagePosition::parse("0000000000005#00000000-0000-4000-8000-000000000001").unwrap();
        let (five, six) = (at("1970-01-01T00:00:00.005Z"), at("1970-01-01T00:00:00.006Z"));
        let between = |from, to| UsageFilters { from: Some(from), to: Some(to), ..UsageFilters::default() };
        assert!(between(five, six).include_time_of(&place));
        assert!(!between(six, six).include_time_of(&place) && !between(five, five).include_time_of(&place));
        let last = UsagePosition::parse("9999999999999#00000000-0000-4000-8000-000000000001").unwrap();
        assert!(UsageFilters::default().include_time_of(&place) && !UsageFilters::default().include_time_of(&last));
    }
}
