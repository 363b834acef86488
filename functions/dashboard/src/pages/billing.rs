//! Billing: the plan and its use, what each plan has, and forms that lead to the provider's checkout and portal.

use crate::addresses::BILLING;
use crate::api::{Api, Refusal};
use crate::layout::{self, Layout, grouped, readable};
use crate::notice::Notice;
use crate::people;
use crate::session::SignedIn;
use askama::Template;
use serde::{Deserialize, Serialize};
use shared::domain::{Plan, PlanLimits, SubscriptionState};
use shared::envelope::WebReply;
use shared::envelope::query::value;
use shared::error::Error;
use shared::payments::Provider;
use shared::serve::WebRequest;
use uuid::Uuid;

/// What only an owner may do here.
const CHANGE_PLAN: &str = "change the plan or its payment";

#[derive(Template)]
#[template(path = "billing.html")]
struct BillingPage {
    layout: Layout,
    plan: &'static str,
    status: Status,
    period_start: String,
    period_end: String,
    used: u64,
    limit: u64,
    used_shown: String,
    limit_shown: String,
    plans: Vec<PlanRow>,
    /// Whether the portal is the way to another plan.
    is_subscribed: bool,
    portal_key: Uuid,
    /// The owners whom a member asks for another plan; `None` for an owner.
    ask: Option<String>,
}

/// A subscription's status for people.
#[derive(Debug, PartialEq, Eq)]
struct Status {
    name: String,
    badge: &'static str,
    /// A sentence about what follows from it.
    meaning: String,
}

/// A plan in the comparison.
struct PlanRow {
    name: &'static str,
    is_current: bool,
    per_minute: String,
    per_period: String,
    in_flight: String,
    connections: String,
    has_targets: bool,
    /// The idempotency key of the form that buys the plan, if it can be bought.
    checkout_key: Option<Uuid>,
}

#[derive(Serialize)]
struct NewCheckout<'a> {
    plan: &'a str,
}

#[derive(Deserialize)]
struct Checkout {
    checkout_url: String,
}

#[derive(Deserialize)]
struct Portal {
    portal_url: String,
}

/// Shows the page. The status is the stored one, as in `getBillingStatus`.
pub(crate) async fn show(request: &WebRequest, person: &SignedIn) -> Result<WebReply, Error> {
    let billing = request.app.store.billing(person.customer());
    let (billing, ask) = tokio::join!(billing, people::owners_to_ask(request, person));
    let (state, ask) = (billing?.state, ask?);
    let plan = person.account.customer.plan;
    let usage = &person.account.usage;
    let used = usage.requests_used;
    let limit = plan.limits().requests_per_period;
    let is_subscribed = state.as_ref().is_some_and(|state| !state.status.is_terminal());
    let template = BillingPage {
        layout: Layout::signed_in(request, "Billing", BILLING, person),
        plan: plan.as_str(),
        status: status(state.as_ref()),
        period_start: readable(usage.period_start),
        period_end: readable(usage.period_end),
        used,
        limit,
        used_shown: grouped(used),
        limit_shown: grouped(limit),
        plans: Plan::ALL.into_iter().map(|other| row(other, plan, is_subscribed)).collect(),
        is_subscribed,
        portal_key: Uuid::new_v4(),
        ask,
    };
    let targets = request.app.payments().map(Provider::page_origins).unwrap_or_default();
    Ok(layout::show_with_targets(request, &template, targets))
}

/// Leads to the checkout of a plan.
pub(crate) async fn checkout(request: &WebRequest, person: &SignedIn) -> Result<WebReply, Error> {
    let form = request.form()?;
    if let Err(refusal) = people::owner_only(request, person, CHANGE_PLAN).await {
        return Ok(redirect(Err(refusal)));
    }
    let body = NewCheckout { plan: value(&form, "plan").unwrap_or_default() };
    let target = "/v1/billing/create-checkout-session";
    let created = Api::new(request, person).change_once(target, Some(&body), key(&form)).await;
    Ok(redirect(created.map(|checkout: Checkout| checkout.checkout_url)))
}

