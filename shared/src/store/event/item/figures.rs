//! A refusal, a quota and a billing status in the item of an event.

use super::corrupt;
use crate::domain::spending::{LimitName, RefusedAmounts};
use crate::domain::{
    BillingBefore, BillingStatus, Currency, KeyId, LimitRefusal, Plan, Subject, SubscriptionStatus, Usage,
};
use crate::error::Error;
use jiff::Timestamp;
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

/// The last of several refusals by one limit.
#[skip_serializing_none]
#[derive(Serialize, Deserialize)]
pub(super) struct LimitAttribute {
    key: String,
    name: String,
    currency: Option<String>,
    amounts: Option<AmountsAttribute>,
    message: String,
    count: u64,
}

/// Decimals as text.
#[derive(Serialize, Deserialize)]
struct AmountsAttribute {
    amount: String,
    reserved: String,
    left: String,
    needed: String,
}

/// Use of a period under a plan. Times are seconds since 1970.
#[derive(Serialize, Deserialize)]
pub(super) struct QuotaAttribute {
    plan: String,
    period_start: i64,
    period_end: i64,
    used: u64,
}

#[skip_serializing_none]
#[derive(Serialize, Deserialize)]
pub(super) struct BillingAttribute {
    quota: QuotaAttribute,
    status: String,
    plan_before: Option<String>,
    status_before: Option<String>,
}

impl LimitAttribute {
    pub(super) fn of(key: &KeyId, refusal: &LimitRefusal, count: u64) -> LimitAttribute {
        let LimitRefusal { limit, currency, amounts, message } = refusal;
        let amounts = amounts.map(|RefusedAmounts { amount, reserved, left, needed }| AmountsAttribute {
            amount: amount.to_string(),
            reserved: reserved.to_string(),
            left: left.to_string(),
            needed: needed.to_string(),
        });
        LimitAttribute {
            key: key.0.clone(),
            name: limit.as_str().to_owned(),
            currency: currency.map(|currency| currency.code().to_owned()),
            amounts,
            message: message.clone(),
            count,
        }
    }

    pub(super) fn parse(self) -> Result<Subject, Error> {
        let LimitAttribute { key, name, currency, amounts, message, count } = self;
        let limit = LimitName::parse(&name).ok_or_else(corrupt)?;
        let currency = currency.map(|code| Currency::from_code(&code).ok_or_else(corrupt)).transpose()?;
        let amounts = amounts.map(AmountsAttribute::parse).transpose()?;
        let refusal = Box::new(LimitRefusal { limit, currency, amounts, message });
        Ok(Subject::Limit { key: KeyId(key), refusal, count })
    }
}

impl AmountsAttribute {
    fn parse(self) -> Result<RefusedAmounts, Error> {
        let AmountsAttribute { amount, reserved, left, needed } = self;
        let decimal = |text: String| Decimal::from_str_exact(&text).map_err(Error::internal);
        Ok(RefusedAmounts {
            amount: decimal(amount)?,
            reserved: decimal(reserved)?,
            left: decimal(left)?,
            needed: decimal(needed)?,
        })
    }
}

impl QuotaAttribute {
    pub(super) fn of(plan: Plan, usage: Usage) -> QuotaAttribute {
        let Usage { period_start, period_end, requests_used } = usage;
        QuotaAttribute {
            plan: plan.as_str().to_owned(),
            period_start: period_start.as_second(),
            period_end: period_end.as_second(),
            used: requests_used,
        }
    }

    pub(super) fn parse(self) -> Result<Subject, Error> {
        self.parts().map(|(plan, usage)| Subject::Quota { plan, usage })
    }

    fn parts(self) -> Result<(Plan, Usage), Error> {
        let QuotaAttribute { plan, period_start, period_end, used } = self;
        let second = |second| Timestamp::from_second(second).map_err(Error::internal);
        let usage = Usage { period_start: second(period_start)?, period_end: second(period_end)?, requests_used: used };
        Ok((Plan::parse(&plan).ok_or_else(corrupt)?, usage))
    }
}

impl BillingAttribute {
    pub(super) fn of(billing: &BillingStatus, previous: &BillingBefore) -> BillingAttribute {
        let BillingStatus { plan, status, usage } = billing;
        let BillingBefore { plan: plan_before, status: status_before } = previous;
        BillingAttribute {
            quota: QuotaAttribute::of(*plan, *usage),
            status: status.as_str().to_owned(),
            plan_before: plan_before.map(|plan| plan.as_str().to_owned()),
            status_before: status_before.as_ref().map(|status| status.as_str().to_owned()),
        }
    }

    pub(super) fn parse(self) -> Result<Subject, Error> {
        let BillingAttribute { quota, status, plan_before, status_before } = self;
        let (plan, usage) = quota.parts()?;
        let plan_before = plan_before.map(|name| Plan::parse(&name).ok_or_else(corrupt)).transpose()?;
        let status_before = status_before.map(|name| SubscriptionStatus::new(&name));
        let billing = Box::new(BillingStatus { plan, status: SubscriptionStatus::new(&status), usage });
        Ok(Subject::Billing { billing, previous: BillingBefore { plan: plan_before, status: status_before } })
    }
}
