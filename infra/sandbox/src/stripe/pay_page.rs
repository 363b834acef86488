//! The hosted checkout page: what is bought, and the ways it can go.

use super::Stripe;
use super::events::Occasion;
use super::prices::dollars;
use super::session::{Session, Status};
use crate::html::{escape, page};
use crate::http::{Pairs, Reply, Request};

const TITLE: &str = "Checkout (sandbox)";

/// What Checkout puts in place of this is the session's id.
const PLACEHOLDER: &str = "{CHECKOUT_SESSION_ID}";

/// Shows the page, or takes its answer.
pub(super) fn answer(stripe: &mut Stripe, request: &Request, id: &str, occasion: &Occasion) -> Reply {
    let Some(session) = stripe.sessions.get(id) else {
        return closed(404, "There is no such checkout page.");
    };
    match session.status {
        Status::Complete => return closed(410, "This purchase is complete already; nothing was paid again."),
        Status::Expired => return closed(410, "This checkout page has expired. Start the purchase anew."),
        Status::Open => {}
    }
    if request.method == "GET" {
        return open(200, session, "");
    }
    if request.method != "POST" {
        return closed(405, "This page is read and its form is sent.").with("allow", "GET, POST");
    }
    match Pairs::parse(&request.body).get("decision") {
        Some("pay") => {
            let to = session.success_url.replace(PLACEHOLDER, id);
            stripe.complete(id, occasion);
            Reply::see_other(&to)
        }
        Some("decline") => open(402, session, "<p><strong>Your card was declined.</strong> Try another one.</p>"),
        Some("cancel") => match &session.cancel_url {
            Some(to) => Reply::see_other(to),
            None => open(400, session, "<p>This purchase has no address to go back to.</p>"),
        },
        _ => open(400, session, "<p>decision has to be pay, decline or cancel</p>"),
    }
}

fn closed(status: u16, why: &str) -> Reply {
    page(status, TITLE, &format!("<p>{}</p>", escape(why)))
}

fn open(status: u16, session: &Session, note: &str) -> Reply {
    let main = format!(
        "<p class=\"note\">This is a sandbox that imitates Stripe. No money moves.</p>{note}\
         <p>{quantity} × <strong>{plan}</strong>: {price} a month</p><p>{email}</p>\
         <form method=\"post\"><button name=\"decision\" value=\"pay\">Pay</button>\
         <button name=\"decision\" value=\"decline\" class=\"quiet\">Decline card</button>\
         <button name=\"decision\" value=\"cancel\" class=\"quiet\">Cancel</button></form>\
         <p><small>Success goes to <code>{success}</code></small></p>",
        quantity = session.quantity,
        plan = session.plan.name(),
        price = dollars(session.cents()),
        email = escape(session.customer_email.as_deref().unwrap_or_default()),
        success = escape(&session.success_url),
    );
    page(status, TITLE, &main)
}
