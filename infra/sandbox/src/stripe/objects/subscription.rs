//! Subscriptions.
//!
//! API reference: Subscriptions. Since 2025-03-31.basil only the item has the period.

use super::plan::{Plan, dollars};
use crate::stripe::ids::with_null;
use crate::stripe::params::Metadata;
use jiff::tz::TimeZone;
use jiff::{Span, Timestamp};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// Status of a subscription. Stripe has five more, which the sandbox never reaches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Status {
    Active,
    PastDue,
    Canceled,
}

impl Status {
    /// The value in the API.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Active => "active",
            Self::PastDue => "past_due",
            Self::Canceled => "canceled",
        }
    }
}

/// Fields that are always null.
const NULL: &[&str] = &[
    "application",
    "application_fee_percent",
    "billing_cycle_anchor_config",
    "billing_thresholds",
    "customer_account",
    "days_until_due",
    "default_payment_method",
    "default_source",
    "description",
    "next_pending_invoice_item_invoice",
    "on_behalf_of",
    "pause_collection",
    "pending_invoice_item_interval",
    "pending_setup_intent",
    "pending_update",
    "schedule",
    "test_clock",
    "transfer_data",
    "trial_end",
    "trial_settings",
    "trial_start",
];

/// A monthly plan of a customer.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Subscription {
    pub(crate) id: String,
    pub(crate) item: String,
    pub(crate) customer: String,
    pub(crate) created: i64,
    /// Number of completed periods.
    pub(crate) periods: i32,
    pub(crate) plan: Plan,
    pub(crate) quantity: u64,
    pub(crate) status: Status,
    pub(crate) cancel_at_period_end: bool,
    pub(crate) canceled_at: Option<i64>,
    pub(crate) ended_at: Option<i64>,
    /// Reason of the cancellation.
    pub(crate) reason: Option<String>,
    pub(crate) metadata: Metadata,
    pub(crate) latest_invoice: String,
    /// The invoice whose payment failed.
    pub(crate) unpaid: Option<Value>,
}

impl Subscription {
    /// Start and end of the current period, in Unix seconds.
    pub(crate) fn period(&self) -> (i64, i64) {
        (self.after(self.periods), self.after(self.periods.saturating_add(1)))
    }

    /// Last day of the current period: `2026-11-30`.
    pub(crate) fn period_end_date(&self) -> String {
        let (_, end) = self.period();
        Timestamp::from_second(end).map(|end| end.strftime("%Y-%m-%d").to_string()).unwrap_or_default()
    }

    /// The day that is `months` months after the first. The 31st becomes the last day of a shorter month, and
    /// is the 31st again in the next.
    fn after(&self, months: i32) -> i64 {
        let anchor = Timestamp::from_second(self.created).unwrap_or_default().to_zoned(TimeZone::UTC);
        let span = Span::new().try_months(months).unwrap_or_default();
        anchor.checked_add(span).map_or(self.created, |end| end.timestamp().as_second())
    }

    /// Price of a month in cents.
    pub(crate) fn cents(&self) -> u64 {
        self.plan.cents().saturating_mul(self.quantity)
    }

    /// Price of a month: `$29.00`.
    pub(crate) fn dollars(&self) -> String {
        dollars(self.cents())
    }

    /// `subscription` object.
    pub(crate) fn object(&self) -> Value {
        let (_, end) = self.period();
        with_null(
            json!({
                "id": self.id, "object": "subscription",
                "automatic_tax": { "disabled_reason": null, "enabled": false, "liability": null },
                "billing_cycle_anchor": self.created,
                "billing_mode": { "flexible": { "proration_discounts": "included" }, "type": "flexible" },
                "billing_schedules": [],
                "cancel_at": self.cancel_at_period_end.then_some(end),
                "cancel_at_period_end": self.cancel_at_period_end, "canceled_at": self.canceled_at,
                "cancellation_details": { "comment": null, "feedback": null, "reason": self.reason },
                "collection_method": "charge_automatically", "created": self.created, "currency": "usd",
                "customer": self.customer, "default_tax_rates": [],
                "discounts": [], "ended_at": self.ended_at,
                "invoice_settings": { "account_tax_ids": null, "issuer": { "type": "self" } },
                "items": {
                    "object": "list", "data": [self.item()], "has_more": false,
                    "url": format!("/v1/subscription_items?subscription={}", self.id),
                },
                "latest_invoice": self.latest_invoice, "livemode": false, "metadata": self.metadata,
                "payment_settings": {
                    "payment_method_options": null, "payment_method_types": null, "save_default_payment_method": "off",
                }, "start_date": self.created, "status": self.status,
            }),
            NULL,
        )
    }

    fn item(&self) -> Value {
        let (start, end) = self.period();
        json!({
            "id": self.item, "object": "subscription_item", "billing_thresholds": null, "created": self.created,
            "current_period_end": end, "current_period_start": start, "discounts": [], "metadata": {},
            "plan": self.plan.plan_object(), "price": self.plan.price_object(), "quantity": self.quantity,
            "subscription": self.id, "tax_rates": [],
        })
    }

    /// Cancels the subscription at the end of its period, or withdraws that.
    pub(crate) fn set_cancel_at_period_end(&mut self, cancel: bool, now: i64) {
        self.cancel_at_period_end = cancel;
        self.canceled_at = cancel.then_some(now);
        self.reason = cancel.then(|| "cancellation_requested".to_owned());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_31st_is_the_last_of_a_short_month_and_the_31st_again_after_it() {
        let day = |text: &str| text.parse::<Timestamp>().unwrap().as_second();
        let mut subscription = Subscription {
            id: "sub_1".to_owned(),
            item: "si_1".to_owned(),
            customer: "cus_1".to_owned(),
            created: day("2026-01-31T12:00:00Z"),
            periods: 0,
            plan: Plan::Pro,
            quantity: 1,
            status: Status::Active,
            cancel_at_period_end: false,
            canceled_at: None,
            ended_at: None,
            reason: None,
            metadata: Metadata::new(),
            latest_invoice: "in_1".to_owned(),
            unpaid: None,
        };
        assert_eq!(subscription.period().1, day("2026-02-28T12:00:00Z"));
        subscription.periods = 1;
        assert_eq!(subscription.period(), (day("2026-02-28T12:00:00Z"), day("2026-03-31T12:00:00Z")));
    }
}
