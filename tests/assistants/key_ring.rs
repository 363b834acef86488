//! An operator changes the token key ring while assistants work: no token is called invalid for it.

use super::{TOKEN, consent, exchange_form, person, refresh_form, tokens};
use crate::in_process::respond;
use crate::world::World;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use lambda_http::Body;
use serde_json::{Value, json};
use shared::app::App;
use shared::domain::{CustomerId, Scope};
use std::sync::Arc;

/// Sends a form to a process; returns the status and the answer.
async fn post(app: &Arc<App>, form: &str) -> (u16, Value) {
    let request = http::Request::post(TOKEN).header("content-type", "application/x-www-form-urlencoded");
    let response = respond(app, request.body(Body::from(form)).expect("a request")).await;
    (response.status().as_u16(), crate::in_process::json_of(response.body()))
}

/// The status of a message to the endpoint of agents, and its `Retry-After`.
async fn message(app: &Arc<App>, access: &str) -> (u16, bool) {
    let body = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}).to_string();
    let request = http::Request::post("/v1/mcp").header("content-type", "application/json");
    let request = request.header("authorization", format!("Bearer {access}")).body(Body::from(body));
    let response = respond(app, request.expect("a request")).await;
    (response.status().as_u16(), response.headers().contains_key("retry-after"))
}

#[tokio::test]
async fn a_token_of_a_newer_ring_is_never_called_invalid() {
    let world = World::connected("delta_ads").await;
    let customer = CustomerId(world.gateway.customer_id.parse().expect("an id"));
    let old = &world.gateway.app;
    let given = consent(old, customer, Scope::Campaigns, &person()).await;
    let first = tokens(&post(old, &exchange_form(&given.code, &[])).await.1);
    let mut ring: Value = serde_json::from_str(&world.gateway.token_keys()).expect("a ring");
    ring["keys"]["k2"] = json!(STANDARD.encode([2; 32]));
    ring["active"] = json!("k2");
    world.gateway.replace_token_keys(&ring.to_string()).expect("a valid ring");
    let new = world.another(|_| {}).await;
    assert_eq!(message(&new, &first.access).await.0, 200, "the old key still opens");
    let (status, answer) = post(&new, &refresh_form(&first.refresh, &[])).await;
    assert_eq!(status, 200, "{answer}");
    let second = tokens(&answer);
    assert_eq!(message(&new, &second.access).await.0, 200);
    // This process has read the ring less than half a minute ago, and does not read it again for a token of anyone.
    assert_eq!(message(old, &second.access).await, (500, true));
    let (status, answer) = post(old, &refresh_form(&second.refresh, &[])).await;
    assert_eq!((status, &answer["error"]), (500, &json!("temporarily_unavailable")), "{answer}");
}
