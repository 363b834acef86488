//! Idempotency keys under faults.

use super::{error, text};
use crate::client::{Response, TestServer};
use serde_json::json;

const KEY: &[(&str, &str)] = &[("idempotency-key", "key-1")];

async fn customer(server: &TestServer, body: &str) -> Option<Response> {
    server.stripe_with("POST", "/customers", body, KEY).await
}

#[tokio::test]
async fn the_same_request_is_executed_once_and_gets_its_response_twice() {
    let server = TestServer::new().await;
    let first = customer(&server, "email=a@b.example&metadata[x]=1").await.unwrap();
    assert!(!first.headers.contains_key("idempotent-replayed"));
    let again = customer(&server, "metadata%5Bx%5D=1&email=a%40b.example").await.unwrap();
    assert_eq!((again.status, &again.text), (200, &first.text));
    assert_eq!(again.headers["idempotent-replayed"], "true");
    let other = server.stripe_with("POST", "/customers", "", &[("idempotency-key", "key-2")]).await.unwrap();
    assert_ne!(other.json()["id"], first.json()["id"]);
}

#[tokio::test]
async fn a_key_of_another_request_is_rejected() {
    let server = TestServer::new().await;
    customer(&server, "email=a@b.example").await.unwrap();
    let other = customer(&server, "email=c@d.example").await.unwrap();
    assert_eq!((other.status, &error(&other)["type"]), (400, &json!("idempotency_error")));
    let elsewhere = server.stripe_with("POST", "/checkout/sessions", "email=a@b.example", KEY).await.unwrap();
    assert_eq!(error(&elsewhere)["type"], "idempotency_error");
    let long = "k".repeat(256);
    let long = server.stripe_with("POST", "/customers", "", &[("idempotency-key", &long)]).await.unwrap();
    assert_eq!(long.status, 400);
}

#[tokio::test]
async fn a_request_that_is_not_executed_does_not_use_its_key() {
    let server = TestServer::new().await;
    assert_eq!(customer(&server, "odd=1").await.unwrap().status, 400);
    server.fault("customer", "throttle", 1).await;
    let throttled = customer(&server, "email=c@d.example").await.unwrap();
    assert_eq!((throttled.status, &error(&throttled)["code"]), (429, &json!("rate_limit")));
    server.fault("customer", "drop", 1).await;
    assert!(customer(&server, "email=e@f.example").await.is_none());
    server.fault("customer", "garbage", 1).await;
    assert!(customer(&server, "email=g@h.example").await.unwrap().text.starts_with("<!DOCTYPE"));
    let done = customer(&server, "email=a@b.example").await.unwrap();
    assert_eq!((done.status, done.headers.get("idempotent-replayed")), (200, None));
}

#[tokio::test]
async fn a_lost_response_is_replayed_with_its_key() {
    let server = TestServer::new().await;
    server.fault("customer", "drop_after", 1).await;
    assert!(customer(&server, "email=a@b.example").await.is_none());
    let again = customer(&server, "email=a@b.example").await.unwrap();
    assert_eq!(again.headers["idempotent-replayed"], "true");
    let id = again.json()["id"].clone();
    assert_eq!(server.stripe("GET", &format!("/customers/{}", text(&id)), "").await.status, 200);
}

#[tokio::test]
async fn an_internal_error_is_replayed_with_its_key() {
    let server = TestServer::new().await;
    server.fault("any", "error", 1).await;
    let broken = customer(&server, "email=a@b.example").await.unwrap();
    assert_eq!((broken.status, &error(&broken)["type"]), (500, &json!("api_error")));
    let again = customer(&server, "email=a@b.example").await.unwrap();
    assert_eq!((again.status, &again.text), (500, &broken.text));
    assert_eq!(again.headers["idempotent-replayed"], "true");
}

#[tokio::test]
async fn a_key_is_in_use_until_its_first_response() {
    let server = TestServer::new().await;
    let fault = json!({ "platform": "stripe", "operation": "customer", "fault": "late", "times": 1, "ms": 600_000 });
    server.control("faults", fault).await;
    // The first one is given up by its caller and goes on at the provider.
    let waiting = customer(&server, "email=a@b.example");
    tokio::select! {
        _ = waiting => panic!("it should wait"),
        () = async {
            while server.get("/_sandbox/requests?platform=stripe").await.json()["requests"] == json!([]) {}
        } => {}
    }
    let second = customer(&server, "email=a@b.example").await.unwrap();
    assert_eq!((second.status, &error(&second)["code"]), (409, &json!("idempotency_key_in_use")));
    assert_eq!(second.headers["stripe-should-retry"], "true");
}

#[tokio::test]
async fn a_slow_request_is_executed_at_once() {
    let server = TestServer::new().await;
    server.fault("customer", "slow", 1).await;
    assert_eq!(customer(&server, "").await.unwrap().status, 200);
    server.fault("customer", "late", 1).await;
    assert_eq!(customer(&server, "").await.unwrap().headers["idempotent-replayed"], "true");
}

#[tokio::test]
async fn the_words_of_platforms_and_provider_are_apart() {
    let server = TestServer::new().await;
    for (platform, operation, fault, wrong) in [
        ("stripe", "create", "error", "operation"),
        ("stripe", "checkout", "revoked", "fault"),
        ("stripe", "checkout", "duplicate", "fault"),
        ("stripe", "any", "loss", "fault"),
        ("stripe", "webhook", "error", "fault"),
        ("alpha_ads", "webhook", "loss", "operation"),
        ("alpha_ads", "checkout", "error", "operation"),
        ("alpha_ads", "create", "duplicate", "fault"),
    ] {
        let order = json!({ "platform": platform, "operation": operation, "fault": fault, "times": 1 });
        let response = server.control("faults", order).await;
        assert_eq!(response.status, 400, "{platform} {operation} {fault}");
        assert!(text(&response.json()["error"]).starts_with(wrong), "{}", response.text);
    }
    for (name, body) in [
        ("accounts", json!({ "platform": "stripe", "currency": "USD" })),
        ("spend", json!({ "platform": "stripe", "campaign_id": "1", "amount": 1 })),
        ("settings", json!({ "platform": "stripe", "access_token_ttl_s": 1 })),
    ] {
        assert_eq!(server.control(name, body).await.status, 400, "{name}");
    }
    assert_eq!(server.get("/_sandbox/campaigns?platform=stripe").await.status, 400);
}
