//! Checkout, the return page and the portal.

use super::{CHECKOUT, PORTAL, pair, world_without_webhooks};
use crate::world::World;
use futures_util::future::join_all;
use serde_json::{Value, json};
use std::collections::BTreeSet;

#[tokio::test]
async fn the_return_page_applies_a_paid_plan_without_a_webhook() {
    let world = world_without_webhooks().await;
    for (plan, limit) in [("starter", 10_000), ("pro", 250_000), ("enterprise", 5_000_000)] {
        let page = world.buy(plan).await;
        assert!(page.text.contains(&format!("Your plan is {plan} from now on")), "{}", page.text);
        let status = world.status().await;
        assert_eq!((&status["plan"], &status["status"]), (&json!(plan), &json!("active")));
        assert_eq!(status["usage"]["requests_limit"], limit);
        assert!(world.me().await["payment_customer_id"].as_str().expect("an id").starts_with("cus_"));
        world.click(&world.portal().await, "decision=cancel_now").await;
    }
    assert_eq!(world.provider_requests("POST /v1/customers").await, 1);
}

#[tokio::test]
async fn a_webhook_alone_applies_a_paid_plan() {
    let world = World::start().await;
    let session = world.checkout("pro").await;
    world.click(&session["checkout_url"], "decision=pay").await;
    let events = world.delivered_events().await;
    assert!(events.iter().all(|event| event["delivery"] == "delivered"), "{events:?}");
    assert_eq!(world.subscription_state().await, pair("pro", "active"));
}

#[tokio::test]
async fn the_return_page_and_the_webhooks_reset_the_usage_once() {
    let world = World::start().await;
    world.buy("pro").await;
    world.delivered_events().await;
    world.set_used_requests(77).await;
    let events = world.delivered_events().await;
    for event in &events {
        world.control("POST", "stripe/redeliver").json(&json!({ "event": event["event"]["id"] })).expect(200).await;
    }
    world.delivered_events().await;
    assert_eq!(world.status().await["usage"]["requests_used"], 77, "the request itself does not count");
    assert_eq!(world.subscription_state().await, pair("pro", "active"));
}

#[tokio::test]
async fn the_return_page_can_be_loaded_repeatedly_and_concurrently() {
    let world = world_without_webhooks().await;
    let session = world.checkout("pro").await;
    let paid = world.click(&session["checkout_url"], "decision=pay").await;
    let loads = (0..8).map(|_| world.request("GET", paid.header("location")).expect(200));
    join_all(loads).await;
    world.set_used_requests(5).await;
    world.request("GET", paid.header("location")).expect(200).await;
    assert_eq!(world.status().await["usage"]["requests_used"], 5, "the request itself does not count");
    assert_eq!(world.subscription_state().await, pair("pro", "active"));
}

#[tokio::test]
async fn a_declined_card_and_a_canceled_checkout_change_nothing() {
    let world = World::start().await;
    let session = world.checkout("pro").await;
    assert_eq!(world.click(&session["checkout_url"], "decision=decline").await.status, 402);
    let unpaid = format!("/v1/billing/return?session_id={}", session["session_id"].as_str().expect("an id"));
    let page = world.ask("GET", &unpaid).without("x-api-key").expect(400).await;
    assert!(page.text.contains("Nothing was paid"), "{}", page.text);
    let back = world.click(&session["checkout_url"], "decision=cancel").await;
    let page = world.request("GET", back.header("location")).expect(200).await;
    assert!(page.text.contains("You are back"), "{}", page.text);
    assert_eq!(world.subscription_state().await, pair("enterprise", "active"));
    assert_eq!(world.me().await["payment_customer_id"], Value::Null);
    world.control("POST", "stripe/expire").json(&json!({ "session": session["session_id"] })).expect(200).await;
    assert!(world.delivered_events().await.iter().all(|event| event["delivery"] == "delivered"));
    world.ask("GET", &unpaid).expect(400).await;
}

#[tokio::test]
async fn a_return_without_a_purchase_is_400() {
    let world = World::start().await;
    for query in ["session_id=", "session_id=cs_x", "session_id=..%2Fsubscriptions", "session_id=cs_a%2Fb", "other=1"] {
        let page = world.ask("GET", &format!("/v1/billing/return?{query}")).without("x-api-key").expect(400).await;
        assert!(page.header("content-type").starts_with("text/html"), "{query}");
    }
    assert_eq!(world.provider_requests("subscriptions").await, 0);
}

#[tokio::test]
async fn a_bad_request_sends_nothing_to_the_provider() {
    let world = World::start().await;
    for (body, fields) in [
        (json!({}), ["plan"]),
        (json!({ "plan": "gold" }), ["plan"]),
        (json!({ "plan": "PRO" }), ["plan"]),
        (json!({ "plan": 1 }), ["plan"]),
        (json!({ "plan": "pro", "price": "x" }), ["price"]),
    ] {
        let response = world.ask("POST", CHECKOUT).json(&body).expect(400).await;
        assert_eq!(
            (response.json()["code"].clone(), response.fields()),
            (json!("VALIDATION_ERROR"), fields.map(Into::into).to_vec())
        );
    }
    world.ask("POST", PORTAL).json(&json!({ "x": 1 })).expect(400).await;
    for (method, path) in
        [("POST", CHECKOUT), ("POST", PORTAL), ("GET", "/v1/billing/status"), ("GET", "/v1/customer/me")]
    {
        let keyless = world.ask(method, path).without("x-api-key").expect(401).await;
        assert_eq!(keyless.json()["code"], "UNAUTHORIZED");
        world.ask(method, &format!("{path}?x=1")).expect(400).await;
    }
    for path in [CHECKOUT, PORTAL] {
        let body = json!({ "plan": "pro" });
        world.ask("POST", path).header("idempotency-key", "").json(&body).expect(400).await;
    }
    assert_eq!(world.provider_requests("/v1/").await, 0);
}

#[tokio::test]
async fn a_checkout_while_a_subscription_is_active_is_409() {
    let world = world_without_webhooks().await;
    let (first, second) = (world.checkout("pro").await, "/v1/billing/portal");
    // Paid at the provider; the service does not know it yet.
    world.click(&first["checkout_url"], "decision=pay").await;
    for plan in ["pro", "enterprise", "starter"] {
        let refused = world.ask("POST", CHECKOUT).json(&json!({ "plan": plan })).expect(409).await.json();
        assert_eq!(refused["code"], "CONFLICT");
        assert!(refused["error"].as_str().expect("a message").contains(second), "{refused}");
    }
    assert_eq!(
        world.subscription_state().await,
        pair("pro", "active"),
        "the checkout read the state from the provider"
    );
    world.click(&world.portal().await, "decision=cancel_now").await;
    world.checkout("enterprise").await;
}

#[tokio::test]
async fn twenty_concurrent_portals_create_one_payment_customer() {
    let world = World::start().await;
    let responses = join_all((0..20).map(|_| world.ask("POST", PORTAL).expect(200))).await;
    let portals: BTreeSet<String> =
        responses.iter().map(|response| response.json()["portal_url"].to_string()).collect();
    assert_eq!(portals.len(), 20);
    let dump = world.table_dump().await;
    assert_eq!(dump.matches("\"PAYMENT_CUSTOMER#cus_").count(), 1, "{dump}");
    assert_eq!(world.me().await["payment_customer_id"], Value::Null, "nothing is bought yet");
    world.buy("pro").await;
    assert_eq!(world.subscription_state().await, pair("pro", "active"));
}
