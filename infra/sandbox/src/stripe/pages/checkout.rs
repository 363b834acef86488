//! The hosted checkout page.

use crate::html::{Message, page};
use crate::http::{Pairs, Request, Response};
use crate::stripe::events::Trigger;
use crate::stripe::objects::checkout_session::{CheckoutSession, Status};
use crate::stripe::state::Stripe;
use askama::Template;

const TITLE: &str = "Checkout (sandbox)";

/// Stripe replaces this text in the success URL by the session's id.
const PLACEHOLDER: &str = "{CHECKOUT_SESSION_ID}";

#[derive(Template)]
#[template(path = "stripe/checkout.html")]
struct CheckoutPage<'a> {
    title: &'static str,
    session: &'a CheckoutSession,
    note: Note,
}

/// The line above the purchase.
enum Note {
    None,
    Declined,
    Error(&'static str),
}

/// Shows the page, or handles its form.
pub(crate) fn handle(stripe: &mut Stripe, request: &Request, id: &str, trigger: &Trigger) -> Response {
    let Some(session) = stripe.sessions.get(id) else {
        return message(404, "There is no such checkout page.");
    };
    match session.status {
        Status::Complete => return message(410, "This purchase is complete already; nothing was paid again."),
        Status::Expired => return message(410, "This checkout page has expired. Start the purchase again."),
        Status::Open => {}
    }
    match request.method.as_str() {
        "GET" => return show(200, session, Note::None),
        "POST" => {}
        _ => return message(405, "This page takes GET and POST.").with("allow", "GET, POST"),
    }
    match Pairs::parse(&request.body).get("decision") {
        Some("pay") => {
            let to = session.success_url.replace(PLACEHOLDER, id);
            stripe.complete(id, trigger);
            Response::see_other(&to)
        }
        Some("decline") => show(402, session, Note::Declined),
        Some("cancel") => match &session.cancel_url {
            Some(to) => Response::see_other(to),
            None => show(400, session, Note::Error("This purchase has no cancel_url.")),
        },
        _ => show(400, session, Note::Error("decision has to be pay, decline or cancel")),
    }
}

fn message(status: u16, message: &str) -> Response {
    page(status, &Message { title: TITLE, message })
}

fn show(status: u16, session: &CheckoutSession, note: Note) -> Response {
    page(status, &CheckoutPage { title: TITLE, session, note })
}
