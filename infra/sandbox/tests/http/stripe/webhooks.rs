//! Events on their way to the webhook endpoint.

use super::hook::{Delivery, Hook};
use super::text;
use crate::client::Scene;
use serde_json::{Value, json};

const BOUGHT: [&str; 3] = ["customer.subscription.created", "checkout.session.completed", "invoice.paid"];

async fn hooked() -> (Scene, Hook) {
    let scene = Scene::new().await;
    let hook = Hook::of(&scene, &["whsec_one"]).await;
    (scene, hook)
}

fn kinds(deliveries: &[Delivery]) -> Vec<String> {
    deliveries.iter().map(Delivery::kind).collect()
}

/// What became of each event, once nothing is on its way any more.
async fn fates(scene: &Scene, settled: usize) -> Vec<String> {
    loop {
        let fates: Vec<String> = scene.events().await.iter().map(|one| text(&one["delivery"]).to_owned()).collect();
        if fates.iter().filter(|fate| !matches!(fate.as_str(), "waiting" | "held")).count() >= settled {
            return fates;
        }
    }
}

#[tokio::test]
async fn a_purchase_is_told_in_signed_events() {
    let (scene, hook) = hooked().await;
    let subscription = scene.bought().await;
    let deliveries = hook.deliveries(3).await;
    assert_eq!(kinds(&deliveries), BOUGHT);
    for delivery in &deliveries {
        assert_eq!(delivery.signatures(), [delivery.signed_with("whsec_one")]);
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
    assert_eq!(fates(&scene, 3).await, ["delivered"; 3]);
}

#[tokio::test]
async fn two_secrets_sign_twice_while_one_is_rolled() {
    let scene = Scene::new().await;
    let hook = Hook::of(&scene, &["whsec_new", "whsec_old"]).await;
    scene.bought().await;
    let delivery = hook.deliveries(1).await.remove(0);
    assert_eq!(delivery.signatures(), [delivery.signed_with("whsec_new"), delivery.signed_with("whsec_old")]);
}

#[tokio::test]
async fn every_turn_of_a_subscription_has_its_events() {
    let (scene, hook) = hooked().await;
    let bought = scene.bought().await;
    let portal = scene.portal(&bought["customer"]).await;
    let mut seen = 3;
    for (clicks, told) in [
        (&[("decision", "plan"), ("price", "price_starter")][..], &["customer.subscription.updated"][..]),
        (&[("decision", "cancel")], &["customer.subscription.updated"]),
        (&[("decision", "resume")], &["customer.subscription.updated"]),
        (&[("decision", "fail")], &["customer.subscription.updated", "invoice.payment_failed"]),
        (&[("decision", "pay")], &["customer.subscription.updated", "invoice.paid"]),
        (&[("decision", "cancel_now")], &["customer.subscription.deleted"]),
    ] {
        assert_eq!(scene.click(&portal, clicks).await.status, 303, "{clicks:?}");
        let deliveries = hook.deliveries(seen + told.len()).await;
        assert_eq!(kinds(&deliveries[seen..]), told);
        seen += told.len();
    }
    let updated = hook.deliveries(4).await[3].event();
    let before = &updated["data"]["previous_attributes"]["items"]["data"][0]["price"]["id"];
    assert_eq!(before, "price_pro");
    let session = scene.checkout(&[]).await;
    scene.control("stripe/expire", json!({ "session": session["id"] })).await;
    assert_eq!(hook.deliveries(seen + 1).await[seen].kind(), "checkout.session.expired");
}

#[tokio::test]
async fn a_period_that_passes_is_told() {
    let (scene, hook) = hooked().await;
    let bought = scene.bought().await;
    scene.control("stripe/advance", json!({ "subscription": bought["id"], "periods": 1 })).await;
    let deliveries = hook.deliveries(5).await;
    assert_eq!(kinds(&deliveries[3..]), ["customer.subscription.updated", "invoice.paid"]);
    assert_eq!(deliveries[4].event()["data"]["object"]["billing_reason"], "subscription_cycle");
}

#[tokio::test]
async fn an_endpoint_that_refuses_is_asked_again_with_the_same_event() {
    let (scene, hook) = hooked().await;
    hook.answer(&[500]);
    let session = scene.checkout(&[]).await;
    scene.control("stripe/expire", json!({ "session": session["id"] })).await;
    let deliveries = hook.deliveries(2).await;
    assert_eq!(deliveries[0].body, deliveries[1].body);
    assert_eq!(fates(&scene, 1).await, ["delivered"]);
    let attempts = scene.events().await[0]["attempts"].clone();
    let statuses: Vec<&Value> = attempts.as_array().unwrap().iter().map(|one| &one["status"]).collect();
    assert_eq!(statuses, [&json!(500), &json!(200)]);
}

#[tokio::test]
async fn a_duplicate_arrives_twice_and_a_loss_never() {
    let (scene, hook) = hooked().await;
    scene.fault("webhook", "duplicate", 1).await;
    scene.fault("webhook", "loss", 1).await;
    scene.bought().await;
    let deliveries = hook.deliveries(3).await;
    assert_eq!(kinds(&deliveries), [BOUGHT[0], BOUGHT[0], BOUGHT[2]]);
    assert_eq!(deliveries[0].body, deliveries[1].body);
    assert_eq!(fates(&scene, 3).await, ["delivered", "lost", "delivered"]);
    let lost = scene.events().await[1]["event"]["id"].clone();
    assert_eq!(scene.control("stripe/redeliver", json!({ "event": lost })).await.status, 200);
    assert_eq!(hook.deliveries(4).await[3].event()["id"], lost);
    assert_eq!(fates(&scene, 3).await, ["delivered"; 3]);
}

#[tokio::test]
async fn a_reordered_event_arrives_after_the_next_one() {
    let (scene, hook) = hooked().await;
    scene.fault("webhook", "reorder", 1).await;
    scene.bought().await;
    assert_eq!(kinds(&hook.deliveries(3).await), [BOUGHT[1], BOUGHT[0], BOUGHT[2]]);
}

#[tokio::test]
async fn a_delayed_event_arrives_after_those_that_are_not() {
    let (scene, hook) = hooked().await;
    scene.fault("webhook", "delay", 1).await;
    scene.bought().await;
    assert_eq!(kinds(&hook.deliveries(3).await), [BOUGHT[1], BOUGHT[2], BOUGHT[0]]);
}

#[tokio::test]
async fn no_request_uses_up_a_fault_of_webhooks_nor_a_webhook_one_of_any() {
    let (scene, hook) = hooked().await;
    scene.fault("webhook", "loss", 1).await;
    let session = scene.checkout(&[]).await;
    scene.fault("any", "error", 1).await;
    scene.control("stripe/expire", json!({ "session": session["id"] })).await;
    assert_eq!(fates(&scene, 1).await, ["lost"]);
    assert_eq!(scene.stripe("GET", "/subscriptions", "").await.status, 500);
    drop(hook);
}

#[tokio::test]
async fn without_an_endpoint_events_are_only_remembered() {
    let scene = Scene::new().await;
    scene.bought().await;
    assert_eq!(fates(&scene, 3).await, ["no_endpoint"; 3]);
    let id = scene.events().await[0]["event"]["id"].clone();
    assert_eq!(scene.control("stripe/redeliver", json!({ "event": id })).await.status, 409);
    let hook = Hook::of(&scene, &["whsec_one"]).await;
    assert_eq!(scene.control("stripe/redeliver", json!({ "event": id })).await.status, 200);
    assert_eq!(hook.deliveries(1).await[0].event()["id"], id);
    assert_eq!(scene.control("stripe/redeliver", json!({ "event": "evt_x" })).await.status, 404);
    assert_eq!(scene.control("stripe/webhook", json!({})).await.json()["url"], Value::Null);
}

#[tokio::test]
async fn an_endpoint_is_on_this_machine_and_has_secrets() {
    let scene = Scene::new().await;
    for (url, secrets) in [
        ("https://hooks.example/x", json!(["whsec_x"])),
        ("http://hooks.example/x", json!(["whsec_x"])),
        ("http://127.0.0.1:1/x", json!([])),
        ("http://127.0.0.1:1/x", json!([""])),
        ("http://127.0.0.1:1/x", json!("whsec_x")),
        ("http://127.0.0.1:1/x", json!(["a", "b", "c"])),
    ] {
        let answer = scene.control("stripe/webhook", json!({ "url": url, "secrets": secrets })).await;
        assert_eq!(answer.status, 400, "{url} {secrets}");
    }
    let wrong = scene.get("/_sandbox/stripe/webhook").await;
    assert_eq!((wrong.status, wrong.headers["allow"].as_str()), (405, "POST"));
}

#[tokio::test]
async fn an_event_that_was_on_its_way_is_delivered_after_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    let scene = Scene::start(Some(folder.path())).await;
    let hook = Hook::of(&scene, &["whsec_one"]).await;
    scene.fault("webhook", "reorder", 1).await;
    let session = scene.checkout(&[]).await;
    scene.control("stripe/expire", json!({ "session": session["id"] })).await;
    scene.running.stop().await;
    let again = Scene::start(Some(folder.path())).await;
    let session = again.checkout(&[]).await;
    again.control("stripe/expire", json!({ "session": session["id"] })).await;
    let deliveries = hook.deliveries(2).await;
    assert_eq!(deliveries.len(), 2);
    assert_ne!(deliveries[0].body, deliveries[1].body);
}
