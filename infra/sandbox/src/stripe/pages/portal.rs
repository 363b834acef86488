//! The hosted billing portal: a customer's subscriptions, and the changes to them.

use crate::html::{Message, page};
use crate::http::{Pairs, Request, Response};
use crate::stripe::events::Trigger;
use crate::stripe::objects::plan::{PLANS, Plan};
use crate::stripe::objects::portal_session::PortalSession;
use crate::stripe::objects::subscription::{Status, Subscription};
use crate::stripe::state::{NAME, Stripe};
use askama::Template;

const TITLE: &str = "Billing portal (sandbox)";

#[derive(Template)]
#[template(path = "stripe/portal.html")]
struct PortalPage<'a> {
    title: &'static str,
    subscriptions: Vec<&'a Subscription>,
    return_url: Option<&'a str>,
}

/// Shows the page, or handles its form and redirects to the page.
pub(crate) fn handle(stripe: &mut Stripe, request: &Request, id: &str, trigger: &Trigger) -> Response {
    let Some(portal) = stripe.portals.get(id).cloned() else {
        return message(404, "There is no such portal session.");
    };
    match request.method.as_str() {
        "GET" => return show(stripe, &portal),
        "POST" => {}
        _ => return message(405, "This page takes GET and POST.").with("allow", "GET, POST"),
    }
    let form = Pairs::parse(&request.body);
    if form.get("decision") == Some("back") {
        return match &portal.return_url {
            Some(to) => Response::see_other(to),
            None => message(400, "This portal session has no return_url."),
        };
    }
    match change(stripe, &portal, &form, trigger) {
        Ok(()) => Response::see_other(&format!("/{NAME}/portal/{id}")),
        Err(why) => message(400, why),
    }
}

fn change(stripe: &mut Stripe, portal: &PortalSession, form: &Pairs, trigger: &Trigger) -> Result<(), &'static str> {
    let subscription = chosen(stripe, portal, form.get("subscription"))?;
    let id = subscription.id.clone();
    match form.get("decision") {
        Some("plan") => {
            let plan = form.get("price").and_then(Plan::from_price).ok_or("price has to be the id of a price")?;
            stripe.change(&id, trigger, |subscription| subscription.plan = plan);
        }
        Some("cancel") => stripe.change(&id, trigger, |one| one.set_cancel_at_period_end(true, trigger.now)),
        Some("resume") => stripe.change(&id, trigger, |one| one.set_cancel_at_period_end(false, trigger.now)),
        Some("cancel_now") => stripe.cancel(&id, "cancellation_requested", trigger),
        Some("fail") => {
            check_payment_is_due(subscription)?;
            stripe.renew(&id, false, trigger);
        }
        Some("pay") => {
            if !stripe.retry_payment(&id, trigger) {
                return Err("There is no unpaid invoice.");
            }
        }
        _ => return Err("decision has to be plan, cancel, resume, cancel_now, fail, pay or back"),
    }
    Ok(())
}

/// The subscription that the form names, or the customer's newest; canceled ones do not count.
fn chosen<'s>(
    stripe: &'s Stripe,
    portal: &PortalSession,
    wanted: Option<&str>,
) -> Result<&'s Subscription, &'static str> {
    let mut live = subscriptions(stripe, portal).filter(|one| one.status != Status::Canceled);
    live.find(|one| wanted.is_none_or(|id| one.id == id)).ok_or("This customer has no such subscription in force.")
}

fn check_payment_is_due(subscription: &Subscription) -> Result<(), &'static str> {
    if subscription.status == Status::PastDue {
        return Err("The payment has failed already: pay again, or advance the period.");
    }
    if subscription.cancel_at_period_end {
        return Err("The subscription ends with its period, so no payment is due: keep it first.");
    }
    Ok(())
}

/// The customer's subscriptions, newest first.
fn subscriptions<'s>(stripe: &'s Stripe, portal: &PortalSession) -> impl Iterator<Item = &'s Subscription> {
    stripe.newest_subscriptions().filter(|one| one.customer == portal.customer)
}

fn message(status: u16, message: &str) -> Response {
    page(status, &Message { title: TITLE, message })
}

fn show(stripe: &Stripe, portal: &PortalSession) -> Response {
    let subscriptions = subscriptions(stripe, portal).collect();
    page(200, &PortalPage { title: TITLE, subscriptions, return_url: portal.return_url.as_deref() })
}
