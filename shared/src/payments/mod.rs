//! The payment provider: a small client of its API, its webhooks' signature, and what its failures mean.
//!
//! The provider speaks Stripe's API (D37 in the README).

mod client;
mod fault;
pub mod signature;
pub mod wire;

pub use client::{Checkout, Failed, Provider};

use crate::domain::{Plan, SubscriptionState, SubscriptionStatus};

use crate::error::Error;
use jiff::Timestamp;
use secrecy::{ExposeSecret, SecretString};
use serde::Deserialize;
use std::cmp::Reverse;
use wire::{Item, Subscription};

/// Where the provider is.
pub const BASE_URL: &str = "https://api.stripe.com";

/// Our account at the provider, as the secret has it.
#[derive(Debug, Deserialize)]
pub struct Credentials {
    /// `sk_…`: opens the API.
    pub secret_key: SecretString,
    /// `whsec_…`: sign webhooks; two while one is rolled.
    pub webhook_secrets: Vec<SecretString>,
    /// What the plans cost.
    pub prices: Prices,
}

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

/// A plan's price, or its prices: the first is sold, the others belong to subscriptions from before.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
pub enum PriceIds {
    /// There was never another.
    One(String),
    /// The price was changed.
    Several(Vec<String>),
}

/// Why credentials are none. Never quotes them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BadCredentials(pub(crate) &'static str);

impl std::fmt::Display for BadCredentials {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.0)
    }
}

impl std::error::Error for BadCredentials {}

impl Credentials {
    /// An empty webhook secret would let anybody sign; a price of two plans would say neither.
    fn check(&self) -> Result<(), BadCredentials> {
        if self.secret_key.expose_secret().is_empty() {
            return Err(BadCredentials("secret_key is empty"));
        }
        if self.webhook_secrets.is_empty() {
            return Err(BadCredentials("webhook_secrets is empty: it must hold the endpoint's signing secret"));
        }
        if self.webhook_secrets.iter().any(|secret| secret.expose_secret().trim().is_empty()) {
            return Err(BadCredentials("webhook_secrets holds an empty secret, with which anybody could sign"));
        }
        let mut prices: Vec<&String> = Plan::ALL.into_iter().flat_map(|plan| self.prices.of(plan)).collect();
        let all = prices.len();
        prices.sort_unstable();
        prices.dedup();
        let is_missing = Plan::ALL.into_iter().any(|plan| self.prices.of(plan).is_empty());
        if is_missing || prices.len() < all || prices.iter().any(|price| price.is_empty()) {
            return Err(BadCredentials("prices must hold at least one price for each plan, and none twice"));
        }
        Ok(())
    }
}

impl Prices {
    /// The prices of a plan.
    fn of(&self, plan: Plan) -> &[String] {
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

    /// The plan that a price is of.
    fn plan(&self, price: &str) -> Option<Plan> {
        Plan::ALL.into_iter().find(|plan| self.of(*plan).iter().any(|known| known == price))
    }
}

impl Prices {
    /// How a customer stands who has these subscriptions; `None` without any. There should be one that is not over;
    /// of several the one with the largest plan counts, because it is paid for.
    pub fn subscription_state(&self, subscriptions: &[Subscription]) -> Result<Option<SubscriptionState>, Error> {
        let mut best: Option<(_, SubscriptionState)> = None;
        for subscription in subscriptions {
            let Some(state) = self.subscription_state_of(subscription)? else { continue };
            let use_of = state.status.grants_access().then_some(state.plan.limits().requests_per_period);
            let rank = (use_of, !state.status.is_terminal(), subscription.created);
            if best.as_ref().is_none_or(|(known, _)| rank > *known) {
                best = Some((rank, state));
            }
        }
        Ok(best.map(|(_, state)| state))
    }

    /// The period stands on the item that has the plan's price, since version 2025-03-31.basil of the API. `None` for a
    /// subscription without a price of ours that gives no use any more: an old price may be out of the secret.
    fn subscription_state_of(&self, subscription: &Subscription) -> Result<Option<SubscriptionState>, Error> {
        let status = SubscriptionStatus::new(&subscription.status);
        let known = subscription.items.data.iter().filter_map(|item| Some((self.plan(&item.price.id)?, item)));
        let largest = known.min_by_key(|(plan, _)| Reverse(plan.limits().requests_per_period));
        let Some((plan, item)) = largest else {
            let id = &subscription.id;
            if status.is_terminal() {
                tracing::warn!(subscription = %id, "a subscription that is over has no price of the secret payment-provider");
                return Ok(None);
            }
            let reason = format!("subscription {id} has no price of the secret payment-provider: add it to its plan");
            return Err(Error::internal(reason));
        };
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
    let moment = |seconds| Timestamp::from_second(seconds).map_err(Error::internal);
    let (start, end) = (moment(item.current_period_start)?, moment(item.current_period_end)?);
    if start > end {
        return Err(Error::internal(format!("the period of {} ends before it starts", item.id)));
    }
    Ok((start, end))
}

#[cfg(test)]
mod tests;
