//! Delivery of events to the webhook endpoint.

use super::text;
use super::webhook_endpoint::{Delivery, WebhookEndpoint};
use crate::client::TestServer;
use serde_json::{Value, json};

const BOUGHT: [&str; 3] = ["customer.subscription.created", "checkout.session.completed", "invoice.paid"];

async fn with_endpoint() -> (TestServer, WebhookEndpoint) {
    let server = TestServer::new().await;
    let endpoint = WebhookEndpoint::start(&server, &["whsec_one"]).await;
    (server, endpoint)
}

fn kinds(deliveries: &[Delivery]) -> Vec<String> {
    deliveries.iter().map(Delivery::kind).collect()
}

/// The delivery status of each event, after at least `settled` are final.
async fn delivery_statuses(server: &TestServer, settled: usize) -> Vec<String> {
    loop {
        let statuses: Vec<String> = server.events().await.iter().map(|one| text(&one["delivery"]).to_owned()).collect();
        if statuses.iter().filter(|status| !matches!(status.as_str(), "waiting" | "held")).count() >= settled {
            return statuses;
        }
    }
}

#[tokio::test]
async fn a_purchase_emits_signed_events() {
    let (server, endpoint) = with_endpoint().await;
    let subscription = server.buy().await;
    let deliveries = endpoint.deliveries(3).await;
    assert_eq!(kinds(&deliveries), BOUGHT);
    for delivery in &deliveries {
        assert_eq!(delivery.signatures(), [delivery.signature_with("whsec_one")]);
        let event = delivery.event();
        assert_eq!((&event["object"], &event["livemode"]), (&json!("event"), &json!(false)));
        assert_eq!(event["api_version"], "2026-10-28.endive");
        assert!(text(&event["id"]).starts_with("evt_"));
        assert_eq!(event["request"], json!({ "id": null, "idempotency_key": null }));
    }
    let object = |at: usize| deliveries[at].event()["data"]["object"].clone();
    assert_eq!(object(0)["id"], subscription["id"]);
    assert_eq!(object(1)["client_reference_id"], "cust-7");
    assert_eq!(object(1)["subscription"], subscription["id"]);
    assert_eq!(object(2)["parent"]["subscription_details"]["subscription"], subscription["id"]);
    assert_eq!(object(2).get("subscription"), None);
    assert_eq!(delivery_statuses(&server, 3).await, ["delivered"; 3]);
}

#[tokio::test]
async fn two_secrets_sign_twice_during_a_rotation() {
    let server = TestServer::new().await;
    let endpoint = WebhookEndpoint::start(&server, &["whsec_new", "whsec_old"]).await;
    server.buy().await;
    let delivery = endpoint.deliveries(1).await.remove(0);
    assert_eq!(delivery.signatures(), [delivery.signature_with("whsec_new"), delivery.signature_with("whsec_old")]);
}

#[tokio::test]
async fn every_change_of_a_subscription_emits_its_events() {
    let (server, endpoint) = with_endpoint().await;
    let bought = server.buy().await;
    let portal = server.portal(&bought["customer"]).await;
    let mut seen = 3;
    for (clicks, expected) in [
        (&[("decision", "plan"), ("price", "price_starter")][..], &["customer.subscription.updated"][..]),
        (&[("decision", "cancel")], &["customer.subscription.updated"]),
        (&[("decision", "resume")], &["customer.subscription.updated"]),
        (&[("decision", "fail")], &["customer.subscription.updated", "invoice.payment_failed"]),
        (&[("decision", "pay")], &["customer.subscription.updated", "invoice.paid"]),
        (&[("decision", "cancel_now")], &["customer.subscription.deleted"]),
    ] {
        assert_eq!(server.click(&portal, clicks).await.status, 303, "{clicks:?}");
        let deliveries = endpoint.deliveries(seen + expected.len()).await;
        assert_eq!(kinds(&deliveries[seen..]), expected);
        seen += expected.len();
    }
    let updated = endpoint.deliveries(4).await[3].event();
    let before = &updated["data"]["previous_attributes"]["items"]["data"][0]["price"]["id"];
    assert_eq!(before, "price_pro");
    let session = server.checkout(&[]).await;
    server.control("stripe/expire", json!({ "session": session["id"] })).await;
    assert_eq!(endpoint.deliveries(seen + 1).await[seen].kind(), "checkout.session.expired");
}

#[tokio::test]
async fn a_new_period_emits_events() {
    let (server, endpoint) = with_endpoint().await;
    let bought = server.buy().await;
    server.control("stripe/advance", json!({ "subscription": bought["id"], "periods": 1 })).await;
    let deliveries = endpoint.deliveries(5).await;
    assert_eq!(kinds(&deliveries[3..]), ["customer.subscription.updated", "invoice.paid"]);
    assert_eq!(deliveries[4].event()["data"]["object"]["billing_reason"], "subscription_cycle");
}

