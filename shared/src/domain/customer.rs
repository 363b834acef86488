//! Customers, their plans, and the use of a billing period.

use jiff::civil::Time;
use jiff::tz::TimeZone;
use jiff::{Span, Timestamp};
use std::fmt;
use uuid::Uuid;

/// Identifies a customer. The API key contains it, so authentication needs no index by key.
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
    /// Email address.
    pub email: String,
    /// Plan.
    pub plan: Plan,
    /// Creation time.
    pub created_at: Timestamp,
    /// `true` if all requests are rejected.
    pub disabled: bool,
}

/// A plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Plan {
    /// The free plan.
    Starter,
    /// The standard paid plan.
    Pro,
    /// The plan without a connection limit.
    Enterprise,
}

/// Limits of a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlanLimits {
    /// Sustained requests per minute.
    pub requests_per_minute: u32,
    /// Requests at once, after idle time.
    pub burst: u32,
    /// Requests per billing period.
    pub requests_per_period: u64,
    /// Connected ad accounts, without PENDING ones; `None` for no limit.
    pub connections: Option<usize>,
    /// `true` if `createCampaign` accepts several targets.
    pub has_targets: bool,
}

/// Use of a billing period.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Usage {
    /// Start of the period.
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
        let (period_start, period_end) =
            (months_after(self.period_end, months - 1), months_after(self.period_end, months));
        Usage { period_start, period_end, requests_used: 0 }
    }
}

/// Adds months to the first day, so that a short month does not shorten later ones.
fn months_after(from: Timestamp, months: i32) -> Timestamp {
    let local = TimeZone::UTC.to_datetime(from).saturating_add(Span::new().months(months));
    TimeZone::UTC.to_timestamp(local).unwrap_or(Timestamp::MAX)
}

impl Plan {
    /// The limits of the plan: the only table of plans.
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

    /// The name in the API: `starter`.
    pub fn as_str(self) -> &'static str {
        match self {
            Plan::Starter => "starter",
            Plan::Pro => "pro",
            Plan::Enterprise => "enterprise",
        }
    }

    /// Parses the name.
    pub fn parse(name: &str) -> Option<Plan> {
        Self::ALL.into_iter().find(|plan| plan.as_str() == name)
    }

    /// The smallest plan with sufficient limits.
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
