//! The DynamoDB expressions of an admission: the conditions that check key, rate and quota, and the update that counts
//! the request.

use super::account_cache::CachedAccount;
use super::{Account, number, text};
use crate::domain::{Plan, Usage};
use aws_sdk_dynamodb::operation::update_item::builders::UpdateItemFluentBuilder;
use aws_sdk_dynamodb::types::AttributeValue;
use jiff::Timestamp;

/// The state of an account that an admission assumes.
pub(super) struct AssumedAccount {
    pub(super) plan: Plan,
    /// `true` if the whole burst is available: the theoretical arrival time is in the past.
    is_full: bool,
    ended: Option<EndedPeriod>,
}

/// A stored period that has ended, or none, and the period that replaces it.
struct EndedPeriod {
    period_end: Option<AttributeValue>,
    next: Usage,
}

/// A condition, an assignment, and the update with the values of both.
type Part = (&'static str, &'static str, UpdateItemFluentBuilder);

impl AssumedAccount {
    /// The state that this process saw last, within its period.
    pub(super) fn cached(account: &CachedAccount, now: Timestamp) -> AssumedAccount {
        AssumedAccount { plan: account.plan, is_full: account.tat_us < now.as_microsecond(), ended: None }
    }

    /// The state that a failed admission returned.
    pub(super) fn after(account: &Account, period_end: Option<AttributeValue>, now: Timestamp) -> AssumedAccount {
        let is_current = period_end.as_ref() == Some(&number(account.usage.period_end.as_second()));
        let ended = (!is_current).then_some(EndedPeriod { period_end, next: account.usage });
        AssumedAccount { plan: account.customer.plan, is_full: account.tat_us < now.as_microsecond(), ended }
    }

    /// Adds the conditions of an admission, and counts the request.
    pub(super) fn conditions(
        &self,
        update: UpdateItemFluentBuilder,
        key_hash: &str,
        now: Timestamp,
    ) -> UpdateItemFluentBuilder {
        let update = update
            .expression_attribute_names("#plan", "plan")
            .expression_attribute_values(":hash", text(key_hash))
            .expression_attribute_values(":plan", text(self.plan.as_str()))
            .expression_attribute_values(":no", AttributeValue::Bool(false))
            .expression_attribute_values(":now", number(now.as_microsecond()))
            .expression_attribute_values(":one", number(1));
        let (rate_allows, advance_tat, update) = self.rate_condition(update, now);
        let (quota_allows, count, update) = self.quota_condition(update, now);
        update
            .condition_expression(format!(
                "key_hash = :hash AND #plan = :plan AND disabled = :no AND {rate_allows} AND {quota_allows}"
            ))
            .update_expression(format!("SET {advance_tat}, {count}"))
    }

    /// The rate limit (GCRA): the TAT is at most `burst - 1` intervals ahead of now, and moves by one interval.
    fn rate_condition(&self, update: UpdateItemFluentBuilder, now: Timestamp) -> Part {
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

    /// The quota: the period has requests left, or has ended and the next one begins.
    fn quota_condition(&self, update: UpdateItemFluentBuilder, now: Timestamp) -> Part {
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
