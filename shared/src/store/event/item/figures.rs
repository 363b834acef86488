//! A refusal, a quota and a billing status in the item of an event.

use crate::domain::spending::{LimitName, RefusedAmounts, SpenderKind};
use crate::domain::{
    BillingBefore, BillingStatus, Currency, KeyId, LimitRefusal, Plan, Subject, SubscriptionStatus, Usage,
};
use jiff::Timestamp;
use jiff::fmt::serde::timestamp::second;
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

/// The last of several refusals by one limit.
#[skip_serializing_none]
#[derive(Serialize, Deserialize)]
pub(super) struct LimitAttribute {
    key: KeyId,
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
    pub(super) fn of(key: &KeyId, refusal: &LimitRefusal, count: u64) -> LimitAttribute {
        // Only refusals by limits of keys are told.
        let LimitRefusal { of: _, limit: name, currency, amounts, message } = refusal.clone();
        LimitAttribute { key: key.clone(), name, currency, amounts, message, count }
    }

    pub(super) fn subject(self) -> Subject {
        let LimitAttribute { key, name: limit, currency, amounts, message, count } = self;
        let refusal = LimitRefusal { of: SpenderKind::Key, limit, currency, amounts, message };
        Subject::Limit { key, refusal: Box::new(refusal), count }
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
