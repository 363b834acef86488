//! Requests under an `Idempotency-Key` are the same if their content is, in any spelling.

use crate::world::{TestResponse, World};
use serde_json::{Value, json};

impl World {
    async fn keyed_text(&self, shape: &str, body: &str) -> TestResponse {
        let ask = self.ask("POST", "/v1/campaigns").header("idempotency-key", "k");
        let ask = if shape.is_empty() { ask } else { ask.header("x-api-shape", shape) };
        ask.text("application/json", body.to_owned()).send().await.expect("a response")
    }
}

fn assert_replay_of(first: &TestResponse, again: &TestResponse, how: &str) {
    assert_eq!((first.status, &first.text), (again.status, &again.text), "{how}");
    assert_eq!(
        (first.header("x-api-shape"), again.header("idempotent-replayed")),
        (again.header("x-api-shape"), "true")
    );
}

#[tokio::test]
async fn the_same_content_in_another_spelling_is_the_same_request() {
    let world = World::connected("beta_ads").await;
    let written =
        r#"{"name": "Once", "goal": "TRAFFIC", "budget_amount": 50, "budget_period": "DAILY", "platform": "beta_ads"}"#;
    let first = world.keyed_text("", written).await;
    assert_eq!(first.status, 201, "{first:?}");
    let other_order =
        r#"{"platform":"beta_ads","budget_period":"DAILY","budget_amount":50,"goal":"TRAFFIC","name":"Once"}"#;
    let indented = serde_json::to_string_pretty(&serde_json::from_str::<Value>(written).expect("JSON")).expect("JSON");
    let number = |text: &str| written.replace("50,", &format!("{text},"));
    let name = |text: &str| written.replace("Once", text);
    for (how, body) in [
        ("another order", other_order.to_owned()),
        ("indentation", indented),
        ("50.00", number("50.00")),
        ("5e1", number("5e1")),
        ("an escape", name(r"\u004fnce")),
    ] {
        assert_replay_of(&first, &world.keyed_text("", &body).await, how);
    }
    for (how, body) in [
        ("another amount", number("50.01")),
        ("an amount beyond a float's precision", number("50.0000000000000000001")),
        ("a text for the amount", number(r#""50""#)),
        ("another name", name("once")),
        ("a repeated member", written.replace('}', r#","name":"Once"}"#)),
    ] {
        let other = world.keyed_text("", &body).await;
        assert_eq!((other.status.as_u16(), &other.json()["code"]), (422, &json!("CONFLICT")), "{how}: {other:?}");
    }
    assert_eq!(world.campaigns_at("beta_ads").await, 1);
}

#[tokio::test]
async fn a_replay_keeps_its_shape_whatever_the_header_asks_for() {
    let world = World::connected("beta_ads").await;
    let account = world.sandbox_accounts("beta_ads").await[0].trim_start_matches("act_").to_owned();
    let flat = json!({"name": "Once", "goal": "TRAFFIC", "budget_amount": 50, "budget_period": "DAILY",
        "platform": "beta_ads"});
    let enveloped = json!({"name": "Once", "goal": "WEBSITE_TRAFFIC", "budget_amount": 50, "budget_period": "DAILY",
        "targets": [{"platform": "BETA", "organization_id": account}]});
    for (key, body, other) in [("flat", flat, "enveloped"), ("enveloped", enveloped, "flat")] {
        let first = world.keyed(key, &body).await;
        assert_eq!((first.status.as_u16(), first.header("x-api-shape")), (201, key), "{first:?}");
        let ask = || world.ask("POST", "/v1/campaigns").header("idempotency-key", key).header("x-api-shape", other);
        assert_replay_of(&first, &ask().json(&body).expect(201).await, key);
        let unread = ask().json(&json!({"name": "Twice"})).expect(422).await;
        assert!(unread.text.contains("belongs to a different request"), "{unread:?}");
        world.ask("POST", "/v1/campaigns").header("x-api-shape", other).json(&body).expect(400).await;
    }
    assert_eq!(world.campaigns_at("beta_ads").await, 2);
}

#[tokio::test]
async fn a_create_without_a_final_response_needs_its_own_shape() {
    let world = World::connected("beta_ads").await;
    let body = r#"{"name":"Later","goal":"TRAFFIC","budget_amount":50,"budget_period":"DAILY","platform":"beta_ads"}"#;
    world.fault("beta_ads", "create", "throttle", 1).await;
    assert_eq!(world.keyed_text("", body).await.status, 429);
    world.let_pauses_end().await;
    let unread = world.keyed_text("enveloped", body).await;
    assert_eq!((unread.status.as_u16(), world.campaigns_at("beta_ads").await), (400, 0), "{unread:?}");
    assert_eq!(world.keyed_text("flat", body).await.status, 201, "the key is not held");
}
