//! Admission of a request: one conditional update checks the key and both limits, and counts the request.
//!
//! A DynamoDB condition cannot calculate, and the limits depend on the plan. So each update is built for an assumed
//! account state, and its condition checks that state. If it does not hold, nothing is written and DynamoDB returns the
//! actual account. We then try again with that, or refuse the request.

use super::accounts::parse_account;
use super::admission_condition::AssumedAccount;
use super::conditional::{condition_failure, conditional_update};
use super::transactions::contended;
use super::{Account, Item, Store, number, store_error, table_keys};
use crate::domain::CustomerId;
use crate::error::Error;
use aws_sdk_dynamodb::operation::update_item::UpdateItemError;
use aws_sdk_dynamodb::operation::update_item::builders::UpdateItemFluentBuilder;
use aws_sdk_dynamodb::types::{ReturnValue, ReturnValuesOnConditionCheckFailure};
use jiff::Timestamp;

/// The first attempt may be built on a stale state. After that, concurrent requests can change each of three things at
/// most once (plan, period, full bucket), so four attempts are enough.
const MAX_ATTEMPTS: usize = 4;

/// Result of an admission.
#[derive(Debug)]
pub enum Admission {
    /// The request is counted. The account's usage includes it.
    Admitted(Account),
    /// The request is not counted. The account shows the reason; if its key is valid and no limit is exceeded, too many
    /// requests competed. `None` if it does not exist.
    Refused(Option<Account>),
}

/// Result of one update.
enum AdmissionOutcome {
    Admitted(Account),
    ConditionFailed(Option<Item>),
    /// A transaction is writing to the account; the same update may succeed.
    TransactionConflict,
}

impl Store {
    /// Admits and counts a request if the key is valid, the account is enabled, and both limits allow it. The count is
    /// exact under concurrency.
    pub async fn admit(&self, id: CustomerId, key_hash: &str, now: Timestamp) -> Result<Admission, Error> {
        let mut assumed = AssumedAccount::cached(self.account_cache.get(id), now);
        let mut last = None;
        for _ in 0..MAX_ATTEMPTS {
            let item = match self.try_to_admit(self.admission(id, key_hash, &assumed, now), now).await? {
                AdmissionOutcome::Admitted(account) => {
                    self.account_cache.insert(&account);
                    return Ok(Admission::Admitted(account));
                }
                AdmissionOutcome::ConditionFailed(None) => return Ok(Admission::Refused(None)),
                AdmissionOutcome::ConditionFailed(Some(item)) => item,
                AdmissionOutcome::TransactionConflict => continue,
            };
            let period_end = item.get("period_end").cloned();
            let account = parse_account(item, now)?;
            self.account_cache.insert(&account);
            let is_authenticated = account.key_matches(key_hash) && !account.customer.disabled;
            if !is_authenticated || account.allowance(now).exceeded_limit().is_some() {
                return Ok(Admission::Refused(Some(account)));
            }
            assumed = AssumedAccount::after(&account, period_end, now);
            last = Some(account);
        }
        match last {
            Some(account) => Ok(Admission::Refused(Some(account))),
            // Every attempt conflicted with a transaction.
            None => Err(contended()),
        }
    }

    /// Refunds a request, unless its period has ended.
    pub async fn refund_request(&self, id: CustomerId, period_start: Timestamp) -> Result<(), Error> {
        let update = self
            .update(&table_keys::account(id))
            .update_expression("ADD used :refund")
            .condition_expression("period_start = :start AND used > :zero")
            .expression_attribute_values(":refund", number(-1))
            .expression_attribute_values(":start", number(period_start.as_second()))
            .expression_attribute_values(":zero", number(0));
        conditional_update(update).await.map(drop)
    }

    async fn try_to_admit(&self, update: UpdateItemFluentBuilder, now: Timestamp) -> Result<AdmissionOutcome, Error> {
        let error = match update.send().await {
            Ok(output) => {
                let item = output.attributes.ok_or_else(|| Error::internal("the update returned no account"))?;
                return Ok(AdmissionOutcome::Admitted(parse_account(item, now)?));
            }
            Err(error) => error,
        };
        let outcome = match error.as_service_error() {
            Some(UpdateItemError::TransactionConflictException(_)) => Some(AdmissionOutcome::TransactionConflict),
            Some(failure) => condition_failure(failure).map(|item| AdmissionOutcome::ConditionFailed(item.cloned())),
            None => None,
        };
        outcome.ok_or_else(|| store_error(error))
    }

    fn admission(
        &self,
        id: CustomerId,
        key_hash: &str,
        assumed: &AssumedAccount,
        now: Timestamp,
    ) -> UpdateItemFluentBuilder {
        let update = self
            .update(&table_keys::account(id))
            .return_values(ReturnValue::AllNew)
            .return_values_on_condition_check_failure(ReturnValuesOnConditionCheckFailure::AllOld);
        assumed.conditions(update, key_hash, now)
    }
}
