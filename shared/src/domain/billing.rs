//! Billing: how a customer stands at the payment provider (D37 in the README).

use super::{Plan, Usage};
use jiff::Timestamp;

/// Status of a subscription: one of eight words of the provider, and open for more.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SubscriptionStatus(String);

impl SubscriptionStatus {
    /// A status by its word.
    pub fn new(word: &str) -> SubscriptionStatus {
        SubscriptionStatus(word.to_owned())
    }

    /// What a customer without a subscription is told.
    pub fn none() -> SubscriptionStatus {
        SubscriptionStatus::new("active")
    }

    /// The word: `past_due`.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether the plan is had: a payment that failed is tried again for some time, and until then the plan stays.
    pub fn gives_use(&self) -> bool {
        matches!(self.as_str(), "active" | "trialing" | "past_due")
    }

    /// Whether nothing can become of it any more. Everything else can be put right in the portal.
    pub fn is_over(&self) -> bool {
        matches!(self.as_str(), "canceled" | "incomplete_expired")
    }
}

/// How a customer stands, as the provider said last.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SubscriptionState {
    /// The subscription.
    pub subscription_id: String,
    /// Its status.
    pub status: SubscriptionStatus,
    /// The plan that follows from price and status.
    pub plan: Plan,
    /// When the paid period began.
    pub period_start: Timestamp,
    /// When it ends.
    pub period_end: Timestamp,
    /// Whether the subscription ends with it.
    pub cancel_at_period_end: bool,
}

/// What a customer sees of billing (spec 2.4).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BillingStatus {
    /// The plan in force.
    pub plan: Plan,
    /// The subscription's status.
    pub status: SubscriptionStatus,
    /// The current period and what is used of it.
    pub usage: Usage,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failed_payment_keeps_the_plan_and_only_an_end_is_over() {
        let status = SubscriptionStatus::new;
        assert!(status("past_due").gives_use() && !status("unpaid").gives_use());
        assert!(status("canceled").is_over() && !status("unpaid").is_over() && !status("incomplete").is_over());
    }
}
