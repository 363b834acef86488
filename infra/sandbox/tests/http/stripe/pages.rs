//! The pages that a person clicks.

use super::{CANCEL, text};
use crate::client::Scene;
use serde_json::{Value, json};

#[tokio::test]
async fn paying_leads_to_the_success_address_with_the_session_filled_in() {
    let scene = Scene::new().await;
    let session = scene.checkout(&[("line_items[0][quantity]", "2")]).await;
    let url = text(&session["url"]);
    let shown = scene.get(url.strip_prefix(&scene.running.url()).unwrap()).await;
    for words in ["Pro", "$198.00", "value=\"pay\"", "value=\"decline\"", "value=\"cancel\""] {
        assert!(shown.text.contains(words), "{words}");
    }
    let paid = scene.click(url, &[("decision", "pay")]).await;
    let to = format!("http://127.0.0.1:9999/back?session_id={}", text(&session["id"]));
    assert_eq!((paid.status, &paid.headers["location"]), (303, &to));
}

#[tokio::test]
async fn a_declined_card_and_a_cancelled_purchase_leave_the_session_open() {
    let scene = Scene::new().await;
    let session = scene.checkout(&[]).await;
    let url = text(&session["url"]);
    let declined = scene.click(url, &[("decision", "decline")]).await;
    assert_eq!(declined.status, 402);
    assert!(declined.text.contains("Your card was declined."));
    let cancelled = scene.click(url, &[("decision", "cancel")]).await;
    assert_eq!((cancelled.status, cancelled.headers["location"].as_str()), (303, CANCEL));
    assert_eq!(scene.click(url, &[]).await.status, 400);
    assert!(scene.events().await.is_empty());
    assert_eq!(scene.click(url, &[("decision", "pay")]).await.status, 303);
}

#[tokio::test]
async fn a_session_is_paid_once_and_never_after_it_expired() {
    let scene = Scene::new().await;
    let paid = scene.checkout(&[]).await;
    scene.click(text(&paid["url"]), &[("decision", "pay")]).await;
    assert_eq!(scene.click(text(&paid["url"]), &[("decision", "pay")]).await.status, 410);
    let late = scene.checkout(&[]).await;
    let expired = scene.control("stripe/expire", json!({ "session": late["id"] })).await;
    assert_eq!(expired.json()["session"]["status"], "expired");
    assert_eq!(expired.json()["session"]["url"], Value::Null);
    assert_eq!(scene.click(text(&late["url"]), &[("decision", "pay")]).await.status, 410);
    assert_eq!(scene.control("stripe/expire", json!({ "session": late["id"] })).await.status, 409);
    assert_eq!(scene.control("stripe/expire", json!({ "session": "cs_x" })).await.status, 404);
    let list = scene.stripe("GET", "/subscriptions", "").await.json();
    assert_eq!(list["data"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn the_portal_changes_the_plan_and_ends_it_with_the_period() {
    let scene = Scene::new().await;
    let bought = scene.bought().await;
    let portal = scene.portal(&bought["customer"]).await;
    let id = &bought["id"];
    let plan = [("decision", "plan"), ("price", "price_enterprise"), ("subscription", text(id))];
    let changed = scene.click(&portal, &plan).await;
    assert_eq!(changed.status, 303);
    let shown = scene.get(&changed.headers["location"]).await;
    assert!(shown.text.contains("Enterprise · $499.00 a month"), "{}", shown.text);
    assert_eq!(scene.subscription(id).await["items"]["data"][0]["price"]["id"], "price_enterprise");
    scene.click(&portal, &[("decision", "cancel")]).await;
    let ending = scene.subscription(id).await;
    assert_eq!((&ending["cancel_at_period_end"], &ending["status"]), (&json!(true), &json!("active")));
    assert_eq!(ending["cancel_at"], ending["items"]["data"][0]["current_period_end"]);
    assert_eq!(scene.click(&portal, &[("decision", "fail")]).await.status, 400);
    scene.click(&portal, &[("decision", "resume")]).await;
    assert_eq!(scene.subscription(id).await["cancel_at"], Value::Null);
    scene.click(&portal, &[("decision", "cancel")]).await;
    scene.control("stripe/advance", json!({ "subscription": id, "periods": 1 })).await;
    assert_eq!(scene.subscription(id).await["status"], "canceled");
    assert_eq!(scene.click(&portal, &[("decision", "cancel")]).await.status, 400);
}

#[tokio::test]
async fn a_payment_that_failed_can_be_made_again_or_ends_the_subscription() {
    let scene = Scene::new().await;
    let bought = scene.bought().await;
    let portal = scene.portal(&bought["customer"]).await;
    let id = &bought["id"];
    assert_eq!(scene.click(&portal, &[("decision", "pay")]).await.status, 400);
    scene.click(&portal, &[("decision", "fail")]).await;
    assert_eq!(scene.subscription(id).await["status"], "past_due");
    scene.click(&portal, &[("decision", "pay")]).await;
    assert_eq!(scene.subscription(id).await["status"], "active");
    scene.click(&portal, &[("decision", "fail")]).await;
    scene.control("stripe/advance", json!({ "subscription": id })).await;
    let ended = scene.subscription(id).await;
    assert_eq!(
        (&ended["status"], &ended["cancellation_details"]["reason"]),
        (&json!("canceled"), &json!("payment_failed"))
    );
}

#[tokio::test]
async fn the_portal_leads_back_and_cancels_at_once() {
    let scene = Scene::new().await;
    let bought = scene.bought().await;
    let portal = scene.portal(&bought["customer"]).await;
    let back = scene.click(&portal, &[("decision", "back")]).await;
    assert_eq!((back.status, back.headers["location"].as_str()), (303, CANCEL));
    assert_eq!(scene.click(&portal, &[("decision", "plan"), ("price", "price_x")]).await.status, 400);
    assert_eq!(scene.click(&portal, &[("decision", "cancel"), ("subscription", "sub_x")]).await.status, 400);
    scene.click(&portal, &[("decision", "cancel_now")]).await;
    assert_eq!(scene.subscription(&bought["id"]).await["status"], "canceled");
    assert_eq!(scene.get("/stripe/portal/bps_x").await.status, 404);
    assert_eq!(scene.get("/stripe/pay/cs_x").await.status, 404);
}

#[tokio::test]
async fn periods_follow_each_other() {
    let scene = Scene::new().await;
    let bought = scene.bought().await;
    let advance = json!({ "subscription": bought["id"], "periods": 2 });
    let after = scene.control("stripe/advance", advance).await.json()["subscription"].clone();
    let period = |of: &Value, name: &str| of["items"]["data"][0][name].as_i64().unwrap();
    assert!(period(&after, "current_period_start") > period(&bought, "current_period_end"));
    assert_ne!(after["latest_invoice"], bought["latest_invoice"]);
    let none = json!({ "subscription": bought["id"], "periods": 0 });
    assert_eq!(scene.control("stripe/advance", none).await.status, 400);
    let gone = scene.control("stripe/advance", json!({ "subscription": "sub_x" })).await;
    assert_eq!(gone.status, 404);
}
