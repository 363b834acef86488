//! Letting a request in: the key, the rate and the period's count are checked and moved on in one conditional update.
//!
//! A condition cannot calculate, and what is allowed depends on the plan. So an update assumes how the account stands,
//! and its condition says so. Where that was wrong nothing is written, and the store answers the account as it is, from
//! which the next update is made, or the refusal.

use super::accounts::parse_account;
use super::conditional::condition_failure;
use super::transactions::contended;
use super::{Account, Item, Store, number, store_error, table_keys, text};
use crate::domain::{CustomerId, Plan, Usage};
use crate::error::Error;
use aws_sdk_dynamodb::operation::update_item::UpdateItemError;
use aws_sdk_dynamodb::operation::update_item::builders::UpdateItemFluentBuilder;
use aws_sdk_dynamodb::types::{AttributeValue, ReturnValue, ReturnValuesOnConditionCheckFailure};
use jiff::Timestamp;
use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The second update knows how the account stood a moment ago, so a third is needed only where another request was
/// faster. That can befall it once for each thing that it assumes, the plan, the period, and that the bucket is full:
/// none of them goes back to what it was before.
const MAX_ATTEMPTS: usize = 4;
/// Of how many customers it is remembered how they stood.
const ACCOUNT_CACHE_CAPACITY: usize = 1_000;

/// What became of a request at the door.
#[derive(Debug)]
pub enum Admission {
    /// It is counted; the account afterwards.
    Admitted(Account),
    /// It is not counted; the account, which shows why, or `None` when there is none.
    Refused(Option<Account>),
}

/// How an update assumes that the account stands.
struct CachedAccount {
    plan: Plan,
    /// Whether the next request was to be expected before now: then the rate begins anew.
    is_idle: bool,
    ended: Option<Ended>,
}

/// A period that is over, or was never written.
struct Ended {
    period_end: Option<AttributeValue>,
    next: Usage,
}

/// What one update came to.
enum AdmissionOutcome {
    Admitted(Account),
    ConditionFailed(Option<Item>),
    /// A transaction was at work on the account: the same may succeed.
    TransactionConflict,
}

impl Store {
    /// Lets a request in and counts it, if the key is the account's, the account is not disabled, and rate and quota
    /// allow for it: exact, however many ask at once and in how many processes.
    pub async fn admit(&self, id: CustomerId, key_hash: &str, now: Timestamp) -> Result<Admission, Error> {
        let mut cached = self.account_cache.of(id, now);
        let mut last = None;
        for _ in 0..MAX_ATTEMPTS {
            let item = match self.try_to_admit(self.admission(id, key_hash, &cached, now), now).await? {
                AdmissionOutcome::Admitted(account) => {
                    self.account_cache.learn(&account);
                    return Ok(Admission::Admitted(account));
                }
                AdmissionOutcome::ConditionFailed(None) => return Ok(Admission::Refused(None)),
                AdmissionOutcome::ConditionFailed(Some(item)) => item,
                AdmissionOutcome::TransactionConflict => continue,
            };
            let period_end = item.get("period_end").cloned();
            let account = parse_account(item, now)?;
            self.account_cache.learn(&account);
            let is_welcome = account.key_matches(key_hash) && !account.customer.disabled;
            if !is_welcome || account.allowance(now).exceeded_limit().is_some() {
                return Ok(Admission::Refused(Some(account)));
            }
            cached = CachedAccount::after(&account, period_end, now);
            last = Some(account);
        }
        match last {
            Some(account) => Ok(Admission::Refused(Some(account))),
            // Nobody has said that there is no such account.
            None => Err(contended()),
        }
    }

    /// Gives back a request that shall not count, unless its period is over.
    pub async fn refund_request(&self, id: CustomerId, period_start: Timestamp) -> Result<(), Error> {
        let update = self
            .update(&table_keys::account(id))
            .update_expression("ADD used :back")
            .condition_expression("period_start = :start AND used > :nought")
            .expression_attribute_values(":back", number(-1))
            .expression_attribute_values(":start", number(period_start.as_second()))
            .expression_attribute_values(":nought", number(0));
        super::conditional::conditional_update(update).await.map(drop)
    }

