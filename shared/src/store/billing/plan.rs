//! The events of plan and subscription, and the plan that the operator sets.

use super::plan_change::PlanChange;
use crate::domain::{BillingStatus, CustomerId, Event, Plan, SubscriptionState, SubscriptionStatus, Usage};
use crate::error::Error;
use crate::store::event::occurrence;
use crate::store::transactions::{contended, update_write};
use crate::store::{Account, Store, Values, table_keys, text};
use jiff::Timestamp;

/// Attempts against other changes of the plan.
const MAX_ATTEMPTS: usize = 8;

/// The events that report a new subscription state.
#[derive(Default)]
pub(super) struct BillingEvents {
    pub(super) events: Vec<Event>,
    /// The plan that they say was before: a condition of the change of plan.
    pub(super) plan_before: Option<Plan>,
}

impl Store {
    /// The events of a subscription state that follows `before`. Reads the account if there may be one.
    pub(super) async fn billing_events(
        &self,
        customer: CustomerId,
        before: Option<&SubscriptionState>,
        state: &SubscriptionState,
        change: PlanChange,
        period_is_new: bool,
        now: Timestamp,
    ) -> Result<BillingEvents, Error> {
        let status_before = before.map_or_else(SubscriptionStatus::none, |before| before.status.clone());
        if change.plan.is_none() && status_before == state.status {
            return Ok(BillingEvents::default());
        }
        let Some(account) = self.account(customer, now).await? else { return Ok(BillingEvents::default()) };
        let plan = account.customer.plan;
        let after = BillingStatus {
            plan: change.plan.unwrap_or(plan),
            status: state.status.clone(),
            usage: usage_after(&account, change, period_is_new),
        };
        let events = Event::of_billing(plan, &status_before, &after, occurrence(customer, now));
        Ok(BillingEvents { events, plan_before: change.plan.map(|_| plan) })
    }

    /// Changes the plan of an account. `false` if the account does not exist.
    pub async fn set_plan(&self, customer: CustomerId, plan: Plan, now: Timestamp) -> Result<bool, Error> {
        for _ in 0..MAX_ATTEMPTS {
            let Some(account) = self.account(customer, now).await? else { return Ok(false) };
            let known = account.customer.plan;
            if known == plan {
                return Ok(true);
            }
            let state = self.billing(customer).await?.state;
            let status = state.map_or_else(SubscriptionStatus::none, |state| state.status);
            let after = BillingStatus { plan, status: status.clone(), usage: account.usage };
            let update = self
                .update_item(&table_keys::account(customer))
                .update_expression("SET #plan = :plan")
                .condition_expression("#plan = :known")
                .expression_attribute_names("#plan", "plan")
                .values([(":plan", text(plan.as_str())), (":known", text(known.as_str()))]);
            let mut writes = vec![update_write(update)?];
            for event in Event::of_billing(known, &status, &after, occurrence(customer, now)) {
                writes.push(self.event_write(&event)?);
            }
            if self.transact(writes).await?.is_empty() {
                return Ok(true);
            }
        }
        Err(contended())
    }
}

/// The use of the period that the change leaves.
fn usage_after(account: &Account, change: PlanChange, period_is_new: bool) -> Usage {
    let Some((period_start, period_end)) = change.period else { return account.usage };
    let restarts = period_is_new && change.restarts_count;
    let requests_used = if restarts { 0 } else { account.usage.requests_used };
    Usage { period_start, period_end, requests_used }
}
