//! What an endpoint receives.

use super::Stage;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use ring::hmac::{HMAC_SHA256, Key, sign};
use serde_json::{Value, json};

#[tokio::test(start_paused = true)]
async fn a_change_is_delivered_once_and_signed() {
    let stage = Stage::new().await;
    let endpoint = stage.endpoint("one", &["*"]).await;
    stage.change(60).await;
    stage.run().await;
    stage.run().await;
    let received = stage.received(&endpoint);
    assert_eq!(received.len(), 1, "{received:?}");
    let event = received[0].event();
    assert_eq!(event["type"], "change.applied");
    assert_eq!(event["id"], received[0].header("webhook-id"));
    assert_eq!(event["previous"], json!({"change": {"state": "sending"}}));
    let path = format!("/v1/changes/{}", event["data"]["change"]["id"].as_str().expect("an id"));
    let told = stage.ask("GET", &path, &Value::Null).await;
    assert_eq!(event["data"]["change"], told, "as its GET answers");
    let campaign = &event["data"]["campaign"];
    assert_eq!((&campaign["id"], &campaign["budget_amount"]), (&json!(stage.campaign), &json!(60)));
    let [id, time, signature] =
        ["webhook-id", "webhook-timestamp", "webhook-signature"].map(|name| received[0].header(name));
    let key = STANDARD.decode(endpoint.secret.trim_start_matches("whsec_")).expect("a key");
    let signed = [id.as_bytes(), b".", time.as_bytes(), b".", &received[0].payload].concat();
    assert_eq!(signature, format!("v1,{}", STANDARD.encode(sign(&Key::new(HMAC_SHA256, &key), &signed))));
}

#[tokio::test(start_paused = true)]
async fn an_endpoint_receives_its_types_in_its_shape_from_its_creation_on() {
    let stage = Stage::new().await;
    stage.change(55).await;
    let applied = stage.endpoint("applied", &["change.applied"]).await;
    let failed = stage.endpoint("failed", &["change.failed", "change.scheduled"]).await;
    let path = format!("/v1/webhook-endpoints/{}", applied.id);
    stage.ask("PATCH", &path, &json!({"shape": "enveloped"})).await;
    stage.change(60).await;
    stage.run().await;
    assert_eq!((stage.budgets(&applied), stage.received(&failed).len()), (vec![60], 0));
    let event = stage.received(&applied)[0].event();
    assert_eq!(
        (&event["data"]["change"]["platform"], &event["data"]["campaign"]["platform"]),
        (&json!("BETA"), &json!("BETA"))
    );
}

#[tokio::test(start_paused = true)]
async fn both_secrets_sign_for_a_day_after_a_rotation() {
    let stage = Stage::new().await;
    let endpoint = stage.endpoint("one", &["*"]).await;
    let path = format!("/v1/webhook-endpoints/{}/rotate-secret", endpoint.id);
    stage.ask("POST", &path, &Value::Null).await;
    stage.change(60).await;
    stage.run().await;
    stage.hours(25).await;
    stage.change(70).await;
    stage.run().await;
    let parts: Vec<usize> =
        stage.received(&endpoint).iter().map(|one| one.header("webhook-signature").split(' ').count()).collect();
    assert_eq!(parts, [2, 1]);
}

#[tokio::test(start_paused = true)]
async fn keys_and_connections_have_the_form_of_their_lists_in_events() {
    let stage = Stage::new().await;
    let endpoint = stage.endpoint("one", &["api_key.created", "connection.removed"]).await;
    let made = stage.ask("POST", "/v1/api-keys", &json!({"name": "New", "scopes": ["read"]})).await;
    let listed = stage.ask("GET", "/v1/connections", &Value::Null).await;
    let connection = &listed["connections"][0];
    stage.ask("DELETE", &format!("/v1/connections/{}", connection["id"].as_str().expect("an id")), &Value::Null).await;
    stage.run().await;
    let events: Vec<Value> = stage.received(&endpoint).iter().map(|one| one.event()).collect();
    let of = |kind: &str| events.iter().find(|event| event["type"] == kind).unwrap_or_else(|| panic!("{events:?}"));
    let (key, removed) = (of("api_key.created"), of("connection.removed"));
    let expected = ["id", "name", "prefix", "scopes", "created_at"].map(|field| made[field].clone());
    let told = ["id", "name", "prefix", "scopes", "created_at"].map(|field| key["data"]["api_key"][field].clone());
    assert_eq!(told, expected);
    assert!(!key.to_string().contains(made["api_key"].as_str().expect("a key")), "{key}");
    assert_eq!(removed["data"]["connection"]["id"], connection["id"]);
    assert_eq!((key.get("previous"), removed["data"]["connection"]["platform"].as_str()), (None, Some("beta_ads")));
    let (now, before) = (&removed["data"]["connection"], &removed["previous"]["connection"]);
    assert_eq!(
        (&now["status"], &before["status"]),
        (&json!("REVOKED"), &json!("ACTIVE")),
        "nothing to send to any more"
    );
    assert!(now["status_message"].as_str().is_some_and(|message| message.contains("was removed here")), "{removed}");
}
