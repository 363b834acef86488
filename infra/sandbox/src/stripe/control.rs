//! The provider's control addresses, under `/_sandbox/stripe/`.

use jiff::Timestamp;
use serde_json::{Value, json};

use super::Stripe;
use super::events::{Endpoint, Occasion};
use crate::fields::Fields;
use crate::oauth::is_redirect_uri;

/// Ten years of periods at once.
const MOST_PERIODS: u64 = 120;

/// The addresses with their methods.
pub(crate) const METHODS: &[(&str, &str)] = &[
    ("stripe/webhook", "POST"),
    ("stripe/advance", "POST"),
    ("stripe/expire", "POST"),
    ("stripe/events", "GET"),
    ("stripe/redeliver", "POST"),
];

type Refusal = (u16, String);
type Answer = Result<(u16, Value), Refusal>;

fn bad(why: String) -> Refusal {
    (400, why)
}

/// Answers one control request; `None` when it is none of the provider's.
pub(crate) fn answer(stripe: &mut Stripe, method: &str, name: &str, body: &str, now: Timestamp) -> Option<Answer> {
    let occasion = Occasion::at(now.as_second());
    Some(match (method, name.strip_prefix("stripe/")?) {
        ("POST", "webhook") => webhook(stripe, body),
        ("POST", "advance") => advance(stripe, body, &occasion),
        ("POST", "expire") => expire(stripe, body, &occasion),
        ("GET", "events") => Ok((200, stripe.outbox.show())),
        ("POST", "redeliver") => redeliver(stripe, body, now.as_millisecond()),
        _ => return None,
    })
}

/// Where events go from now on; without an address they go nowhere.
fn webhook(stripe: &mut Stripe, body: &str) -> Answer {
    let mut fields = Fields::read(body).map_err(bad)?;
    let url = fields.text("url").map_err(bad)?;
    let secrets = fields.texts("secrets").map_err(bad)?;
    fields.end().map_err(bad)?;
    stripe.outbox.endpoint = match url {
        None => None,
        Some(url) if !(url.starts_with("http://") && is_redirect_uri(&url)) => {
            return Err(bad("url has to be http on this machine, such as http://127.0.0.1:8080/hook".to_owned()));
        }
        Some(_) if !matches!(secrets.len(), 1 | 2) || secrets.iter().any(String::is_empty) => {
            return Err(bad("secrets has to be a list of one text, or of two while one is rolled".to_owned()));
        }
        Some(url) => Some(Endpoint { url, secrets }),
    };
    let url = stripe.outbox.endpoint.as_ref().map(|endpoint| &endpoint.url);
    Ok((200, json!({ "url": url })))
}

fn advance(stripe: &mut Stripe, body: &str, occasion: &Occasion) -> Answer {
    let mut fields = Fields::read(body).map_err(bad)?;
    let id = fields.required("subscription").map_err(bad)?;
    let periods = fields.number("periods", MOST_PERIODS).map_err(bad)?.unwrap_or(1);
    fields.end().map_err(bad)?;
    if periods == 0 {
        return Err(bad("periods has to be at least 1".to_owned()));
    }
    for passed in 0..periods {
        if !stripe.pass_period(&id, occasion) {
            if passed > 0 {
                break;
            }
            let why = format!("subscription {id} is unknown or canceled: no period of it can pass");
            return Err((if stripe.subscriptions.contains_key(&id) { 409 } else { 404 }, why));
        }
    }
    let shown = stripe.subscriptions.get(&id).map(super::Subscription::object);
    Ok((200, json!({ "subscription": shown })))
}

fn expire(stripe: &mut Stripe, body: &str, occasion: &Occasion) -> Answer {
    let mut fields = Fields::read(body).map_err(bad)?;
    let id = fields.required("session").map_err(bad)?;
    fields.end().map_err(bad)?;
    if !stripe.expire(&id, occasion) {
        let status = if stripe.sessions.contains_key(&id) { 409 } else { 404 };
        return Err((status, format!("session {id} is unknown or not open: it cannot expire")));
    }
    Ok((200, json!({ "session": stripe.sessions.get(&id).map(super::Session::object) })))
}

fn redeliver(stripe: &mut Stripe, body: &str, now_ms: i64) -> Answer {
    let mut fields = Fields::read(body).map_err(bad)?;
    let id = fields.required("event").map_err(bad)?;
    fields.end().map_err(bad)?;
    if stripe.outbox.endpoint.is_none() {
        return Err((409, "there is no webhook endpoint; set one at /_sandbox/stripe/webhook".to_owned()));
    }
    if !stripe.outbox.redeliver(&id, now_ms) {
        return Err((404, format!("event {id} is unknown; /_sandbox/stripe/events lists them")));
    }
    Ok((200, json!({ "event": id })))
}