#[tokio::test]
async fn a_failed_delivery_is_retried_with_the_same_event() {
    let (server, endpoint) = with_endpoint().await;
    endpoint.respond_with(&[500]);
    let session = server.checkout(&[]).await;
    server.control("stripe/expire", json!({ "session": session["id"] })).await;
    let deliveries = endpoint.deliveries(2).await;
    assert_eq!(deliveries[0].body, deliveries[1].body);
    assert_eq!(delivery_statuses(&server, 1).await, ["delivered"]);
    let attempts = server.events().await[0]["attempts"].clone();
    let statuses: Vec<&Value> = attempts.as_array().unwrap().iter().map(|one| &one["status"]).collect();
    assert_eq!(statuses, [&json!(500), &json!(200)]);
}

#[tokio::test]
async fn a_duplicate_arrives_twice_and_a_loss_never() {
    let (server, endpoint) = with_endpoint().await;
    server.fault("webhook", "duplicate", 1).await;
    server.fault("webhook", "loss", 1).await;
    server.buy().await;
    let deliveries = endpoint.deliveries(3).await;
    assert_eq!(kinds(&deliveries), [BOUGHT[0], BOUGHT[0], BOUGHT[2]]);
    assert_eq!(deliveries[0].body, deliveries[1].body);
    assert_eq!(delivery_statuses(&server, 3).await, ["delivered", "lost", "delivered"]);
    let lost = server.events().await[1]["event"]["id"].clone();
    assert_eq!(server.control("stripe/redeliver", json!({ "event": lost })).await.status, 200);
    assert_eq!(endpoint.deliveries(4).await[3].event()["id"], lost);
    assert_eq!(delivery_statuses(&server, 3).await, ["delivered"; 3]);
}

#[tokio::test]
async fn a_reordered_event_arrives_after_the_next_one() {
    let (server, endpoint) = with_endpoint().await;
    server.fault("webhook", "reorder", 1).await;
    server.buy().await;
    assert_eq!(kinds(&endpoint.deliveries(3).await), [BOUGHT[1], BOUGHT[0], BOUGHT[2]]);
}

#[tokio::test]
async fn a_delayed_event_arrives_after_the_others() {
    let (server, endpoint) = with_endpoint().await;
    server.fault("webhook", "delay", 1).await;
    server.buy().await;
    assert_eq!(kinds(&endpoint.deliveries(3).await), [BOUGHT[1], BOUGHT[2], BOUGHT[0]]);
}

#[tokio::test]
async fn faults_on_webhooks_and_on_any_do_not_mix() {
    let (server, endpoint) = with_endpoint().await;
    server.fault("webhook", "loss", 1).await;
    let session = server.checkout(&[]).await;
    server.fault("any", "error", 1).await;
    server.control("stripe/expire", json!({ "session": session["id"] })).await;
    assert_eq!(delivery_statuses(&server, 1).await, ["lost"]);
    assert_eq!(server.stripe("GET", "/subscriptions", "").await.status, 500);
    drop(endpoint);
}

#[tokio::test]
async fn without_an_endpoint_events_are_stored_and_not_sent() {
    let server = TestServer::new().await;
    server.buy().await;
    assert_eq!(delivery_statuses(&server, 3).await, ["no_endpoint"; 3]);
    let id = server.events().await[0]["event"]["id"].clone();
    assert_eq!(server.control("stripe/redeliver", json!({ "event": id })).await.status, 409);
    let endpoint = WebhookEndpoint::start(&server, &["whsec_one"]).await;
    assert_eq!(server.control("stripe/redeliver", json!({ "event": id })).await.status, 200);
    assert_eq!(endpoint.deliveries(1).await[0].event()["id"], id);
    assert_eq!(server.control("stripe/redeliver", json!({ "event": "evt_x" })).await.status, 404);
    assert_eq!(server.control("stripe/webhook", json!({})).await.json()["url"], Value::Null);
}

#[tokio::test]
async fn an_endpoint_must_be_on_loopback_with_one_or_two_secrets() {
    let server = TestServer::new().await;
    for (url, secrets) in [
        ("https://hooks.example/x", json!(["whsec_x"])),
        ("http://hooks.example/x", json!(["whsec_x"])),
        ("http://127.0.0.1:1/x", json!([])),
        ("http://127.0.0.1:1/x", json!([""])),
        ("http://127.0.0.1:1/x", json!("whsec_x")),
        ("http://127.0.0.1:1/x", json!(["a", "b", "c"])),
    ] {
        let response = server.control("stripe/webhook", json!({ "url": url, "secrets": secrets })).await;
        assert_eq!(response.status, 400, "{url} {secrets}");
    }
    let wrong = server.get("/_sandbox/stripe/webhook").await;
    assert_eq!((wrong.status, wrong.headers["allow"].as_str()), (405, "POST"));
}

#[tokio::test]
async fn a_pending_event_is_delivered_after_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    let server = TestServer::start(Some(folder.path())).await;
    let endpoint = WebhookEndpoint::start(&server, &["whsec_one"]).await;
    server.fault("webhook", "reorder", 1).await;
    let session = server.checkout(&[]).await;
    server.control("stripe/expire", json!({ "session": session["id"] })).await;
    server.stop().await;
    let again = TestServer::start(Some(folder.path())).await;
    let session = again.checkout(&[]).await;
    again.control("stripe/expire", json!({ "session": session["id"] })).await;
    let deliveries = endpoint.deliveries(2).await;
    assert_eq!(deliveries.len(), 2);
    assert_ne!(deliveries[0].body, deliveries[1].body);
}
