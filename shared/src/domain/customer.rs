//! The customer: who is billed, and whose connections and keys these are.

use jiff::civil::Time;
use jiff::tz::TimeZone;
use jiff::{Span, Timestamp};
use std::fmt;
use uuid::Uuid;

/// Identifies a customer. The API key carries it, so that no look-up by key is needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CustomerId(pub Uuid);

impl fmt::Display for CustomerId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A customer's account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Customer {
    /// Identifier.
    pub id: CustomerId,
    /// Address of the person behind the account.
    pub email: String,
    /// What is paid for.
    pub plan: Plan,
    /// When the account was made.
    pub created_at: Timestamp,
    /// A disabled account is refused everything.
    pub disabled: bool,
}

/// A plan (spec 2.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Plan {
    /// The free one.
    Starter,
    /// The paid one.
    Pro,
    /// Without caps.
    Enterprise,
}

/// What a plan allows (D30, D31, D33 in the README).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlanLimits {
    /// Requests a minute, on the average.
    pub requests_per_minute: u32,
    /// Requests at once, after a quiet time.
    pub burst: u32,
    /// Requests in a billing period.
    pub requests_per_period: u64,
    /// Connected ad accounts, PENDING ones not counted; `None` for as many as there are.
    pub connections: Option<usize>,
    /// Whether one create may go to several accounts.
    pub has_targets: bool,
}

/// How much of a billing period's requests is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Usage {
    /// When the period began.
    pub period_start: Timestamp,
    /// When the next one begins.
    pub period_end: Timestamp,
    /// Requests that were counted since.
    pub requests_used: u64,
}

impl Usage {
    /// Nothing used yet of the calendar month, in UTC, that a time is in: the period of who has no subscription.
    pub fn of_month(at: Timestamp) -> Usage {
        let first = TimeZone::UTC.to_datetime(at).date().first_of_month().to_datetime(Time::midnight());
        let period_start = TimeZone::UTC.to_timestamp(first).unwrap_or(Timestamp::MIN);
        Usage { period_start, period_end: months_after(period_start, 1), requests_used: 0 }
    }

    /// The same at a later time: a period that has ended is followed by months, each with nothing used, until billing
    /// says otherwise.
    #[must_use]
    pub fn at(self, now: Timestamp) -> Usage {
        if now < self.period_end {
            return self;
        }
        let mut months = 1;
        while months_after(self.period_end, months) <= now {
            months += 1;
        }
        let (period_start, period_end) =
            (months_after(self.period_end, months - 1), months_after(self.period_end, months));
        Usage { period_start, period_end, requests_used: 0 }
    }
}

/// Counted from the same day, so that a short month does not shorten those after it.
fn months_after(from: Timestamp, months: i32) -> Timestamp {
    let local = TimeZone::UTC.to_datetime(from).saturating_add(Span::new().months(months));
    TimeZone::UTC.to_timestamp(local).unwrap_or(Timestamp::MAX)
}

impl Plan {
    /// What it allows: the one table of plans.
    pub const fn limits(self) -> PlanLimits {
        match self {
            Plan::Starter => PlanLimits {
                requests_per_minute: 60,
                burst: 6,
                requests_per_period: 10_000,
                connections: Some(3),
                has_targets: false,
            },
            Plan::Pro => PlanLimits {
                requests_per_minute: 600,
                burst: 60,
                requests_per_period: 250_000,
                connections: Some(25),
                has_targets: true,
            },
            Plan::Enterprise => PlanLimits {
                requests_per_minute: 6_000,
                burst: 600,
                requests_per_period: 5_000_000,
                connections: None,
                has_targets: true,
            },
        }
    }

    /// Every plan.
    pub const ALL: [Plan; 3] = [Plan::Starter, Plan::Pro, Plan::Enterprise];

    /// The word in the interface: `starter`.
    pub fn as_str(self) -> &'static str {
        match self {
            Plan::Starter => "starter",
            Plan::Pro => "pro",
            Plan::Enterprise => "enterprise",
        }
    }

    /// Reads the word.
    pub fn parse(word: &str) -> Option<Plan> {
        Self::ALL.into_iter().find(|plan| plan.as_str() == word)
    }

    /// The smallest plan whose limits are enough for something; the larger ones have it too.
    pub fn smallest_with(is_enough: impl Fn(&PlanLimits) -> bool) -> Plan {
        Self::ALL.into_iter().find(|plan| is_enough(&plan.limits())).unwrap_or(Plan::Enterprise)
    }
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
    fn without_a_subscription_the_period_is_the_calendar_month_in_utc() {
        for (at, start, end) in [
            ("2026-11-20T22:00:00Z", "2026-11-01T00:00:00Z", "2026-12-01T00:00:00Z"),
            ("2026-12-31T23:59:59.999Z", "2026-12-01T00:00:00Z", "2027-01-01T00:00:00Z"),
            ("2028-02-01T00:00:00Z", "2028-02-01T00:00:00Z", "2028-03-01T00:00:00Z"),
        ] {
            assert_eq!(Usage::of_month(time(at)), usage(start, end, 0));
        }
    }

    #[test]
    fn a_period_ends_at_its_end_and_not_before() {
        let november = usage("2026-11-01T00:00:00Z", "2026-12-01T00:00:00Z", 7);
        assert_eq!(november.at(time("2026-11-30T23:59:59.999Z")), november);
        let december = usage("2026-12-01T00:00:00Z", "2027-01-01T00:00:00Z", 0);
        assert_eq!(november.at(time("2026-12-01T00:00:00Z")), december);
        let later = usage("2028-03-01T00:00:00Z", "2028-04-01T00:00:00Z", 0);
        assert_eq!(november.at(time("2028-03-15T12:00:00Z")), later);
    }

    #[test]
    fn a_subscriptions_period_rolls_on_from_its_own_end() {
        let paid = usage("2026-12-31T09:30:00Z", "2027-01-31T09:30:00Z", 7);
        let next = usage("2027-01-31T09:30:00Z", "2027-02-28T09:30:00Z", 0);
        assert_eq!(paid.at(time("2027-01-31T09:30:00Z")), next);
        let third = usage("2027-02-28T09:30:00Z", "2027-03-31T09:30:00Z", 0);
        assert_eq!(paid.at(time("2027-03-30T00:00:00Z")), third);
    }
}
