//! The payment provider.

mod api;
mod idempotency;
mod pages;
mod webhook_endpoint;
mod webhooks;

use crate::client::{Response, TestServer, form};
use sandbox::STRIPE_KEY;
use serde_json::{Value, json};
use std::collections::BTreeMap;

pub(super) const SUCCESS: &str = "http://127.0.0.1:9999/back?session_id={CHECKOUT_SESSION_ID}";
pub(super) const CANCEL: &str = "http://127.0.0.1:9999/pricing";

const SESSION: &[(&str, &str)] = &[
    ("mode", "subscription"),
    ("line_items[0][price]", "price_pro"),
    ("line_items[0][quantity]", "1"),
    ("success_url", SUCCESS),
    ("cancel_url", CANCEL),
    ("client_reference_id", "cust-7"),
    ("metadata[plan]", "pro"),
    ("subscription_data[metadata][account]", "cust-7"),
];

/// A form of `defaults` with some changes. Parameters with the value "-" are omitted.
pub(super) fn form_with<'a>(defaults: &[(&'a str, &'a str)], changes: &[(&'a str, &'a str)]) -> String {
    let all: BTreeMap<_, _> = defaults.iter().chain(changes).copied().collect();
    let kept: Vec<_> = all.into_iter().filter(|(_, value)| *value != "-").collect();
    form(&kept)
}

impl TestServer {
    /// Calls the API with the secret key and more headers.
    pub(super) async fn stripe_with(
        &self,
        method: &str,
        path: &str,
        body: &str,
        more: &[(&str, &str)],
    ) -> Option<Response> {
        let bearer = format!("Bearer {STRIPE_KEY}");
        let mut headers = vec![("authorization", bearer.as_str())];
        if method == "POST" {
            headers.push(("content-type", "application/x-www-form-urlencoded"));
        }
        headers.extend(more);
        self.send(method, &format!("/stripe/v1{path}"), &headers, body).await
    }

    pub(super) async fn stripe(&self, method: &str, path: &str, body: &str) -> Response {
        self.stripe_with(method, path, body, &[]).await.unwrap()
    }

    /// Creates a checkout session with some changed parameters.
    pub(super) async fn checkout(&self, changes: &[(&str, &str)]) -> Value {
        let response = self.stripe("POST", "/checkout/sessions", &form_with(SESSION, changes)).await;
        assert_eq!(response.status, 200, "{}", response.text);
        response.json()
    }

    /// Submits the form of a checkout or portal page.
    pub(super) async fn click(&self, url: &str, pairs: &[(&str, &str)]) -> Response {
        self.submit(url.strip_prefix(&self.url()).unwrap(), pairs).await
    }

    /// Buys a subscription and returns its object.
    pub(super) async fn buy(&self) -> Value {
        let session = self.checkout(&[]).await;
        let paid = self.click(text(&session["url"]), &[("decision", "pay")]).await;
        assert_eq!(paid.status, 303, "{}", paid.text);
        let path = format!("/checkout/sessions/{}?expand[0]=subscription", text(&session["id"]));
        self.stripe("GET", &path, "").await.json()["subscription"].clone()
    }

    pub(super) async fn subscription(&self, id: &Value) -> Value {
        self.stripe("GET", &format!("/subscriptions/{}", text(id)), "").await.json()
    }

    /// Creates a portal session and returns its URL.
    pub(super) async fn portal(&self, customer: &Value) -> String {
        let body = form(&[("customer", text(customer)), ("return_url", CANCEL)]);
        text(&self.stripe("POST", "/billing_portal/sessions", &body).await.json()["url"]).to_owned()
    }

    pub(super) async fn fault(&self, operation: &str, kind: &str, times: u64) {
        let order = json!({ "platform": "stripe", "operation": operation, "fault": kind, "times": times, "ms": 50 });
        let response = self.control("faults", order).await;
        assert_eq!(response.status, 200, "{}", response.text);
    }

    /// The events with their delivery status.
    pub(super) async fn events(&self) -> Vec<Value> {
        self.get("/_sandbox/stripe/events").await.json()["events"].as_array().unwrap().clone()
    }
}

pub(super) fn text(value: &Value) -> &str {
    value.as_str().unwrap()
}

pub(super) fn error(response: &Response) -> Value {
    response.json()["error"].clone()
}
