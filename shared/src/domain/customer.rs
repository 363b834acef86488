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

impl Plan {
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