/// Leads to the billing portal.
pub(crate) async fn portal(request: &WebRequest, person: &SignedIn) -> Result<WebReply, Error> {
    let form = request.form()?;
    if let Err(refusal) = people::owner_only(request, person, CHANGE_PLAN).await {
        return Ok(redirect(Err(refusal)));
    }
    let created = Api::new(request, person).change_once("/v1/billing/portal", None::<&()>, key(&form)).await;
    Ok(redirect(created.map(|portal: Portal| portal.portal_url)))
}

/// The idempotency key that the page gave the form: a second click leads to the same page of the provider.
fn key(form: &[(String, String)]) -> &str {
    value(form, "idempotency_key").unwrap_or_default()
}

fn redirect(address: Result<String, Refusal>) -> WebReply {
    match address {
        Ok(address) => WebReply::see_other(address),
        Err(refusal) => Notice::failure(refusal, &[]).then(BILLING),
    }
}

fn status(state: Option<&SubscriptionState>) -> Status {
    let Some(state) = state else {
        let meaning = "There is no subscription.".to_owned();
        return Status { name: "active".to_owned(), badge: "good", meaning };
    };
    let end = readable(state.period_end);
    let (badge, meaning) = match state.status.as_str() {
        "active" | "trialing" if state.cancel_at_period_end => ("warn", format!("The subscription ends on {end}.")),
        "active" | "trialing" => ("good", format!("The subscription renews on {end}.")),
        "past_due" => ("warn", "The last payment failed. Update the payment method to keep the plan.".to_owned()),
        _ if state.status.is_terminal() => ("plain", "The subscription has ended.".to_owned()),
        _ => ("bad", "The subscription is not paid for. Complete the payment in the billing portal.".to_owned()),
    };
    Status { name: state.status.as_str().replace('_', " "), badge, meaning }
}

fn row(plan: Plan, current: Plan, is_subscribed: bool) -> PlanRow {
    let PlanLimits { requests_per_minute, requests_per_period, requests_in_flight, connections, has_targets, .. } =
        plan.limits();
    // With a subscription, a checkout is refused: the customer would pay for two.
    let can_buy = !is_subscribed && requests_per_period > current.limits().requests_per_period;
    PlanRow {
        name: plan.as_str(),
        is_current: plan == current,
        per_minute: grouped(requests_per_minute.into()),
        per_period: grouped(requests_per_period),
        in_flight: grouped(requests_in_flight.into()),
        connections: connections.map_or_else(|| "no limit".to_owned(), |count| count.to_string()),
        has_targets,
        checkout_key: can_buy.then(Uuid::new_v4),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shared::domain::SubscriptionStatus;

    fn state(status: &str, cancel_at_period_end: bool) -> SubscriptionState {
        SubscriptionState {
            subscription_id: "sub_1".to_owned(),
            status: SubscriptionStatus::new(status),
            plan: Plan::Pro,
            period_start: "2026-11-01T00:00:00Z".parse().unwrap(),
            period_end: "2026-12-01T00:00:00Z".parse().unwrap(),
            cancel_at_period_end,
        }
    }

    #[test]
    fn a_status_says_what_follows_from_it() {
        for (name, cancels, badge, word) in [
            ("active", false, "good", "renews on 1 Dec 2026"),
            ("active", true, "warn", "ends on 1 Dec 2026"),
            ("past_due", false, "warn", "failed"),
            ("canceled", false, "plain", "has ended"),
            ("incomplete", false, "bad", "not paid"),
            ("a_word_of_tomorrow", false, "bad", "not paid"),
        ] {
            let status = status(Some(&state(name, cancels)));
            assert_eq!(status.badge, badge, "{name}");
            assert!(status.meaning.contains(word) && !status.name.contains('_'), "{status:?}");
        }
        assert_eq!(status(None).name, "active");
    }

    #[test]
    fn larger_plans_can_be_bought_without_a_subscription() {
        let offered = |current, is_subscribed| {
            let rows = Plan::ALL.into_iter().map(|plan| row(plan, current, is_subscribed));
            rows.filter(|row| row.checkout_key.is_some()).map(|row| row.name).collect::<Vec<_>>()
        };
        assert_eq!(offered(Plan::Starter, false), ["pro", "enterprise"]);
        assert_eq!(offered(Plan::Pro, false), ["enterprise"]);
        assert!(offered(Plan::Enterprise, false).is_empty() && offered(Plan::Pro, true).is_empty());
    }
}
