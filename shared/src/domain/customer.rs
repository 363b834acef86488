//! The customer: who is billed, and whose connections and keys these are.

use jiff::Timestamp;
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
    pub fn word(self) -> &'static str {
        match self {
            Plan::Starter => "starter",
            Plan::Pro => "pro",
            Plan::Enterprise => "enterprise",
        }
    }

    /// Reads the word.
    pub fn from_word(word: &str) -> Option<Plan> {
        Self::ALL.into_iter().find(|plan| plan.word() == word)
    }
}
