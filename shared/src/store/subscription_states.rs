//! What follows from a customer's state: plan and period of the account, in one transaction with the state.

use super::billing::BillingRecord;
use super::{Store, number, table_keys, text};
use crate::domain::{CustomerId, Plan, SubscriptionState, Usage};
use crate::error::Error;
use aws_sdk_dynamodb::types::{TransactWriteItem, Update};
use jiff::{SignedDuration, Timestamp};

/// So long an event is known to have been taken: the provider delivers for three days, and by hand for thirty.
const EVENT_RETENTION: SignedDuration = SignedDuration::from_hours(31 * 24);
/// Attempts at a change that others stand in the way of.
const MAX_ATTEMPTS: usize = 8;

/// The place of the standing among the writes of the transaction; the event and the account follow, if any.
const SUBSCRIPTION_STATE: usize = 0;

/// What became of a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ApplyOutcome {
    /// The state is stored.
    Applied,
    /// The event was processed before.
    DuplicateEvent,
    /// A state that was read later is stored already.
    Superseded,
}

/// What a standing changes in the account.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Effect {
    /// The plan, when the subscription began, changed or ended. In between it is the operator's to change.
    plan: Option<Plan>,
    /// The period, unless it lies behind us.
    period: Option<(Timestamp, Timestamp)>,
    /// Whether another period begins with nothing used: when something is paid for anew, or was until now. The smallest
    /// plan may cost nothing, and to begin and end it again and again must not bring requests.
    is_fresh: bool,
}

impl Store {
    /// Stores how a customer stands, as read under the number of `drawn`, together with what follows for the account
    /// and with the event that led here. Nothing is stored twice for one event.
    pub async fn apply_subscription_state(
        &self,
        customer: CustomerId,
        drawn: &BillingRecord,
        state: &SubscriptionState,
        event: Option<&str>,
        now: Timestamp,
    ) -> Result<ApplyOutcome, Error> {
        let read_under = drawn.reads;
        let mut seen = drawn.clone();
        let mut period_is_new = true;
        for _ in 0..MAX_ATTEMPTS {
            if seen.applied >= read_under {
                self.record_event(event, now).await?;
                return Ok(ApplyOutcome::Superseded);
            }
            let effect = Effect::of(seen.state.as_ref(), state, now);
            let mut writes = vec![self.subscription_state_update(customer, &seen, read_under, state)?];
            writes.extend(event.map(|id| self.event_put(id, now + EVENT_RETENTION)).transpose()?);
            let account = writes.len();
            writes.extend(self.account_update(customer, effect, period_is_new)?);
            let refused = self.transact(writes).await?;
            if refused.is_empty() {
                return Ok(ApplyOutcome::Applied);
            }
            if refused.iter().any(|part| *part != SUBSCRIPTION_STATE && *part < account) {
                return Ok(ApplyOutcome::DuplicateEvent);
            }
            if refused.contains(&SUBSCRIPTION_STATE) {
                seen = self.billing(customer).await?;
            }
            if refused.contains(&account) {
                period_is_new = !period_is_new;
            }
        }
        Err(Error::internal(format!("the account of {customer} is missing, or changes without end")))
    }

    /// Notes an event that leads to no change.
    pub async fn record_event(&self, event: Option<&str>, now: Timestamp) -> Result<(), Error> {
        match event {
            Some(id) => self.put_payment_event(id, now + EVENT_RETENTION).await,
            None => Ok(()),
        }
    }

    /// The account's part: requests are counted anew when, and only when, the period is another.
    fn account_update(
        &self,
        id: CustomerId,
        effect: Effect,
        period_is_new: bool,
    ) -> Result<Option<TransactWriteItem>, Error> {
        let mut update = Update::builder().table_name(&self.table).set_key(Some(table_keys::account(id).attributes()));
        let (mut changes, mut condition) = (Vec::new(), "attribute_exists(pk)".to_owned());
        if let Some(plan) = effect.plan {
            changes.push("#plan = :plan");
            update = update.expression_attribute_names("#plan", "plan");
            update = update.expression_attribute_values(":plan", text(plan.as_str()));
        }
        if let Some((start, end)) = effect.period {
            changes.push("period_start = :start, period_end = :end");
            update = update.expression_attribute_values(":start", number(start.as_second()));
            update = update.expression_attribute_values(":end", number(end.as_second()));
            if period_is_new {
                if effect.is_fresh {
                    changes.push("used = :none");
                    update = update.expression_attribute_values(":none", number(0));
                }
                condition.push_str(" AND (attribute_not_exists(period_start) OR period_start <> :start)");
            } else {
                condition.push_str(" AND period_start = :start");
            }
        }
        if changes.is_empty() {
            return Ok(None);
        }
        let update = update.update_expression(format!("SET {}", changes.join(", "))).condition_expression(condition);
        Ok(Some(TransactWriteItem::builder().update(update.build().map_err(Error::internal)?).build()))
    }
}

