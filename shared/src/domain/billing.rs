//! Billing: how a customer stands at the payment provider (D37 in the README).

use super::{Plan, Usage};
use jiff::tz::TimeZone;
use jiff::{Span, Timestamp, Zoned};

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
    pub fn word(&self) -> &str {
        &self.0
    }

    /// Whether the plan is had: a payment that failed is tried again for some time, and until then the plan stays.
    pub fn gives_use(&self) -> bool {
        matches!(self.word(), "active" | "trialing" | "past_due")
    }

    /// Whether nothing can become of it any more. Everything else can be put right in the portal.
    pub fn is_over(&self) -> bool {
        matches!(self.word(), "canceled" | "incomplete_expired")
    }
}

/// How a customer stands, as the provider said last.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Standing {
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

/// The calendar month of a moment in UTC: the period of who has no subscription. It ends when the next begins.
pub fn calendar_month(now: Timestamp) -> (Timestamp, Timestamp) {
    let first = |zoned: Zoned| zoned.first_of_month().and_then(|day| day.start_of_day()).map(|day| day.timestamp());
    let zoned = now.to_zoned(TimeZone::UTC);
    let start = first(zoned.clone()).unwrap_or(now);
    let next = zoned.first_of_month().and_then(|day| day.checked_add(Span::new().months(1)));
    (start, next.and_then(first).unwrap_or(start))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_month_begins_at_midnight_utc_and_ends_where_the_next_begins() {
        for (now, start, end) in [
            ("2026-11-20T12:00:00Z", "2026-11-01T00:00:00Z", "2026-12-01T00:00:00Z"),
            ("2026-12-31T23:59:59.999Z", "2026-12-01T00:00:00Z", "2027-01-01T00:00:00Z"),
            ("2028-02-01T00:00:00Z", "2028-02-01T00:00:00Z", "2028-03-01T00:00:00Z"),
        ] {
            let moment = |text: &str| text.parse::<Timestamp>().unwrap();
            assert_eq!(calendar_month(moment(now)), (moment(start), moment(end)), "{now}");
        }
    }

    #[test]
    fn a_failed_payment_keeps_the_plan_and_only_an_end_is_over() {
        let status = SubscriptionStatus::new;
        assert!(status("past_due").gives_use() && !status("unpaid").gives_use());
        assert!(status("canceled").is_over() && !status("unpaid").is_over() && !status("incomplete").is_over());
    }
}
