//! A customer's position within the plan's limits: requests left, and the time until more are available.

use super::{Plan, PlanLimits, Usage};
use jiff::Timestamp;
use std::time::Duration;

/// A customer's rate limit and quota at one moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Allowance {
    pub limits: PlanLimits,
    /// Use of the billing period.
    pub usage: Usage,
    /// `true` if `usage` includes the current request.
    pub is_counted: bool,
    tat_us: i64,
    now: Timestamp,
}

/// The limit that rejects a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LimitExceeded {
    /// The rate limit; the next request is allowed after this time.
    Rate(Duration),
    /// The period's quota; the next period begins after this time.
    Quota(Duration),
}

impl Allowance {
    /// The allowance of an account. `tat_us` is the theoretical arrival time of the rate limit.
    pub fn new(plan: Plan, usage: Usage, tat_us: i64, now: Timestamp) -> Allowance {
        Allowance { limits: plan.limits(), usage, is_counted: false, tat_us, now }
    }

    /// The limit that rejects a request now, if any. If both do, this is the quota: its wait is longer. A request that
    /// does not count is rejected by the rate only.
    pub fn exceeded_limit(&self, counts: bool) -> Option<LimitExceeded> {
        if counts && self.quota_remaining() == 0 {
            return Some(LimitExceeded::Quota(self.quota_reset()));
        }
        self.limits.rate_limit().wait(self.tat_us, self.now.as_microsecond()).map(LimitExceeded::Rate)
    }

    /// Requests that the rate limit allows at once.
    pub fn rate_remaining(&self) -> u64 {
        self.limits.rate_limit().remaining(self.tat_us, self.now.as_microsecond())
    }

    /// Time until the rate limit allows a whole burst again.
    pub fn rate_reset(&self) -> Duration {
        self.limits.rate_limit().time_to_full(self.tat_us, self.now.as_microsecond())
    }

    /// Requests left in the billing period.
    pub fn quota_remaining(&self) -> u64 {
        self.limits.requests_per_period.saturating_sub(self.usage.requests_used)
    }

    /// Time until the billing period ends.
    pub fn quota_reset(&self) -> Duration {
        Duration::try_from(self.usage.period_end.duration_since(self.now)).unwrap_or_default()
    }

    /// Length of the billing period.
    pub fn quota_window(&self) -> Duration {
        let Usage { period_start, period_end, requests_used: _ } = self.usage;
        Duration::try_from(period_end.duration_since(period_start)).unwrap_or_default()
    }

    /// Marks the current request as counted in `usage`.
    #[must_use]
    pub fn counted(self) -> Allowance {
        Allowance { is_counted: true, ..self }
    }

    /// The allowance after a refund of the current request. A request that is not counted is not refunded.
    #[must_use]
    pub fn refunded(self) -> Allowance {
        let refund = u64::from(self.is_counted);
        let usage = Usage { requests_used: self.usage.requests_used.saturating_sub(refund), ..self.usage };
        Allowance { usage, is_counted: false, ..self }
    }
}