    async fn try_to_admit(&self, update: UpdateItemFluentBuilder, now: Timestamp) -> Result<AdmissionOutcome, Error> {
        let error = match update.send().await {
            Ok(answer) => {
                let item = answer.attributes.ok_or_else(|| Error::internal("the store did not answer the account"))?;
                return Ok(AdmissionOutcome::Admitted(parse_account(item, now)?));
            }
            Err(error) => error,
        };
        let known = match error.as_service_error() {
            Some(UpdateItemError::TransactionConflictException(_)) => Some(AdmissionOutcome::TransactionConflict),
            Some(refused) => condition_failure(refused).map(|item| AdmissionOutcome::ConditionFailed(item.cloned())),
            None => None,
        };
        known.ok_or_else(|| store_error(error))
    }

    fn admission(
        &self,
        id: CustomerId,
        key_hash: &str,
        cached: &CachedAccount,
        now: Timestamp,
    ) -> UpdateItemFluentBuilder {
        let update = self
            .update(&table_keys::account(id))
            .return_values(ReturnValue::AllNew)
            .return_values_on_condition_check_failure(ReturnValuesOnConditionCheckFailure::AllOld)
            .expression_attribute_names("#plan", "plan")
            .expression_attribute_values(":hash", text(key_hash))
            .expression_attribute_values(":plan", text(cached.plan.as_str()))
            .expression_attribute_values(":no", AttributeValue::Bool(false))
            .expression_attribute_values(":now", number(now.as_microsecond()))
            .expression_attribute_values(":one", number(1));
        let (rate_allows, move_on, update) = cached.rate(update, now);
        let (quota_allows, count, update) = cached.quota(update, now);
        update
            .condition_expression(format!(
                "key_hash = :hash AND #plan = :plan AND disabled = :no AND {rate_allows} AND {quota_allows}"
            ))
            .update_expression(format!("SET {move_on}, {count}"))
    }
}

/// A condition, an assignment, and the update with their values.
type Part = (&'static str, &'static str, UpdateItemFluentBuilder);

impl CachedAccount {
    /// How an account stands that was just answered.
    fn after(account: &Account, period_end: Option<AttributeValue>, now: Timestamp) -> CachedAccount {
        let is_under_way = period_end.as_ref() == Some(&number(account.usage.period_end.as_second()));
        let ended = (!is_under_way).then_some(Ended { period_end, next: account.usage });
        CachedAccount { plan: account.customer.plan, is_idle: account.tat_us < now.as_microsecond(), ended }
    }

    fn rate(&self, update: UpdateItemFluentBuilder, now: Timestamp) -> Part {
        let (rate, now_us) = (self.plan.limits().rate_limit(), now.as_microsecond());
        if self.is_idle {
            let update = update.expression_attribute_values(":next", number(now_us + rate.emission_interval_us()));
            return ("(attribute_not_exists(tat) OR tat < :now)", "tat = :next", update);
        }
        let update = update
            .expression_attribute_values(":latest", number(rate.latest_us(now_us)))
            .expression_attribute_values(":interval", number(rate.emission_interval_us()));
        ("tat BETWEEN :now AND :latest", "tat = tat + :interval", update)
    }

    fn quota(&self, update: UpdateItemFluentBuilder, now: Timestamp) -> Part {
        let Some(Ended { period_end, next }) = &self.ended else {
            let most = i64::try_from(self.plan.limits().requests_per_period).unwrap_or(i64::MAX);
            let update = update
                .expression_attribute_values(":second", number(now.as_second()))
                .expression_attribute_values(":most", number(most))
                .expression_attribute_values(":nought", number(0));
            let allows = "period_end > :second AND (attribute_not_exists(used) OR used < :most)";
            return (allows, "used = if_not_exists(used, :nought) + :one", update);
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

/// How customers stood when this process last saw them. Only a first guess, which the condition of the update holds
/// against the truth; so nothing here needs to be right.
#[derive(Debug, Default)]
pub(super) struct AccountCache(Mutex<HashMap<CustomerId, (Plan, i64)>>);

impl AccountCache {
    fn of(&self, id: CustomerId, now: Timestamp) -> CachedAccount {
        let (plan, tat_us) = self.lock().get(&id).copied().unwrap_or((Plan::Starter, 0));
        CachedAccount { plan, is_idle: tat_us < now.as_microsecond(), ended: None }
    }

    fn learn(&self, account: &Account) {
        let mut known = self.lock();
        if known.len() >= ACCOUNT_CACHE_CAPACITY && !known.contains_key(&account.customer.id) {
            known.clear();
        }
        known.insert(account.customer.id, (account.customer.plan, account.tat_us));
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<CustomerId, (Plan, i64)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