impl Effect {
    fn of(before: Option<&SubscriptionState>, state: &SubscriptionState, now: Timestamp) -> Effect {
        let had = before.is_some_and(|before| before.status.grants_access());
        let has = state.status.grants_access();
        let plan_before = before.map_or(Plan::Starter, |before| before.plan);
        let is_another = before.is_none_or(|before| before.subscription_id != state.subscription_id);
        let plan = (state.plan != plan_before || (has && is_another)).then_some(state.plan);
        let period = if has { Some((state.period_start, state.period_end)) } else { None };
        let period = period.or_else(|| had.then(|| month_of(now)));
        let is_paid = (has && state.plan != Plan::Starter) || (had && plan_before != Plan::Starter);
        let renews = before.is_some_and(|before| !is_another && before.period_start < state.period_start);
        Effect { plan, period: period.filter(|(_, end)| *end > now), is_fresh: is_paid || (has && renews) }
    }
}

fn month_of(now: Timestamp) -> (Timestamp, Timestamp) {
    let month = Usage::of_month(now);
    (month.period_start, month.period_end)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::SubscriptionStatus;

    fn moment(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    fn subscription_state(subscription: &str, status: &str, plan: Plan) -> SubscriptionState {
        SubscriptionState {
            subscription_id: subscription.to_owned(),
            status: SubscriptionStatus::new(status),
            plan,
            period_start: moment("2026-11-20T12:00:00Z"),
            period_end: moment("2026-12-20T12:00:00Z"),
            cancel_at_period_end: false,
        }
    }

    fn plan_after(before: Option<&SubscriptionState>, state: &SubscriptionState) -> Option<Plan> {
        Effect::of(before, state, moment("2026-11-25T00:00:00Z")).plan
    }

    #[test]
    fn the_plan_is_set_when_a_subscription_begins_changes_or_ends_and_is_else_let_be() {
        let (pro, ent) =
            (subscription_state("a", "active", Plan::Pro), subscription_state("a", "active", Plan::Enterprise));
        let (late, gone) =
            (subscription_state("a", "past_due", Plan::Pro), subscription_state("a", "canceled", Plan::Starter));
        let starter = subscription_state("b", "active", Plan::Starter);
        for (before, after, plan) in [
            (None, &pro, Some(Plan::Pro)),
            (None, &starter, Some(Plan::Starter)),
            (None, &gone, None),
            (Some(&pro), &pro, None),
            (Some(&pro), &late, None),
            (Some(&pro), &ent, Some(Plan::Enterprise)),
            (Some(&late), &gone, Some(Plan::Starter)),
            (Some(&gone), &gone, None),
            (Some(&gone), &starter, Some(Plan::Starter)),
        ] {
            assert_eq!(plan_after(before, after), plan, "{before:?} {after:?}");
        }
    }

    #[test]
    fn to_begin_and_end_the_smallest_plan_brings_no_requests() {
        let now = moment("2026-11-25T00:00:00Z");
        let (free, gone) =
            (subscription_state("a", "active", Plan::Starter), subscription_state("a", "canceled", Plan::Starter));
        let (pro, again) =
            (subscription_state("b", "active", Plan::Pro), subscription_state("c", "active", Plan::Starter));
        for (before, after, is_fresh) in [
            (None, &free, false),
            (Some(&free), &gone, false),
            (Some(&gone), &again, false),
            (Some(&gone), &pro, true),
            (Some(&pro), &gone, true),
        ] {
            assert_eq!(Effect::of(before, after, now).is_fresh, is_fresh, "{before:?} {after:?}");
        }
        let renewed = SubscriptionState {
            period_start: free.period_end,
            period_end: moment("2027-02-01T00:00:00Z"),
            ..free.clone()
        };
        assert!(Effect::of(Some(&free), &renewed, now).is_fresh);
    }

    #[test]
    fn the_period_is_the_paid_one_and_after_its_end_the_month() {
        let now = moment("2026-11-25T00:00:00Z");
        let (pro, gone) =
            (subscription_state("a", "active", Plan::Pro), subscription_state("a", "canceled", Plan::Starter));
        assert_eq!(Effect::of(None, &pro, now).period, Some((pro.period_start, pro.period_end)));
        assert_eq!(Effect::of(Some(&pro), &gone, now).period, Some(month_of(now)));
        assert_eq!(Effect::of(Some(&gone), &gone, now).period, None);
        assert_eq!(Effect::of(None, &pro, moment("2027-01-01T00:00:00Z")).period, None);
    }
}
