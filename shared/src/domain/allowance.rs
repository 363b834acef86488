//! Where a customer stands within the limits of the plan: what is left, and when there is more (D30, D31).

use super::{Plan, PlanLimits, Usage};
use jiff::Timestamp;
use std::time::Duration;

/// Where a customer stands at one moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Allowance {
    /// What the plan allows.
    pub limits: PlanLimits,
    /// What is used of the period.
    pub usage: Usage,
    /// Whether the request that is being answered is among what is used.
    pub is_counted: bool,
    tat_us: i64,
    now: Timestamp,
}

/// Why a request is not taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// Too many for the moment; after this time one is taken.
    Rate(Duration),
    /// The period's are used up; it ends after this time.
    Quota(Duration),
}

impl Allowance {
    /// By the plan, what is used of the period that `now` is in, and the theoretical arrival time.
    pub fn new(plan: Plan, usage: Usage, tat_us: i64, now: Timestamp) -> Allowance {
        Allowance { limits: plan.limits(), usage, is_counted: false, tat_us, now }
    }

    /// Why a request is not taken now; `None` when it is. The longer wait is the one to name.
    pub fn refusal(&self) -> Option<Refusal> {
        if self.quota_room() == 0 {
            return Some(Refusal::Quota(self.quota_reset()));
        }
        self.limits.rate().wait(self.tat_us, self.now.as_microsecond()).map(Refusal::Rate)
    }

    /// How many requests would be taken at once, were it for the rate alone.
    pub fn rate_room(&self) -> u64 {
        self.limits.rate().room(self.tat_us, self.now.as_microsecond())
    }

    /// How long it is until a whole burst is taken again.
    pub fn rate_reset(&self) -> Duration {
        self.limits.rate().refill(self.tat_us, self.now.as_microsecond())
    }

    /// How many requests are left of the period.
    pub fn quota_room(&self) -> u64 {
        self.limits.requests_per_period.saturating_sub(self.usage.requests_used)
    }

    /// How long it is until the period ends.
    pub fn quota_reset(&self) -> Duration {
        Duration::try_from(self.usage.period_end.duration_since(self.now)).unwrap_or_default()
    }

    /// How long the period is.
    pub fn quota_window(&self) -> Duration {
        let Usage { period_start, period_end, requests_used: _ } = self.usage;
        Duration::try_from(period_end.duration_since(period_start)).unwrap_or_default()
    }

    /// The same, said of an account in which the request was counted.
    #[must_use]
    pub fn counted(self) -> Allowance {
        Allowance { is_counted: true, ..self }
    }

    /// The same after the request was given back, if it was counted.
    #[must_use]
    pub fn given_back(self) -> Allowance {
        let back = u64::from(self.is_counted);
        let usage = Usage { requests_used: self.usage.requests_used.saturating_sub(back), ..self.usage };
        Allowance { usage, is_counted: false, ..self }
    }
}
