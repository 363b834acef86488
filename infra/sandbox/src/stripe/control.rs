//! Control addresses under `/_sandbox/stripe/`.

use super::events::{Endpoint, Trigger};
use super::objects::checkout_session::CheckoutSession;
use super::objects::subscription::Subscription;
use super::state::Stripe;
use crate::fields::{ControlResult, Fields};
use crate::oauth::is_redirect_uri;
use jiff::Timestamp;
use serde_json::json;

/// Maximum periods of one request: ten years.
const MAX_PERIODS: u64 = 120;

/// The addresses and their methods.
pub(crate) const METHODS: &[(&str, &str)] = &[
    ("stripe/webhook", "POST"),
    ("stripe/advance", "POST"),
    ("stripe/expire", "POST"),
    ("stripe/events", "GET"),
    ("stripe/redeliver", "POST"),
];

fn bad_request(message: String) -> (u16, String) {
    (400, message)
}

/// Handles a control request; `None` for an unknown address or method.
pub(crate) fn handle(
    stripe: &mut Stripe,
    method: &str,
    name: &str,
    body: &str,
    now: Timestamp,
) -> Option<ControlResult> {
    let trigger = Trigger::at(now.as_second());
    Some(match (method, name.strip_prefix("stripe/")?) {
        ("POST", "webhook") => webhook(stripe, body),
        ("POST", "advance") => advance(stripe, body, &trigger),
        ("POST", "expire") => expire(stripe, body, &trigger),
        ("GET", "events") => Ok((200, stripe.outbox.json())),
        ("POST", "redeliver") => redeliver(stripe, body, now.as_millisecond()),
        _ => return None,
    })
}

/// Sets the webhook endpoint. Without a URL, events are stored and not sent.
fn webhook(stripe: &mut Stripe, body: &str) -> ControlResult {
    let mut fields = Fields::parse(body).map_err(bad_request)?;
    let url = fields.text("url").map_err(bad_request)?;
    let secrets = fields.texts("secrets").map_err(bad_request)?;
    fields.deny_unknown().map_err(bad_request)?;
    stripe.outbox.endpoint = match url {
        None => None,
        Some(url) if !(url.starts_with("http://") && is_redirect_uri(&url)) => {
            return Err(bad_request(
                "url has to be http on this machine, such as http://127.0.0.1:8080/hook".to_owned(),
            ));
        }
        Some(_) if !matches!(secrets.len(), 1 | 2) || secrets.iter().any(String::is_empty) => {
            return Err(bad_request("secrets has to be a list of one or two texts; two are for a rotation".to_owned()));
        }
        Some(url) => Some(Endpoint { url, secrets }),
    };
    let url = stripe.outbox.endpoint.as_ref().map(|endpoint| &endpoint.url);
    Ok((200, json!({ "url": url })))
}

fn advance(stripe: &mut Stripe, body: &str, trigger: &Trigger) -> ControlResult {
    let mut fields = Fields::parse(body).map_err(bad_request)?;
    let id = fields.required("subscription").map_err(bad_request)?;
    let periods = fields.number("periods", MAX_PERIODS).map_err(bad_request)?.unwrap_or(1);
    fields.deny_unknown().map_err(bad_request)?;
    if periods == 0 {
        return Err(bad_request("periods has to be at least 1".to_owned()));
    }
    for advanced in 0..periods {
        if !stripe.advance_period(&id, trigger) {
            if advanced > 0 {
                break;
            }
            let why = format!("subscription {id} is unknown or canceled");
            return Err((if stripe.subscriptions.contains_key(&id) { 409 } else { 404 }, why));
        }
    }
    let shown = stripe.subscriptions.get(&id).map(Subscription::object);
    Ok((200, json!({ "subscription": shown })))
}

fn expire(stripe: &mut Stripe, body: &str, trigger: &Trigger) -> ControlResult {
    let mut fields = Fields::parse(body).map_err(bad_request)?;
    let id = fields.required("session").map_err(bad_request)?;
    fields.deny_unknown().map_err(bad_request)?;
    if !stripe.expire(&id, trigger) {
        let status = if stripe.sessions.contains_key(&id) { 409 } else { 404 };
        return Err((status, format!("session {id} is unknown or not open")));
    }
    Ok((200, json!({ "session": stripe.sessions.get(&id).map(CheckoutSession::object) })))
}

fn redeliver(stripe: &mut Stripe, body: &str, now_ms: i64) -> ControlResult {
    let mut fields = Fields::parse(body).map_err(bad_request)?;
    let id = fields.required("event").map_err(bad_request)?;
    fields.deny_unknown().map_err(bad_request)?;
    if stripe.outbox.endpoint.is_none() {
        return Err((409, "there is no webhook endpoint; set one at /_sandbox/stripe/webhook".to_owned()));
    }
    if !stripe.outbox.redeliver(&id, now_ms) {
        return Err((404, format!("event {id} is unknown; /_sandbox/stripe/events lists them")));
    }
    Ok((200, json!({ "event": id })))
}
