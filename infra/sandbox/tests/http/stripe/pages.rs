//! Checkout and billing portal pages.

use super::{CANCEL, text};
use crate::client::TestServer;
use serde_json::{Value, json};

#[tokio::test]
async fn paying_redirects_to_the_success_url_with_the_session_id() {
    let server = TestServer::new().await;
    let session = server.checkout(&[("line_items[0][quantity]", "2")]).await;
    let url = text(&session["url"]);
    let shown = server.get(url.strip_prefix(&server.url()).unwrap()).await;
    for words in ["Pro", "$198.00", "value=\"pay\"", "value=\"decline\"", "value=\"cancel\""] {
        assert!(shown.text.contains(words), "{words}");
    }
    let paid = server.click(url, &[("decision", "pay")]).await;
    let to = format!("http://127.0.0.1:9999/back?session_id={}", text(&session["id"]));
    assert_eq!((paid.status, &paid.headers["location"]), (303, &to));
}

#[tokio::test]
async fn a_declined_card_or_a_cancellation_leaves_the_session_open() {
    let server = TestServer::new().await;
    let session = server.checkout(&[]).await;
    let url = text(&session["url"]);
    let declined = server.click(url, &[("decision", "decline")]).await;
    assert_eq!(declined.status, 402);
    assert!(declined.text.contains("Your card was declined."));
    let cancelled = server.click(url, &[("decision", "cancel")]).await;
    assert_eq!((cancelled.status, cancelled.headers["location"].as_str()), (303, CANCEL));
    assert_eq!(server.click(url, &[]).await.status, 400);
    assert!(server.events().await.is_empty());
    assert_eq!(server.click(url, &[("decision", "pay")]).await.status, 303);
}

#[tokio::test]
async fn a_session_is_paid_once_and_not_after_its_expiry() {
    let server = TestServer::new().await;
    let paid = server.checkout(&[]).await;
    server.click(text(&paid["url"]), &[("decision", "pay")]).await;
    assert_eq!(server.click(text(&paid["url"]), &[("decision", "pay")]).await.status, 410);
    let late = server.checkout(&[]).await;
    let expired = server.control("stripe/expire", json!({ "session": late["id"] })).await;
    assert_eq!(expired.json()["session"]["status"], "expired");
    assert_eq!(expired.json()["session"]["url"], Value::Null);
    assert_eq!(server.click(text(&late["url"]), &[("decision", "pay")]).await.status, 410);
    assert_eq!(server.control("stripe/expire", json!({ "session": late["id"] })).await.status, 409);
    assert_eq!(server.control("stripe/expire", json!({ "session": "cs_x" })).await.status, 404);
    let list = server.stripe("GET", "/subscriptions", "").await.json();
    assert_eq!(list["data"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn the_portal_changes_the_plan_and_ends_it_with_the_period() {
    let server = TestServer::new().await;
    let bought = server.buy().await;
    let portal = server.portal(&bought["customer"]).await;
    let id = &bought["id"];
    let plan = [("decision", "plan"), ("price", "price_enterprise"), ("subscription", text(id))];
    let changed = server.click(&portal, &plan).await;
    assert_eq!(changed.status, 303);
    let shown = server.get(&changed.headers["location"]).await;
    assert!(shown.text.contains("Enterprise · $499.00 a month"), "{}", shown.text);
    assert_eq!(server.subscription(id).await["items"]["data"][0]["price"]["id"], "price_enterprise");
    server.click(&portal, &[("decision", "cancel")]).await;
    let ending = server.subscription(id).await;
    assert_eq!((&ending["cancel_at_period_end"], &ending["status"]), (&json!(true), &json!("active")));
    assert_eq!(ending["cancel_at"], ending["items"]["data"][0]["current_period_end"]);
    assert_eq!(server.click(&portal, &[("decision", "fail")]).await.status, 400);
    server.click(&portal, &[("decision", "resume")]).await;
    assert_eq!(server.subscription(id).await["cancel_at"], Value::Null);
    server.click(&portal, &[("decision", "cancel")]).await;
    server.control("stripe/advance", json!({ "subscription": id, "periods": 1 })).await;
    assert_eq!(server.subscription(id).await["status"], "canceled");
    assert_eq!(server.click(&portal, &[("decision", "cancel")]).await.status, 400);
}

#[tokio::test]
async fn a_failed_payment_is_retried_or_ends_the_subscription() {
    let server = TestServer::new().await;
    let bought = server.buy().await;
    let portal = server.portal(&bought["customer"]).await;
    let id = &bought["id"];
    assert_eq!(server.click(&portal, &[("decision", "pay")]).await.status, 400);
    server.click(&portal, &[("decision", "fail")]).await;
    assert_eq!(server.subscription(id).await["status"], "past_due");
    server.click(&portal, &[("decision", "pay")]).await;
    assert_eq!(server.subscription(id).await["status"], "active");
    server.click(&portal, &[("decision", "fail")]).await;
    server.control("stripe/advance", json!({ "subscription": id })).await;
    let ended = server.subscription(id).await;
    assert_eq!(
        (&ended["status"], &ended["cancellation_details"]["reason"]),
        (&json!("canceled"), &json!("payment_failed"))
    );
}

#[tokio::test]
async fn the_portal_redirects_back_and_cancels_immediately() {
    let server = TestServer::new().await;
    let bought = server.buy().await;
    let portal = server.portal(&bought["customer"]).await;
    let back = server.click(&portal, &[("decision", "back")]).await;
    assert_eq!((back.status, back.headers["location"].as_str()), (303, CANCEL));
    assert_eq!(server.click(&portal, &[("decision", "plan"), ("price", "price_x")]).await.status, 400);
    assert_eq!(server.click(&portal, &[("decision", "cancel"), ("subscription", "sub_x")]).await.status, 400);
    server.click(&portal, &[("decision", "cancel_now")]).await;
    assert_eq!(server.subscription(&bought["id"]).await["status"], "canceled");
    assert_eq!(server.get("/stripe/portal/bps_x").await.status, 404);
    assert_eq!(server.get("/stripe/pay/cs_x").await.status, 404);
}

#[tokio::test]
async fn periods_follow_each_other() {
    let server = TestServer::new().await;
    let bought = server.buy().await;
    let advance = json!({ "subscription": bought["id"], "periods": 2 });
    let after = server.control("stripe/advance", advance).await.json()["subscription"].clone();
    let period = |of: &Value, name: &str| of["items"]["data"][0][name].as_i64().unwrap();
    assert!(period(&after, "current_period_start") > period(&bought, "current_period_end"));
    assert_ne!(after["latest_invoice"], bought["latest_invoice"]);
    let none = json!({ "subscription": bought["id"], "periods": 0 });
    assert_eq!(server.control("stripe/advance", none).await.status, 400);
    let unknown = server.control("stripe/advance", json!({ "subscription": "sub_x" })).await;
    assert_eq!(unknown.status, 404);
}
