//! A refusal, a quota and a billing status in the item of an event.

use crate::domain::spending::{LimitName, RefusedAmounts, Spender};
use crate::domain::{BillingBefore, BillingStatus, Currency, LimitRefusal, Plan, Subject, SubscriptionStatus, Usage};
use jiff::Timestamp;
use jiff::fmt::serde::timestamp::second;
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

/// The last of several refusals by one limit.
#[skip_serializing_none]
#[derive(Serialize, Deserialize)]
pub(super) struct LimitAttribute {
    /// `key` or `user`.
    #[serde(flatten)]
    of: Spender,
    name: LimitName,
    currency: Option<Currency>,
    amounts: Option<RefusedAmounts>,
    message: String,
    count: u64,
}

/// Use of a period under a plan.
#[derive(Serialize, Deserialize)]
pub(super) struct QuotaAttribute {
    plan: Plan,
    #[serde(flatten, with = "UsageAttributes")]
    usage: Usage,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Usage")]
struct UsageAttributes {
    #[serde(with = "second::required")]
    period_start: Timestamp,
    #[serde(with = "second::required")]
    period_end: Timestamp,
    #[serde(rename = "used")]
    requests_used: u64,
}

#[skip_serializing_none]
#[derive(Serialize, Deserialize)]
pub(super) struct BillingAttribute {
    quota: QuotaAttribute,
    status: SubscriptionStatus,
    plan_before: Option<Plan>,
    status_before: Option<SubscriptionStatus>,
}

impl LimitAttribute {
    pub(super) fn of(refusal: &LimitRefusal, count: u64) -> LimitAttribute {
        let LimitRefusal { of, limit: name, currency, amounts, message } = refusal.clone();
        LimitAttribute { of, name, currency, amounts, message, count }
    }

    pub(super) fn subject(self) -> Subject {
        let LimitAttribute { of, name: limit, currency, amounts, message, count } = self;
        Subject::Limit { refusal: Box::new(LimitRefusal { of, limit, currency, amounts, message }), count }
    }
}

impl QuotaAttribute {
    pub(super) fn of(plan: Plan, usage: Usage) -> QuotaAttribute {
        QuotaAttribute { plan, usage }
    }

    pub(super) fn subject(self) -> Subject {
        let QuotaAttribute { plan, usage } = self;
        Subject::Quota { plan, usage }
    }
}

impl BillingAttribute {
    pub(super) fn of(billing: &BillingStatus, previous: &BillingBefore) -> BillingAttribute {
        let BillingStatus { plan, status, usage } = billing.clone();
        let BillingBefore { plan: plan_before, status: status_before } = previous.clone();
        BillingAttribute { quota: QuotaAttribute { plan, usage }, status, plan_before, status_before }
    }

    pub(super) fn subject(self) -> Subject {
        let BillingAttribute { quota: QuotaAttribute { plan, usage }, status, plan_before, status_before } = self;
        let billing = Box::new(BillingStatus { plan, status, usage });
        Subject::Billing { billing, previous: BillingBefore { plan: plan_before, status: status_before } }
    }
}
