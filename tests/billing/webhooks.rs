//! `POST /v1/billing/webhook`: events of the payment provider, and forged ones.

use crate::world::{TestResponse, World};
use ring::hmac;
use serde_json::{Value, json};
use shared::clock::Clock;

const WEBHOOK: &str = "/v1/billing/webhook";
const INVOICE_PAID: &str = include_str!("../../shared/src/payments/fixtures/invoice_paid.json");

/// The `Stripe-Signature` header for a body, signed at a time.
pub(crate) fn signed(secret: &str, at: i64, body: &str) -> String {
    let key = hmac::Key::new(hmac::HMAC_SHA256, secret.as_bytes());
    let tag = hmac::sign(&key, format!("{at}.{body}").as_bytes());
    let hex: String = tag.as_ref().iter().map(|byte| format!("{byte:02x}")).collect();
    format!("t={at},v1={hex}")
}

pub(super) fn now() -> i64 {
    Clock::system().now().as_second()
}

impl World {
    pub(super) async fn deliver(&self, signature: &str, body: &str) -> TestResponse {
        let ask = self.request("POST", &format!("{}{WEBHOOK}", self.gateway.url()));
        let ask = ask.header("stripe-signature", signature).text("application/json; charset=utf-8", body.to_owned());
        ask.send().await.expect("a response")
    }

    pub(super) async fn deliver_signed(&self, body: &str) -> TestResponse {
        self.deliver(&signed(&self.gateway.webhook_secret, now(), body), body).await
    }
}

#[tokio::test]
async fn a_webhook_without_a_current_signature_is_400() {
    let world = World::start().await;
    let secret = &world.gateway.webhook_secret;
    let good = signed(secret, now(), INVOICE_PAID);
    let digest = good.split_once("v1=").expect("a signature").1;
    for header in [
        signed("whsec_other", now(), INVOICE_PAID),
        signed("", now(), INVOICE_PAID),
        signed(secret, now() - 301, INVOICE_PAID),
        signed(secret, now() + 330, INVOICE_PAID),
        signed(secret, now(), &format!("{INVOICE_PAID} ")),
        format!("v1={digest}"),
        format!("t={},v0={digest}", now()),
        "nonsense".to_owned(),
    ] {
        let refused = world.deliver(&header, INVOICE_PAID).await;
        assert_eq!(refused.status, 400, "{header}: {}", refused.text);
        assert_eq!(refused.fields(), ["stripe-signature"], "{header}");
    }
    let unsigned = world.request("POST", &format!("{}{WEBHOOK}", world.gateway.url())).json(&json!({}));
    assert_eq!(unsigned.expect(400).await.fields(), ["stripe-signature"]);
    assert_eq!(world.deliver(&good, INVOICE_PAID).await.status, 200);
}

#[tokio::test]
async fn either_signature_is_valid_during_a_secret_rotation() {
    let world = World::start().await;
    let (old, new) =
        (signed("whsec_old", now(), INVOICE_PAID), signed(&world.gateway.webhook_secret, now(), INVOICE_PAID));
    let digest = old.split_once("v1=").expect("a signature").1;
    assert_eq!(world.deliver(&format!("{},v1={digest}", new), INVOICE_PAID).await.status, 200);
    assert_eq!(world.deliver(&new.replacen(",v1=", &format!(",v1={digest},v1="), 1), INVOICE_PAID).await.status, 200);
    let url = format!("{}{WEBHOOK}", world.gateway.url());
    let secrets = json!({ "url": url, "secrets": ["whsec_another", world.gateway.webhook_secret] });
    world.control("POST", "stripe/webhook").json(&secrets).expect(200).await;
    let session = world.ask("POST", "/v1/billing/create-checkout-session").json(&json!({ "plan": "pro" })).expect(200);
    let session = session.await.json()["session_id"].clone();
    world.control("POST", "stripe/expire").json(&json!({ "session": session })).expect(200).await;
    let events = world.delivered_events().await;
    assert!(events.iter().all(|event| event["delivery"] == "delivered"), "{events:?}");
}

#[tokio::test]
async fn unknown_events_and_customers_are_accepted_and_change_nothing() {
    let world = World::start().await;
    let event = |kind: &str, object: Value| {
        json!({ "id": "evt_1", "object": "event", "type": kind, "data": { "object": object } }).to_string()
    };
    for body in [
        INVOICE_PAID.to_owned(),
        event("customer.created", json!({ "id": "cus_1" })),
        event("some.type.of.tomorrow", json!({ "customer": 7, "metadata": 8 })),
        event("invoice.paid", json!({ "customer": null })),
        event("invoice.paid", json!({ "customer": "cus_of_somebody_else" })),
        event("checkout.session.completed", json!({ "customer": "cus_2", "client_reference_id": "not-ours" })),
        event(
            "checkout.session.completed",
            json!({ "customer": "cus_3", "client_reference_id": "00000000-0000-4000-8000-000000000000" }),
        ),
    ] {
        let accepted = world.deliver_signed(&body).await;
        assert_eq!((accepted.status.as_u16(), accepted.json()), (200, json!({ "received": true })), "{body}");
    }
    assert!(world.received("stripe").await.is_empty(), "the provider received no request");
    assert!(!world.table_dump().await.contains("PAYMENT_"));
    for body in ["", "{}", "[]", r#"{"id":"evt_1","type":"invoice.paid"}"#] {
        assert_eq!(world.deliver_signed(body).await.status, 400, "{body}");
    }
}

#[tokio::test]
async fn the_provider_redelivers_an_event_that_was_not_processed() {
    let world = World::start().await;
    let session = world.ask("POST", "/v1/billing/create-checkout-session").json(&json!({ "plan": "pro" })).expect(200);
    let session = session.await.json();
    world.fault("stripe", "subscription", "throttle", 2).await;
    let url = session["checkout_url"].as_str().expect("an address");
    world.request("POST", url).form("decision=pay").send().await.expect("a response");
    let events = world.delivered_events().await;
    assert!(events.iter().all(|event| event["delivery"] == "delivered"), "{events:?}");
    assert!(events.iter().any(|event| event["attempts"][0]["status"] == 429), "{events:?}");
    assert_eq!(world.ask("GET", "/v1/billing/status").expect(200).await.json()["plan"], "pro");
}

#[tokio::test]
async fn a_webhook_over_the_size_limit_is_413() {
    let world = World::start().await;
    let body = format!("\"{}\"", "x".repeat(300_000));
    assert_eq!(world.deliver_signed(&body).await.status, 413);
}
