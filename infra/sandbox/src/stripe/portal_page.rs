//! The hosted billing portal: a customer's subscriptions, and what can happen to them.

use std::fmt::Write as _;

use jiff::Timestamp;

use super::events::Occasion;
use super::portal::Portal;
use super::prices::{PLANS, Plan, dollars};
use super::subscription::{Status, Subscription};
use super::{Stripe, WORD};
use crate::html::{escape, page};
use crate::http::{Pairs, Reply, Request};

const TITLE: &str = "Billing portal (sandbox)";

/// Shows the page, or does what its form asks and shows it anew.
pub(super) fn answer(stripe: &mut Stripe, request: &Request, id: &str, occasion: &Occasion) -> Reply {
    let Some(portal) = stripe.portals.get(id).cloned() else {
        return mistake(404, "There is no such portal session.");
    };
    match request.method.as_str() {
        "GET" => return show(stripe, &portal),
        "POST" => {}
        _ => return mistake(405, "This page is read and its forms are sent.").with("allow", "GET, POST"),
    }
    let form = Pairs::parse(&request.body);
    if form.get("decision") == Some("back") {
        return match &portal.return_url {
            Some(to) => Reply::see_other(to),
            None => mistake(400, "This portal session has no address to go back to."),
        };
    }
    match act(stripe, &portal, &form, occasion) {
        Ok(()) => Reply::see_other(&format!("/{WORD}/portal/{id}")),
        Err(why) => mistake(400, why),
    }
}

fn act(stripe: &mut Stripe, portal: &Portal, form: &Pairs, occasion: &Occasion) -> Result<(), &'static str> {
    let wanted = form.get("subscription");
    let mut of_customer = held(stripe, portal).into_iter().filter(|one| one.status != Status::Canceled);
    let chosen = of_customer.find(|one| wanted.is_none_or(|id| one.id == id));
    let subscription = chosen.ok_or("This customer has no such subscription that is not canceled.")?;
    let id = subscription.id.clone();
    match form.get("decision") {
        Some("plan") => {
            let plan = form.get("price").and_then(Plan::priced).ok_or("price has to be the id of a price")?;
            stripe.change(&id, occasion, |subscription| subscription.plan = plan);
        }
        Some("cancel") => stripe.change(&id, occasion, |one| one.end_with_period(true, occasion.now)),
        Some("resume") => stripe.change(&id, occasion, |one| one.end_with_period(false, occasion.now)),
        Some("cancel_now") => stripe.end(&id, "cancellation_requested", occasion),
        Some("fail") => {
            if subscription.status == Status::PastDue {
                return Err("Its payment has failed already: pay again, or let the period pass.");
            }
            if subscription.cancel_at_period_end {
                return Err("It ends with its period, so no payment is to come: keep it first.");
            }
            stripe.renew(&id, false, occasion);
        }
        Some("pay") => {
            if !stripe.pay_again(&id, occasion) {
                return Err("Nothing is left to pay.");
            }
        }
        _ => return Err("decision has to be plan, cancel, resume, cancel_now, fail, pay or back"),
    }
    Ok(())
}

/// The customer's subscriptions, the newest first.
fn held<'s>(stripe: &'s Stripe, portal: &Portal) -> Vec<&'s Subscription> {
    let all = stripe.order.iter().rev().filter_map(|id| stripe.subscriptions.get(id));
    all.filter(|one| one.customer == portal.customer).collect()
}

fn mistake(status: u16, why: &str) -> Reply {
    page(status, TITLE, &format!("<p>{}</p>", escape(why)))
}

fn show(stripe: &Stripe, portal: &Portal) -> Reply {
    let mut main =
        String::from("<p class=\"note\">This is a sandbox that imitates Stripe's portal. No money moves.</p>");
    let held = held(stripe, portal);
    if held.is_empty() {
        main.push_str("<p>There is no subscription yet.</p>");
    }
    for subscription in held {
        main.push_str(&block(subscription));
    }
    if let Some(to) = &portal.return_url {
        let _ = write!(
            main,
            "<form method=\"post\"><button name=\"decision\" value=\"back\" class=\"quiet\">Back</button></form>\
             <p><small>Back goes to <code>{}</code></small></p>",
            escape(to)
        );
    }
    page(200, TITLE, &main)
}

fn block(of: &Subscription) -> String {
    let (_, end) = of.period();
    let day = Timestamp::from_second(end).map(|end| end.strftime("%Y-%m-%d").to_string()).unwrap_or_default();
    let ends = if of.cancel_at_period_end { "ends on" } else { "next payment" };
    let mut html = format!(
        "<h2>{} · {} a month</h2><p><code>{}</code>: {}",
        of.plan.name(),
        dollars(of.cents()),
        escape(&of.id),
        of.status.word(),
    );
    if of.status == Status::Canceled {
        html.push_str("</p>");
        return html;
    }
    let options: String = PLANS.iter().map(|plan| option(*plan, *plan == of.plan)).collect();
    let stays = if of.cancel_at_period_end {
        button("resume", "Keep it after all")
    } else {
        button("cancel", "Cancel at the end of the period")
    };
    let payment = match of.status {
        Status::PastDue => button("pay", "Pay again"),
        _ => button("fail", "Next payment fails"),
    };
    let _ = write!(
        html,
        ", {ends} {day}</p><form method=\"post\"><input type=\"hidden\" name=\"subscription\" value=\"{id}\">\
         <label>Plan <select name=\"price\">{options}</select></label>{plan}{stays}{now}{payment}</form>",
        id = escape(&of.id),
        plan = button("plan", "Change plan"),
        now = button("cancel_now", "Cancel now"),
    );
    html
}

fn option(plan: Plan, chosen: bool) -> String {
    let selected = if chosen { " selected" } else { "" };
    format!("<option value=\"{}\"{selected}>{} · {}</option>", plan.price(), plan.name(), dollars(plan.cents()))
}

fn button(decision: &str, words: &str) -> String {
    format!("<button name=\"decision\" value=\"{decision}\" class=\"quiet\">{words}</button>")
}
