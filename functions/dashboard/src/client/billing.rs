//! The payment provider's pages: typed calls of the API.

use crate::client::api::{Api, Refusal, json};
use crate::client::replay;
use serde::{Deserialize, Serialize};
use shared::envelope::{Reply, Shape};
use shared::serve::ApiCall;

/// The body of `createCheckout`.
#[derive(Serialize)]
struct NewCheckout<'a> {
    plan: &'a str,
}

/// The stored response of `createCheckout`.
#[derive(Deserialize)]
struct StoredCheckout {
    checkout_url: String,
}

/// The stored response of `createPortal`.
#[derive(Deserialize)]
struct StoredPortal {
    portal_url: String,
}

/// `createCheckout` for a plan; the address of the checkout, which is the same for the same idempotency key.
pub(crate) async fn checkout(api: &Api<'_>, plan: &str, key: &str) -> Result<String, Refusal> {
    match ask_once(api, "/v1/billing/create-checkout-session", json(&NewCheckout { plan }), key).await? {
        Reply::Checkout { checkout_url, session_id: _ } => Ok(checkout_url),
        Reply::Replayed(stored) => replay::body(api, &stored).map(|StoredCheckout { checkout_url }| checkout_url),
        other => Err(api.unexpected(&other)),
    }
}

/// `createPortal`; the address of the billing portal, which is the same for the same idempotency key.
pub(crate) async fn portal(api: &Api<'_>, key: &str) -> Result<String, Refusal> {
    match ask_once(api, "/v1/billing/portal", None, key).await? {
        Reply::Portal { portal_url } => Ok(portal_url),
        Reply::Replayed(stored) => replay::body(api, &stored).map(|StoredPortal { portal_url }| portal_url),
        other => Err(api.unexpected(&other)),
    }
}

async fn ask_once(api: &Api<'_>, target: &str, body: Option<String>, key: &str) -> Result<Reply, Refusal> {
    api.ask_once(ApiCall { method: "POST", target, body, shape: Shape::Flat, idempotency_key: Some(key) }).await
}
