//! The usage log: a customer's requests and their responses.

use super::{ConnectionId, ExternalRef, KeyId, Platform, Reference};
use jiff::Timestamp;
use std::fmt;
use std::ops::RangeInclusive;
use uuid::Uuid;

/// Retention of an entry, in days.
pub const RETENTION_DAYS: i64 = 30;

/// A request and its response.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UsageEntry {
    pub request_id: Uuid,
    /// Arrival, in whole milliseconds.
    pub at: Timestamp,
    pub method: String,
    /// Path, without the query.
    pub path: String,
    pub status: u16,
    /// Time from arrival to response.
    pub response_time_ms: u64,
    /// The platform, if the request concerns exactly one.
    pub platform: Option<Platform>,
    /// Time in platform calls; `None` without any call.
    pub platform_time_ms: Option<u64>,
    /// The tool that an agent has called; `None` for any other request.
    pub tool: Option<String>,
    /// The key of the request; `None` without a valid key, and in entries from before this field existed.
    pub key: Option<KeyId>,
    /// The caller's own reference.
    pub reference: Option<Reference>,
    /// Digest of the `Idempotency-Key`, as a key of the user for whom the request acted.
    pub key_digest: Option<String>,
    /// The user for whom the request acted, or else the user of its connection.
    pub external_ref: Option<ExternalRef>,
    /// The connection, if the request names exactly one.
    pub connection: Option<ConnectionId>,
}

/// A position in a usage log. It sorts by time, and its text form does, too.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct UsagePosition {
    /// Milliseconds since 1970.
    at_ms: i64,
    request_id: Uuid,
}

/// Filters of `listUsageLogs`. A filter of `None` accepts every entry.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UsageFilters {
    /// At or after this time.
    pub from: Option<Timestamp>,
    /// Before this time.
    pub to: Option<Timestamp>,
    /// Equal method.
    pub method: Option<String>,
    /// Status within the range.
    pub statuses: Option<RangeInclusive<u16>>,
    /// Path prefix.
    pub path: Option<String>,
    /// Equal request id.
    pub request_id: Option<Uuid>,
    /// Requested with this key.
    pub api_key: Option<KeyId>,
    /// With this reference.
    pub reference: Option<Reference>,
    /// Under the `Idempotency-Key` with this digest.
    pub key_digest: Option<String>,
    /// For this user of the customer, or about a connection of theirs.
    pub external_ref: Option<ExternalRef>,
    /// Of this connection.
    pub connection: Option<ConnectionId>,
}

impl UsageEntry {
    /// The id in the API: `ulog_` and the digits of the request's id.
    pub fn id(&self) -> String {
        format!("ulog_{}", self.request_id.simple())
    }

    /// Position in the log.
    pub fn position(&self) -> UsagePosition {
        UsagePosition { at_ms: self.at.as_millisecond(), request_id: self.request_id }
    }
}

impl UsageFilters {
    /// Returns `true` if the filters are on time only.
    pub fn only_by_time(&self) -> bool {
        *self == UsageFilters { from: self.from, to: self.to, ..UsageFilters::default() }
    }

    /// Returns `true` if a position is within the time range.
    pub fn time_range_contains(&self, position: &UsagePosition) -> bool {
        let (from, to) = self.key_range();
        (from..=to).contains(&position.to_string())
    }

    /// The time range as a range of sort keys. The end is exclusive, because every sort key is longer than a time.
    pub fn key_range(&self) -> (String, String) {
        (first_key(self.from.unwrap_or(Timestamp::MIN)), first_key(self.to.unwrap_or(Timestamp::MAX)))
    }
}

/// The prefix of a sort key: the first whole millisecond at or after a time.
fn first_key(at: Timestamp) -> String {
    let whole = (at.as_nanosecond() + 999_999).div_euclid(1_000_000);
    format!("{:013}", whole.clamp(0, 9_999_999_999_999))
}

impl UsagePosition {
    /// Where a page starts after one that has read up to this entry, which may be another user's. Of the places at or before
    /// it in the list that the caller knows anyway, the last: the millisecond of the entry, the last entry of the page, and
    /// the place where the page began. The page has nothing between, so the next one repeats nothing.
    pub fn told(self, began: Option<UsagePosition>, last: Option<UsagePosition>) -> UsagePosition {
        let all_of_millisecond = UsagePosition { request_id: Uuid::max(), ..self };
        began.into_iter().chain(last).fold(all_of_millisecond, UsagePosition::min)
    }

    /// Parses the text form; `None` for any other text.
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
    fn a_position_survives_a_round_trip() {
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
    fn a_place_in_the_log_is_none_of_an_entry_that_the_page_does_not_show() {
        let position = |at_ms, id| UsagePosition { at_ms, request_id: Uuid::from_u128(id) };
        let whole = |at_ms| position(at_ms, u128::MAX);
        let (began, last) = (Some(position(9, 5)), Some(position(7, 5)));
        let stopped = position(5, 3);
        assert_eq!(stopped.clone().told(None, None), whole(5));
        assert_eq!(stopped.clone().told(began.clone(), last.clone()), whole(5));
        // Of one millisecond, what the caller has seen is not repeated.
        assert_eq!(position(7, 3).told(began.clone(), last.clone()), position(7, 5));
        assert_eq!(position(9, 3).told(began.clone(), None), position(9, 5));
        assert_eq!(position(7, 5).told(began, last.clone()), position(7, 5), "the last entry itself");
        // Whatever it is, the next page has all that is after the stop, and nothing of the page.
        for told in [stopped.clone().told(None, last.clone()), position(7, 3).told(None, last.clone())] {
            assert!(told >= stopped && told <= last.clone().unwrap());
            assert_eq!(UsagePosition::parse(&told.to_string()), Some(told), "it is a place in the table");
        }
    }

    #[test]
    fn a_fraction_of_a_millisecond_rounds_up() {
        assert_eq!(first_key(at("1970-01-01T00:00:00.001Z")), "0000000000001");
        assert_eq!(first_key(at("1970-01-01T00:00:00.000000001Z")), "0000000000001");
        assert_eq!(first_key(at("1969-12-31T00:00:00Z")), "0000000000000");
        assert_eq!(first_key(at("9000-01-01T00:00:00Z")), "9999999999999");
    }

    #[test]
    fn a_time_range_excludes_its_end() {
        let position = UsagePosition::parse("0000000000005#00000000-0000-4000-8000-000000000001").unwrap();
        let (five, six) = (at("1970-01-01T00:00:00.005Z"), at("1970-01-01T00:00:00.006Z"));
        let between = |from, to| UsageFilters { from: Some(from), to: Some(to), ..UsageFilters::default() };
        assert!(between(five, six).time_range_contains(&position));
        assert!(
            !between(six, six).time_range_contains(&position) && !between(five, five).time_range_contains(&position)
        );
        let last = UsagePosition::parse("9999999999999#00000000-0000-4000-8000-000000000001").unwrap();
        assert!(
            UsageFilters::default().time_range_contains(&position)
                && !UsageFilters::default().time_range_contains(&last)
        );
    }
}
