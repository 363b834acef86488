//! Billing: a customer's subscription at the payment provider.

use super::{Plan, Usage};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

/// Status of a subscription, as the payment provider spells it. The provider may add values.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SubscriptionStatus(String);

impl SubscriptionStatus {
    /// The status with this name.
    pub fn new(name: &str) -> SubscriptionStatus {
        SubscriptionStatus(name.to_owned())
    }

    /// The status of a customer without a subscription.
    pub fn none() -> SubscriptionStatus {
        SubscriptionStatus::new("active")
    }

    /// The name: `past_due`.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns `true` if the customer has the plan. The provider retries a failed payment for some time, and the plan
    /// stays until then.
    pub fn grants_access(&self) -> bool {
        matches!(self.as_str(), "active" | "trialing" | "past_due")
    }

    /// Returns `true` if the subscription can never change again. The customer can repair every other status in the
    /// portal.
    pub fn is_terminal(&self) -> bool {
        matches!(self.as_str(), "canceled" | "incomplete_expired")
    }
}

/// A customer's subscription, as last read from the payment provider.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SubscriptionState {
    /// Identifier at the payment provider.
    pub subscription_id: String,
    pub status: SubscriptionStatus,
    /// The plan that price and status give.
    pub plan: Plan,
    /// Start of the paid period.
    pub period_start: Timestamp,
    /// End of the paid period.
    pub period_end: Timestamp,
    /// `true` if the subscription ends with the period.
    pub cancel_at_period_end: bool,
}

/// The billing status that a customer reads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BillingStatus {
    /// The plan in force.
    pub plan: Plan,
    pub status: SubscriptionStatus,
    /// Use of the current period.
    pub usage: Usage,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failed_payment_keeps_the_plan_and_is_not_terminal() {
        let status = SubscriptionStatus::new;
        assert!(status("past_due").grants_access() && !status("unpaid").grants_access());
        assert!(status("canceled").is_terminal());
        assert!(!status("unpaid").is_terminal() && !status("incomplete").is_terminal());
    }
}
