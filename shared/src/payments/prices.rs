//! The prices of the plans, and the plan that a customer's subscriptions pay for.

use super::error::invalid_response;
use super::wire::{Item, Subscription};
use crate::domain::{Plan, SubscriptionState, SubscriptionStatus};
use crate::error::Error;
use jiff::Timestamp;
use serde::Deserialize;
use std::cmp::Reverse;

/// The prices of the plans.
#[derive(Debug, Deserialize)]
pub struct Prices {
    /// Of [`Plan::Starter`].
    pub starter: PriceIds,
    /// Of [`Plan::Pro`].
    pub pro: PriceIds,
    /// Of [`Plan::Enterprise`].
    pub enterprise: PriceIds,
}

/// The price ids of a plan. New subscriptions use the first; the others belong to older subscriptions.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
pub enum PriceIds {
    /// The only price so far.
    One(String),
    /// The current price, then earlier ones.
    Several(Vec<String>),
}

impl Prices {
    /// The price of a plan for new subscriptions.
    pub(super) fn current(&self, plan: Plan) -> &str {
        self.of(plan).first().map_or("", String::as_str)
    }

    pub(super) fn of(&self, plan: Plan) -> &[String] {
        let ids = match plan {
            Plan::Starter => &self.starter,
            Plan::Pro => &self.pro,
            Plan::Enterprise => &self.enterprise,
        };
        match ids {
            PriceIds::One(id) => std::slice::from_ref(id),
            PriceIds::Several(ids) => ids,
        }
    }

    fn plan(&self, price: &str) -> Option<Plan> {
        Plan::ALL.into_iter().find(|plan| self.of(*plan).iter().any(|known| known == price))
    }

    /// The subscription state of a customer with these subscriptions; `None` without any. Usually at most one is
    /// active; of several, the one with the largest plan counts, because the customer pays for it.
    pub(super) fn subscription_state(
        &self,
        subscriptions: &[Subscription],
    ) -> Result<Option<SubscriptionState>, Error> {
        let mut best: Option<(_, SubscriptionState)> = None;
        for subscription in subscriptions {
            let Some(state) = self.state_of(subscription)? else { continue };
            let requests = state.status.grants_access().then_some(state.plan.limits().requests_per_period);
            let rank = (requests, !state.status.is_terminal(), subscription.created);
            if best.as_ref().is_none_or(|(known, _)| rank > *known) {
                best = Some((rank, state));
            }
        }
        Ok(best.map(|(_, state)| state))
    }

    /// `None` for an ended subscription without a known price, because an old price may have been removed from the
    /// secret, and for one without items, which pays for nothing.
    fn state_of(&self, subscription: &Subscription) -> Result<Option<SubscriptionState>, Error> {
        let status = SubscriptionStatus::new(&subscription.status);
        let known = subscription.items.data.iter().filter_map(|item| Some((self.plan(&item.price.id)?, item)));
        let largest = known.min_by_key(|(plan, _)| Reverse(plan.limits().requests_per_period));
        let Some((plan, item)) = largest else {
            let id = &subscription.id;
            if status.is_terminal() || subscription.items.data.is_empty() {
                tracing::warn!(subscription = %id, "a subscription that ended or is empty has no price of a plan");
                return Ok(None);
            }
            let reason = format!("subscription {id} has no price of the secret payment-provider; add it to its plan");
            return Err(Error::internal(reason));
        };
        // Since API version 2025-03-31.basil the period is on the item, not on the subscription.
        let (period_start, period_end) = period(item)?;
        Ok(Some(SubscriptionState {
            subscription_id: subscription.id.clone(),
            plan: if status.grants_access() { plan } else { Plan::Starter },
            status,
            period_start,
            period_end,
            cancel_at_period_end: subscription.cancel_at_period_end,
        }))
    }
}

fn period(item: &Item) -> Result<(Timestamp, Timestamp), Error> {
    let timestamp = |seconds| Timestamp::from_second(seconds).map_err(|error| invalid_response(error.to_string()));
    let (start, end) = (timestamp(item.current_period_start)?, timestamp(item.current_period_end)?);
    if start > end {
        return Err(invalid_response(format!("the period of {} ends before it starts", item.id)));
    }
    Ok((start, end))
}
