//! Billing: the plan and its use, what each plan has, and forms that lead to the provider's checkout and portal.

mod words;

use crate::client::api::{Api, Refusal};
use crate::client::session::SignedIn;
use crate::client::{billing, people};
use crate::kit::addresses::BILLING;
use crate::kit::plans;
use crate::kit::text::{grouped, readable};
use crate::pages::layout::{self, Layout};
use askama::Template;
use shared::domain::{Plan, PlanLimits, SubscriptionState};
use shared::envelope::WebReply;
use shared::envelope::query::value;
use shared::error::Error;
use shared::payments::{PlanPrice, Provider};
use shared::serve::WebRequest;
use std::time::Duration;
use tokio::time::Instant;
use uuid::Uuid;
use words::{Standing, not_opened, outcome, standing};

/// Time limit of the read of the prices.
const PRICES_TIMEOUT: Duration = Duration::from_secs(2);

/// What only an owner may do here.
const CHANGE_PLAN: &str = "change the plan or its payment";

#[derive(Template)]
#[template(path = "pages/billing/billing.html")]
struct BillingPage {
    layout: Layout,
    plan: &'static str,
    standing: Standing,
    period_start: String,
    period_end: String,
    used: u64,
    limit: u64,
    used_shown: String,
    limit_shown: String,
    plans: Vec<PlanRow>,
    has_prices: bool,
    /// Whether the portal is the way to another plan.
    is_subscribed: bool,
    portal_key: Uuid,
    /// The owners whom a member asks for another plan; `None` for an owner.
    ask: Option<String>,
}

/// A plan in the comparison.
struct PlanRow {
    /// The name in the API, and the one for people.
    value: &'static str,
    name: &'static str,
    is_current: bool,
    /// `99.00 USD a month`, `Free`; empty if the payment provider does not return it.
    price: String,
    per_period: String,
    connections: String,
    has_targets: bool,
    /// The idempotency key of the form that buys the plan, if it can be bought.
    checkout_key: Option<Uuid>,
}

/// Shows the page. The status is the stored one, as in `getBillingStatus`.
pub(crate) async fn show(request: &WebRequest, person: &SignedIn) -> Result<WebReply, Error> {
    let plan = person.account.customer.plan;
    // The way back from the payment provider. The page without the outcome in its address can be reloaded.
    if let Some(notice) = value(&request.query, "checkout").and_then(|name| outcome(name, plan)) {
        return Ok(notice.then(BILLING));
    }
    let record = request.app.store.billing(person.customer());
    let (record, prices) = tokio::join!(record, prices(request));
    let (state, ask) = (record?.state, people::owners_to_ask(person));
    let usage = &person.account.usage;
    let used = usage.requests_used;
    let limit = plan.limits().requests_per_period;
    let live = state.as_ref().filter(|state| !state.status.is_terminal());
    let price = |of: Plan| Plan::ALL.into_iter().zip(&prices).find(|(known, _)| *known == of)?.1.clone();
    let template = BillingPage {
        layout: Layout::signed_in(request, "Billing", BILLING, person),
        plan: plans::name(plan),
        standing: standing(state.as_ref(), plan, price),
        period_start: readable(usage.period_start),
        period_end: readable(usage.period_end),
        used,
        limit,
        used_shown: grouped(used),
        limit_shown: grouped(limit),
        has_prices: prices.iter().any(Option::is_some),
        plans: Plan::ALL
            .into_iter()
            .zip(&prices)
            .map(|(other, price)| row(other, (plan, person.account.connections), live, price.as_ref()))
            .collect(),
        is_subscribed: live.is_some(),
        portal_key: Uuid::new_v4(),
        ask,
    };
    let targets = request.app.payments().map(Provider::page_origins).unwrap_or_default();
    Ok(layout::show_with_targets(request, &template, targets))
}

/// Leads to the checkout of a plan.
pub(crate) async fn checkout(request: &WebRequest, person: &SignedIn) -> Result<WebReply, Error> {
    let form = request.form()?;
    if let Err(refusal) = people::owner_only(request, person, CHANGE_PLAN) {
        return Ok(redirect(Err(refusal)));
    }
    let plan = value(&form, "plan").unwrap_or_default();
    Ok(redirect(billing::checkout(&Api::new(request, person), plan, key(&form)).await))
}

/// Leads to the billing portal.
pub(crate) async fn portal(request: &WebRequest, person: &SignedIn) -> Result<WebReply, Error> {
    let form = request.form()?;
    if let Err(refusal) = people::owner_only(request, person, CHANGE_PLAN) {
        return Ok(redirect(Err(refusal)));
    }
    Ok(redirect(billing::portal(&Api::new(request, person), key(&form)).await))
}

/// The idempotency key that the page gave the form: a second click leads to the same page of the provider.
fn key(form: &[(String, String)]) -> &str {
    value(form, "idempotency_key").unwrap_or_default()
}

fn redirect(address: Result<String, Refusal>) -> WebReply {
    match address {
        Ok(address) => WebReply::see_other(address),
        Err(refusal) => not_opened(refusal).then(BILLING),
    }
}

/// The price of each plan. Without an answer of the payment provider the page has none, and the checkout shows it.
async fn prices(request: &WebRequest) -> [Option<PlanPrice>; 3] {
    let Ok(provider) = request.app.payments() else { return Plan::ALL.map(|_| None) };
    let deadline = Instant::now() + PRICES_TIMEOUT;
    let of = async |plan: Plan| match provider.plan_price(plan, deadline).await {
        Ok(price) => price,
        Err(error) => {
            tracing::warn!(request_id = %request.request_id, %error, source = error.source, "no price of a plan");
            None
        }
    };
    let [first, second, third] = Plan::ALL.map(of);
    tokio::join!(first, second, third).into()
}

/// The row of a plan, for a customer with the current one and so many connections.
fn row(
    plan: Plan,
    (current, used): (Plan, usize),
    live: Option<&SubscriptionState>,
    price: Option<&PlanPrice>,
) -> PlanRow {
    let PlanLimits { requests_per_period, has_targets, .. } = plan.limits();
    // With a subscription, a checkout is refused: the customer would pay for two.
    let can_buy = live.is_none() && requests_per_period > current.limits().requests_per_period;
    PlanRow {
        value: plan.as_str(),
        name: plans::name(plan),
        is_current: plan == current,
        price: words::plan_price(plan, current, live, price),
        per_period: grouped(requests_per_period),
        connections: words::connections(plan, current, used),
        has_targets,
        checkout_key: can_buy.then(Uuid::new_v4),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn larger_plans_can_be_bought_without_a_subscription() {
        let offered = |current, is_subscribed: bool| {
            let live = words::tests::state("active", false);
            let live = is_subscribed.then_some(&live);
            let rows = Plan::ALL.into_iter().map(|plan| row(plan, (current, 1), live, None));
            rows.filter(|row| row.checkout_key.is_some()).map(|row| row.value).collect::<Vec<_>>()
        };
        assert_eq!(offered(Plan::Starter, false), ["pro", "enterprise"]);
        assert_eq!(offered(Plan::Pro, false), ["enterprise"]);
        assert!(offered(Plan::Enterprise, false).is_empty() && offered(Plan::Pro, true).is_empty());
    }
}
