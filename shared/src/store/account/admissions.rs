//! Admission of a request: one conditional update checks the key and both limits, counts the request, and takes a slot.
//!
//! A DynamoDB condition cannot calculate, and the limits depend on the plan. So each update is built for an assumed
//! account state, and its condition checks that state. If it does not hold, nothing is written and DynamoDB returns the
//! actual account. We then try again with that, or refuse the request.
//!
//! The key of an assistant is not in the account. It is read before: a request that begins after its end is refused.

use super::admission_condition::AssumedAccount;
use super::in_flight::Slot;
use super::item::parse_account;
use crate::domain::{ApiKeys, Customer, CustomerId, ExternalRef, KeyId};
use crate::error::Error;
use crate::store::conditional::{condition_failure, conditional_update};
use crate::store::transactions::contended;
use crate::store::{Account, Item, Store, Values, number, store_error, table_keys};
use aws_sdk_dynamodb::operation::update_item::UpdateItemError;
use aws_sdk_dynamodb::operation::update_item::builders::UpdateItemFluentBuilder;
use aws_sdk_dynamodb::types::{ReturnValue, ReturnValuesOnConditionCheckFailure};
use jiff::Timestamp;

/// The first attempt may be built on a stale state. After that, concurrent requests can change each of four things at
/// most once (plan, period, full bucket, place of the key), so five attempts are enough without a slot.
const MAX_ATTEMPTS: usize = 5;
/// Further attempts with a slot. Each fails only if another request takes the chosen slot first, which a third of all
/// requests meet even if they take all slots at the same moment.
const MAX_SLOT_ATTEMPTS: usize = 16;

/// The request for an admission.
#[derive(Clone, Copy, Debug)]
pub struct Terms {
    /// Whether the request counts against the quota. All requests count against the rate.
    pub counts: bool,
    /// A request that may be in flight until then needs a free slot.
    pub slot_until: Option<Timestamp>,
}

impl Terms {
    /// Those of a request that counts and needs no slot.
    pub const COUNTED: Terms = Terms { counts: true, slot_until: None };
}

/// Result of an admission.
#[derive(Debug)]
pub enum Admission {
    /// The request is counted if it counts, and holds the slot that it asked for. The account's usage includes it.
    Admitted(Account, Option<Slot>),
    /// The request is not counted, because other requests hold all slots.
    NoFreeSlot(Account),
    /// The request is not counted. The account shows the reason; if its key is valid and no limit is exceeded, too many
    /// requests competed. `None` if it does not exist.
    Refused(Option<Account>),
}

/// Result of one update.
enum AdmissionOutcome {
    Admitted(Box<Account>),
    ConditionFailed(Option<Item>),
    /// A transaction is writing to the account; the same update may succeed.
    TransactionConflict,
}

impl Store {
    /// Whether this process has seen the key as a valid one of the customer. Only then is it safe to read for the
    /// customer before the admission: a wrong key must cost no more than its admission.
    pub fn has_seen_key(&self, id: CustomerId, key_hash: &str, now: Timestamp) -> bool {
        self.account_cache.has_key(id, key_hash, now)
    }

    /// The key with a spending limit that has this hash, as this process saw it last.
    pub fn seen_limited_key(&self, id: CustomerId, key_hash: &str, now: Timestamp) -> Option<KeyId> {
        let account = self.account_cache.get(id);
        account.key(key_hash, now).filter(|key| key.is_limited).map(|key| key.id.clone())
    }

    /// The user to whom the key with this hash is bound, as this process saw it last.
    pub fn seen_key_user(&self, id: CustomerId, key_hash: &str, now: Timestamp) -> Option<ExternalRef> {
        self.account_cache.get(id).key(key_hash, now)?.external_ref.clone()
    }

    /// Admits a request if the key is valid, the account is enabled, and the limits that apply allow it. The count is
    /// exact under concurrency.
    pub async fn admit(
        &self,
        id: CustomerId,
        key_hash: &str,
        now: Timestamp,
        terms: Terms,
    ) -> Result<Admission, Error> {
        let assumed = AssumedAccount::cached(&self.account_cache.get(id), key_hash, now);
        self.admit_assumed(id, (key_hash, &ApiKeys::none()), assumed, now, terms).await
    }

    /// Admits a request of an assistant as [`Store::admit`] does, by the mark of its key.
    pub async fn admit_assistant(
        &self,
        id: CustomerId,
        mark: &str,
        now: Timestamp,
        terms: Terms,
    ) -> Result<Admission, Error> {
        let keys = self.assistant_keys(id).await?;
        let Some(key) = keys.find(mark, now) else { return Ok(Admission::Refused(self.account(id, now).await?)) };
        let assumed = AssumedAccount::cached(&self.account_cache.get(id), mark, now).of_assistant();
        let admission = self.admit_assumed(id, (mark, &keys), assumed, now, terms).await?;
        if let Admission::Admitted(..) = admission {
            self.note_assistant_use(id, &key.id, now).await;
        }
        Ok(admission)
    }

