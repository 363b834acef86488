//! Customers and their use of a billing period.

use super::Plan;
use jiff::civil::Time;
use jiff::tz::TimeZone;
use jiff::{Span, Timestamp};
use serde::{Deserialize, Serialize};
use std::fmt;
use uuid::Uuid;

/// Identifies a customer. The API key contains it, so authentication needs no index by key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct CustomerId(pub Uuid);

impl fmt::Display for CustomerId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A customer's account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Customer {
    pub id: CustomerId,
    pub email: String,
    pub plan: Plan,
    pub created_at: Timestamp,
    /// `true` if all requests are rejected.
    pub disabled: bool,
}

/// Use of a billing period.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Usage {
    pub period_start: Timestamp,
    /// Start of the next period.
    pub period_end: Timestamp,
    /// Requests counted in the period.
    pub requests_used: u64,
}

impl Usage {
    /// An unused calendar month in UTC: the period of a customer without a subscription.
    pub fn of_month(at: Timestamp) -> Usage {
        let first = TimeZone::UTC.to_datetime(at).date().first_of_month().to_datetime(Time::midnight());
        let period_start = TimeZone::UTC.to_timestamp(first).unwrap_or(Timestamp::MIN);
        Usage { period_start, period_end: months_after(period_start, 1), requests_used: 0 }
    }

    /// The use at a later time. Unused monthly periods follow one that has ended, until billing sets another.
    #[must_use]
    pub fn at(self, now: Timestamp) -> Usage {
        if now < self.period_end {
            return self;
        }
        let mut months = 1;
        while months_after(self.period_end, months) <= now {
            months += 1;
        }
        let period_start = months_after(self.period_end, months - 1);
        let period_end = months_after(self.period_end, months);
        Usage { period_start, period_end, requests_used: 0 }
    }
}

/// Adds months to the first day, so that a short month does not shorten later ones.
fn months_after(from: Timestamp, months: i32) -> Timestamp {
    let local = TimeZone::UTC.to_datetime(from).saturating_add(Span::new().months(months));
    TimeZone::UTC.to_timestamp(local).unwrap_or(Timestamp::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn time(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    fn usage(start: &str, end: &str, requests_used: u64) -> Usage {
        Usage { period_start: time(start), period_end: time(end), requests_used }
    }

    #[test]
    fn the_period_without_a_subscription_is_the_month_in_utc() {
        for (at, start, end) in [
            ("2026-11-20T22:00:00Z", "2026-11-01T00:00:00Z", "2026-12-01T00:00:00Z"),
            ("2026-12-31T23:59:59.999Z", "2026-12-01T00:00:00Z", "2027-01-01T00:00:00Z"),
            ("2028-02-01T00:00:00Z", "2028-02-01T00:00:00Z", "2028-03-01T00:00:00Z"),
        ] {
            assert_eq!(Usage::of_month(time(at)), usage(start, end, 0));
        }
    }

    #[test]
    fn a_period_ends_exactly_at_its_end() {
        let november = usage("2026-11-01T00:00:00Z", "2026-12-01T00:00:00Z", 7);
        assert_eq!(november.at(time("2026-11-30T23:59:59.999Z")), november);
        let december = usage("2026-12-01T00:00:00Z", "2027-01-01T00:00:00Z", 0);
        assert_eq!(november.at(time("2026-12-01T00:00:00Z")), december);
        let later = usage("2028-03-01T00:00:00Z", "2028-04-01T00:00:00Z", 0);
        assert_eq!(november.at(time("2028-03-15T12:00:00Z")), later);
    }

    #[test]
    fn a_paid_period_continues_monthly_from_its_own_end() {
        let paid = usage("2026-12-31T09:30:00Z", "2027-01-31T09:30:00Z", 7);
        let next = usage("2027-01-31T09:30:00Z", "2027-02-28T09:30:00Z", 0);
        assert_eq!(paid.at(time("2027-01-31T09:30:00Z")), next);
        let third = usage("2027-02-28T09:30:00Z", "2027-03-31T09:30:00Z", 0);
        assert_eq!(paid.at(time("2027-03-30T00:00:00Z")), third);
    }
}
