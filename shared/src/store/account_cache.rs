//! The state of accounts as this process last saw them: the first assumption of an admission.

use super::{Account, number};
use crate::domain::{CustomerId, Plan, Usage};
use aws_sdk_dynamodb::operation::update_item::builders::UpdateItemFluentBuilder;
use aws_sdk_dynamodb::types::AttributeValue;
use jiff::Timestamp;
use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The cache is cleared when it is full.
const ACCOUNT_CACHE_CAPACITY: usize = 1_000;

/// The state of an account that an admission assumes.
pub(super) struct CachedAccount {
    pub(super) plan: Plan,
    /// `true` if the bucket is full: the theoretical arrival time is in the past.
    is_full: bool,
    ended: Option<EndedPeriod>,
}

/// A stored period that has ended, or none, and the period that replaces it.
struct EndedPeriod {
    period_end: Option<AttributeValue>,
    next: Usage,
}

/// A condition, an assignment, and the update with the values of both.
pub(super) type Part = (&'static str, &'static str, UpdateItemFluentBuilder);

impl CachedAccount {
    /// The state of an account that a failed admission returned.
    pub(super) fn after(account: &Account, period_end: Option<AttributeValue>, now: Timestamp) -> CachedAccount {
        let is_current = period_end.as_ref() == Some(&number(account.usage.period_end.as_second()));
        let ended = (!is_current).then_some(EndedPeriod { period_end, next: account.usage });
        CachedAccount { plan: account.customer.plan, is_full: account.tat_us < now.as_microsecond(), ended }
    }

    pub(super) fn rate_limit(&self, update: UpdateItemFluentBuilder, now: Timestamp) -> Part {
        let (rate, now_us) = (self.plan.limits().rate_limit(), now.as_microsecond());
        if self.is_full {
            let update = update.expression_attribute_values(":next", number(now_us + rate.emission_interval_us()));
            return ("(attribute_not_exists(tat) OR tat < :now)", "tat = :next", update);
        }
        let update = update
            .expression_attribute_values(":latest", number(rate.latest_us(now_us)))
            .expression_attribute_values(":interval", number(rate.emission_interval_us()));
        ("tat BETWEEN :now AND :latest", "tat = tat + :interval", update)
    }

    pub(super) fn quota(&self, update: UpdateItemFluentBuilder, now: Timestamp) -> Part {
        let Some(EndedPeriod { period_end, next }) = &self.ended else {
            let max = i64::try_from(self.plan.limits().requests_per_period).unwrap_or(i64::MAX);
            let update = update
                .expression_attribute_values(":second", number(now.as_second()))
                .expression_attribute_values(":max", number(max))
                .expression_attribute_values(":zero", number(0));
            let allows = "period_end > :second AND (attribute_not_exists(used) OR used < :max)";
            return (allows, "used = if_not_exists(used, :zero) + :one", update);
        };
        let update = update
            .expression_attribute_values(":start", number(next.period_start.as_second()))
            .expression_attribute_values(":end", number(next.period_end.as_second()));
        let set = "period_start = :start, period_end = :end, used = :one";
        match period_end {
            None => ("attribute_not_exists(period_end)", set, update),
            Some(end) => ("period_end = :ended", set, update.expression_attribute_values(":ended", end.clone())),
        }
    }
}

/// The accounts that this process admitted last. A stale entry costs one failed update and is otherwise harmless.
#[derive(Debug, Default)]
pub(super) struct AccountCache(Mutex<HashMap<CustomerId, (Plan, i64)>>);

impl AccountCache {
    pub(super) fn get(&self, id: CustomerId, now: Timestamp) -> CachedAccount {
        let (plan, tat_us) = self.lock().get(&id).copied().unwrap_or((Plan::Starter, 0));
        CachedAccount { plan, is_full: tat_us < now.as_microsecond(), ended: None }
    }

    pub(super) fn insert(&self, account: &Account) {
        let mut accounts = self.lock();
        if accounts.len() >= ACCOUNT_CACHE_CAPACITY && !accounts.contains_key(&account.customer.id) {
            accounts.clear();
        }
        accounts.insert(account.customer.id, (account.customer.plan, account.tat_us));
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<CustomerId, (Plan, i64)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