    /// Admits a request with a key of the account or one of the assistants' keys that were read.
    async fn admit_assumed(
        &self,
        id: CustomerId,
        (key_hash, assistants): (&str, &ApiKeys),
        mut assumed: AssumedAccount,
        now: Timestamp,
        terms: Terms,
    ) -> Result<Admission, Error> {
        let Terms { counts, slot_until } = terms;
        let mut slot = slot_until.and_then(|until| Slot::any(assumed.plan, until));
        let mut last_seen = None;
        for _ in 0..MAX_ATTEMPTS + slot.map_or(0, |_| MAX_SLOT_ATTEMPTS) {
            let admission = assumed.conditions(self.returning_update(id), key_hash, counts, now);
            let admission = match slot {
                Some(slot) => slot.take(admission, now),
                None => admission,
            };
            let item = match self.try_to_admit(admission, now).await? {
                AdmissionOutcome::Admitted(account) => {
                    let account = account.with_assistants_of(assistants);
                    self.account_cache.insert(&account);
                    return Ok(Admission::Admitted(account, slot));
                }
                AdmissionOutcome::ConditionFailed(None) => return Ok(Admission::Refused(None)),
                AdmissionOutcome::ConditionFailed(Some(item)) => item,
                AdmissionOutcome::TransactionConflict => continue,
            };
            let account = parse_account(item.clone(), now)?.with_assistants_of(assistants);
            self.account_cache.insert(&account);
            let is_refused = account.customer.disabled || account.allowance(now).exceeded_limit(counts).is_some();
            let key = if is_refused { None } else { account.keys.find(key_hash, now) };
            let Some(key) = key else { return Ok(Admission::Refused(Some(account))) };
            let period_end =
                item.get("period_end").cloned().ok_or_else(|| Error::internal("an account has no period"))?;
            assumed = AssumedAccount::after(&account, key, period_end, now);
            if let Some(until) = slot_until {
                slot = Slot::free(&item, account.customer.plan, until, now);
                if slot.is_none() {
                    return Ok(Admission::NoFreeSlot(account));
                }
            }
            last_seen = Some(account);
        }
        // Without an account every attempt conflicted with a transaction.
        last_seen.map(|account| Admission::Refused(Some(account))).ok_or_else(contended)
    }

    /// Takes a slot for a request that is not counted. `None` if other requests hold all slots, or the account is
    /// disabled.
    pub async fn take_slot(
        &self,
        customer: &Customer,
        until: Timestamp,
        now: Timestamp,
    ) -> Result<Option<Slot>, Error> {
        let mut wanted = Slot::any(customer.plan, until);
        for _ in 0..MAX_SLOT_ATTEMPTS {
            let Some(slot) = wanted else { return Ok(None) };
            match self.try_to_admit(slot.take_alone(self.returning_update(customer.id), now), now).await? {
                AdmissionOutcome::Admitted(_) => return Ok(Some(slot)),
                AdmissionOutcome::ConditionFailed(Some(item))
                    if !parse_account(item.clone(), now)?.customer.disabled =>
                {
                    wanted = Slot::free(&item, customer.plan, until, now);
                }
                AdmissionOutcome::ConditionFailed(_) => return Ok(None),
                AdmissionOutcome::TransactionConflict => {}
            }
        }
        Err(contended())
    }

    /// Refunds a request, unless its period has ended.
    pub async fn refund_request(&self, id: CustomerId, period_start: Timestamp) -> Result<(), Error> {
        let update = self
            .update_item(&table_keys::account(id))
            .update_expression("ADD used :refund")
            .condition_expression("period_start = :start AND used > :zero")
            .values([(":refund", number(-1)), (":start", number(period_start.as_second())), (":zero", number(0))]);
        conditional_update(update).await.map(drop)
    }

    async fn try_to_admit(&self, update: UpdateItemFluentBuilder, now: Timestamp) -> Result<AdmissionOutcome, Error> {
        let error = match update.send().await {
            Ok(output) => {
                let item = output.attributes.ok_or_else(|| Error::internal("the update returned no account"))?;
                return Ok(AdmissionOutcome::Admitted(Box::new(parse_account(item, now)?)));
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

    /// An update that returns the account, also if its condition does not hold.
    fn returning_update(&self, id: CustomerId) -> UpdateItemFluentBuilder {
        self.update_item(&table_keys::account(id))
            .return_values(ReturnValue::AllNew)
            .return_values_on_condition_check_failure(ReturnValuesOnConditionCheckFailure::AllOld)
    }
}
