//! What the payment provider sends, and what others send in its name.

use crate::world::{Answer, World};
use ring::hmac;
use serde_json::{Value, json};
use shared::clock::Clock;

const WEBHOOK: &str = "/v1/billing/webhook";
const PAID: &str = include_str!("../../shared/src/payments/fixtures/invoice_paid.json");

/// The header that a secret signs a body with at a time.
pub(crate) fn signed(secret: &str, at: i64, body: &str) -> String {
    let key = hmac::Key::new(hmac::HMAC_SHA256, secret.as_bytes());
    let tag = hmac::sign(&key, format!("{at}.{body}").as_bytes());
    let hex: String = tag.as_ref().iter().map(|byte| format!("{byte:02x}")).collect();
    format!("t={at},v1={hex}")
}

fn now() -> i64 {
    Clock::system().now().as_second()
}

impl World {
    async fn deliver(&self, signature: &str, body: &str) -> Answer {
        let ask = self.request("POST", &format!("{}{WEBHOOK}", self.gateway.url()));
        let ask = ask.header("stripe-signature", signature).text("application/json; charset=utf-8", body.to_owned());
        ask.send().await.expect("an answer")
    }

    async fn deliver_signed(&self, body: &str) -> Answer {
        self.deliver(&signed(&self.gateway.webhook_secret, now(), body), body).await
    }
}

#[tokio::test]
async fn what_is_not_signed_by_the_provider_now_is_refused() {
    let world = World::start().await;
    let secret = &world.gateway.webhook_secret;
    let good = signed(secret, now(), PAID);
    let digest = good.split_once("v1=").expect("a signature").1;
    for header in [
        signed("whsec_other", now(), PAID),
        signed("", now(), PAID),
        signed(secret, now() - 301, PAID),
        signed(secret, now() + 330, PAID),
        signed(secret, now(), &format!("{PAID} ")),
        format!("v1={digest}"),
        format!("t={},v0={digest}", now()),
        "nonsense".to_owned(),
    ] {
        let refused = world.deliver(&header, PAID).await;
        assert_eq!(refused.status, 400, "{header}: {}", refused.text);
        assert_eq!(refused.fields(), ["stripe-signature"], "{header}");
    }
    let unsigned = world.request("POST", &format!("{}{WEBHOOK}", world.gateway.url())).json(&json!({}));
    assert_eq!(unsigned.expect(400).await.fields(), ["stripe-signature"]);
    assert_eq!(world.deliver(&good, PAID).await.status, 200);
}

#[tokio::test]
async fn while_a_secret_is_rolled_the_second_signature_counts() {
    let world = World::start().await;
    let (old, new) = (signed("whsec_old", now(), PAID), signed(&world.gateway.webhook_secret, now(), PAID));
    let digest = old.split_once("v1=").expect("a signature").1;
    assert_eq!(world.deliver(&format!("{},v1={digest}", new), PAID).await.status, 200);
    assert_eq!(world.deliver(&new.replacen(",v1=", &format!(",v1={digest},v1="), 1), PAID).await.status, 200);
    let url = format!("{}{WEBHOOK}", world.gateway.url());
    let secrets = json!({ "url": url, "secrets": ["whsec_another", world.gateway.webhook_secret] });
    world.control("POST", "stripe/webhook").json(&secrets).expect(200).await;
    let session = world.ask("POST", "/v1/billing/create-checkout-session").json(&json!({ "plan": "pro" })).expect(200);
    let session = session.await.json()["session_id"].clone();
    world.control("POST", "stripe/expire").json(&json!({ "session": session })).expect(200).await;
    let events = world.settled().await;
    assert!(events.iter().all(|one| one["delivery"] == "delivered"), "{events:?}");
}

#[tokio::test]
async fn events_of_no_interest_and_of_nobody_are_taken_and_change_nothing() {
    let world = World::start().await;
    let event = |kind: &str, object: Value| {
        json!({ "id": "evt_1", "object": "event", "type": kind, "data": { "object": object } }).to_string()
    };
    for body in [
        PAID.to_owned(),
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
        let taken = world.deliver_signed(&body).await;
        assert_eq!((taken.status.as_u16(), taken.json()), (200, json!({ "received": true })), "{body}");
    }
    assert!(world.received("stripe").await.is_empty(), "nothing was asked of the provider");
    assert!(!world.table_dump().await.contains("PAYMENT_"));
    for body in ["", "{}", "[]", r#"{"id":"evt_1","type":"invoice.paid"}"#] {
        assert_eq!(world.deliver_signed(body).await.status, 400, "{body}");
    }
}

#[tokio::test]
async fn a_failure_on_our_side_brings_the_event_again() {
    let world = World::start().await;
    let session = world.ask("POST", "/v1/billing/create-checkout-session").json(&json!({ "plan": "pro" })).expect(200);
    let session = session.await.json();
    world.fault("stripe", "subscription", "throttle", 2).await;
    let url = session["checkout_url"].as_str().expect("an address");
    world.request("POST", url).form("decision=pay").send().await.expect("an answer");
    let events = world.settled().await;
    assert!(events.iter().all(|one| one["delivery"] == "delivered"), "{events:?}");
    assert!(events.iter().any(|one| one["attempts"][0]["status"] == 429), "{events:?}");
    assert_eq!(world.ask("GET", "/v1/billing/status").expect(200).await.json()["plan"], "pro");
}

#[tokio::test]
async fn a_body_over_the_limit_is_refused_unread() {
    let world = World::start().await;
    let body = format!("\"{}\"", "x".repeat(300_000));
    assert_eq!(world.deliver_signed(&body).await.status, 413);
}
