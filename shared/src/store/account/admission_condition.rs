//! The DynamoDB expressions of an admission: the conditions that check key, rate and quota, and the update that counts
//! the request.

use super::cache::CachedAccount;
use super::keys::used_at;
use crate::domain::{ApiKeyInfo, KeyId, Plan, Usage};
use crate::store::{Account, Values, number, text};
use aws_sdk_dynamodb::operation::update_item::builders::UpdateItemFluentBuilder;
use aws_sdk_dynamodb::types::AttributeValue;
use jiff::{SignedDuration, Timestamp};

/// A process stores the last use of a key at most so often. Several processes may store it more often: a condition on the
/// stored time would cost a failed update in each of the others.
pub(in crate::store) const USE_INTERVAL: SignedDuration = SignedDuration::from_mins(1);

/// The state of an account that an admission assumes.
pub(super) struct AssumedAccount {
    pub(super) plan: Plan,
    /// `true` if the whole burst is available: the theoretical arrival time is in the past.
    is_full: bool,
    ended: Option<EndedPeriod>,
    key: AssumedKey,
}

/// The key of the request. A key's expiry never changes while its hash is stored. So the condition checks only the hash
/// and that the key is not stopped. Its name, scopes and limit come from the account that the admission returns.
enum AssumedKey {
    InAccount {
        id: KeyId,
        /// `true` if the last use that this process knows is a minute ago.
        records_use: bool,
    },
    /// The key of an assistant. The caller has read it, and it is valid.
    OfAssistant,
}

/// A stored period that has ended, and the period that replaces it.
struct EndedPeriod {
    period_end: AttributeValue,
    next: Usage,
}

/// A limit in an admission: the condition that it is kept, the assignment that counts the request, and their values.
struct Limit {
    condition: &'static str,
    assignment: &'static str,
    values: Vec<(&'static str, AttributeValue)>,
}

impl AssumedAccount {
    /// The state that this process saw last, within its period.
    pub(super) fn cached(account: &CachedAccount, key_hash: &str, now: Timestamp) -> AssumedAccount {
        let key = match account.key(key_hash, now).filter(|key| !key.is_of_assistant) {
            Some(key) => AssumedKey::known(key, now),
            // The most likely key. It has all scopes and no expiry.
            None => AssumedKey::InAccount { id: KeyId::default_key(), records_use: true },
        };
        AssumedAccount { plan: account.plan, is_full: account.tat_us < now.as_microsecond(), ended: None, key }
    }

    /// The same for a request of an assistant, whose key was read and is valid.
    pub(super) fn of_assistant(self) -> AssumedAccount {
        AssumedAccount { key: AssumedKey::OfAssistant, ..self }
    }

    /// The state that a failed admission returned, with the key of the request in it.
    pub(super) fn after(
        account: &Account,
        key: &ApiKeyInfo,
        period_end: AttributeValue,
        now: Timestamp,
    ) -> AssumedAccount {
        let is_current = period_end == number(account.usage.period_end.as_second());
        let ended = (!is_current).then_some(EndedPeriod { period_end, next: account.usage });
        let key = AssumedKey::known(key, now);
        AssumedAccount { plan: account.customer.plan, is_full: account.tat_us < now.as_microsecond(), ended, key }
    }

    /// Adds the conditions of an admission, and counts the request if it `counts`.
    pub(super) fn conditions(
        &self,
        update: UpdateItemFluentBuilder,
        key_hash: &str,
        counts: bool,
        now: Timestamp,
    ) -> UpdateItemFluentBuilder {
        let update = update.expression_attribute_names("#plan", "plan").values([
            (":plan", text(self.plan.as_str())),
            (":no", AttributeValue::Bool(false)),
            (":now", number(now.as_microsecond())),
        ]);
        let rate = self.rate_condition(now);
        let condition = format!("#plan = :plan AND disabled = :no AND {}", rate.condition);
        let (update, condition) = match self.key.condition() {
            Some(key_is_valid) => (update.value(":hash", text(key_hash)), format!("{key_is_valid} AND {condition}")),
            None => (update, condition),
        };
        let update = update.values(rate.values);
        let advance_tat = rate.assignment;
        let update = if counts {
            let quota = self.quota_condition(now);
            update
                .condition_expression(format!("{condition} AND {}", quota.condition))
                .update_expression(format!("SET {advance_tat}, {}", quota.assignment))
                .values(quota.values)
        } else {
            update.condition_expression(condition).update_expression(format!("SET {advance_tat}"))
        };
        self.key.record_use(update, now)
    }

    /// The rate limit (GCRA): the TAT is at most `burst - 1` intervals ahead of now, and moves by one interval.
    fn rate_condition(&self, now: Timestamp) -> Limit {
        let rate = self.plan.limits().rate_limit();
        let now_us = now.as_microsecond();
        if self.is_full {
            let values = vec![(":next", number(now_us + rate.emission_interval_us()))];
            return Limit { condition: "tat < :now", assignment: "tat = :next", values };
        }
        Limit {
            condition: "tat BETWEEN :now AND :latest",
            assignment: "tat = tat + :interval",
            values: vec![
                (":latest", number(rate.latest_us(now_us))),
                (":interval", number(rate.emission_interval_us())),
            ],
        }
    }

    /// The quota: the period has requests left, or has ended and the next one begins.
    fn quota_condition(&self, now: Timestamp) -> Limit {
        let Some(EndedPeriod { period_end, next }) = &self.ended else {
            let max = i64::try_from(self.plan.limits().requests_per_period).unwrap_or(i64::MAX);
            return Limit {
                condition: "period_end > :second AND used < :max",
                assignment: "used = used + :one",
                values: vec![(":second", number(now.as_second())), (":max", number(max)), (":one", number(1))],
            };
        };
        Limit {
            condition: "period_end = :ended",
            assignment: "period_start = :start, period_end = :end, used = :one",
            values: vec![
                (":start", number(next.period_start.as_second())),
                (":end", number(next.period_end.as_second())),
                (":ended", period_end.clone()),
                (":one", number(1)),
            ],
        }
    }
}

impl AssumedKey {
    fn known(key: &ApiKeyInfo, now: Timestamp) -> AssumedKey {
        if key.is_of_assistant {
            return AssumedKey::OfAssistant;
        }
        let records_use = key.last_used_at.is_none_or(|at| at.duration_until(now) >= USE_INTERVAL);
        AssumedKey::InAccount { id: key.id.clone(), records_use }
    }

    /// The key has the hash `:hash` and is not stopped.
    fn condition(&self) -> Option<String> {
        let AssumedKey::InAccount { id, .. } = self else { return None };
        Some(format!("api_keys.{id}.key_hash = :hash AND attribute_not_exists(api_keys.{id}.stopped_at)"))
    }

    /// Makes an admission store the use of the key, if it is in the account. It adds no write.
    fn record_use(&self, admission: UpdateItemFluentBuilder, now: Timestamp) -> UpdateItemFluentBuilder {
        let AssumedKey::InAccount { id, records_use: true } = self else { return admission };
        let update = admission.get_update_expression().clone().unwrap_or_default();
        admission
            .update_expression(format!("{update}, {} = :used_at", used_at(id)))
            .value(":used_at", number(now.as_millisecond()))
    }
}
