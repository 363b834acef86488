//! The events of API keys, through the API and the operator's command.

use crate::world::{World, id_of};
use serde_json::{Value, json};
use shared::clock::Clock;
use shared::domain::{Event, EventFilters, KeyBefore, KeySnapshot, Subject};

const KEYS: &str = "/v1/api-keys";

fn subject(event: &Event) -> (&KeySnapshot, Option<&KeyBefore>) {
    match &event.subject {
        Subject::ApiKey { key, previous } => (key, previous.as_ref()),
        other => panic!("{other:?}"),
    }
}

impl World {
    async fn key_as(&self, key: &Value, method: &str, path: &str) -> Value {
        let secret = key["api_key"].as_str().expect("a key");
        let response = self.ask(method, path).header("x-api-key", secret).send().await.expect("a response");
        assert!(response.status.is_success(), "{response:?}");
        response.json()
    }
}

#[tokio::test]
async fn the_first_key_of_an_account_has_an_event() {
    let world = World::start().await;
    let app = &world.gateway.app;
    let page = app
        .store
        .events(world.owner(), &EventFilters::default(), None, 10, Clock::system().now())
        .await
        .expect("the table");
    assert_eq!(super::kinds(&page.events), ["api_key.created"]);
    assert!(super::is_of_first_key(&page.events[0]));
}

#[tokio::test]
async fn each_transition_of_a_key_has_exactly_one_event() {
    let world = World::start().await;
    let mut seen = 0;
    let made = world.create_key("Report", &["read", "write"]).await;
    assert_eq!(world.new_events(&mut seen).await, ["api_key.created"]);
    let first = world.events().await.pop().expect("an event");
    let (key, previous) = subject(&first);
    assert_eq!((json!(key.id.0), json!(key.name), previous), (made["id"].clone(), json!("Report"), None));
    assert_eq!(json!(key.prefix), made["prefix"]);
    assert!(first.request.is_some());

    let path = format!("{KEYS}/{}", id_of(&made));
    world.ask("PATCH", &path).json(&json!({"name": "Monthly"})).expect(200).await;
    world.ask("PATCH", &path).json(&json!({"scopes": ["read", "write", "billing"]})).expect(200).await;
    world.key_as(&made, "GET", "/v1/connections").await;
    assert_eq!(world.new_events(&mut seen).await, [""; 0], "name, scopes and uses");

    let rotated = world.key_as(&made, "POST", &format!("{KEYS}/rotate")).await;
    assert_eq!(world.new_events(&mut seen).await, ["api_key.rotated"]);
    let last = world.events().await.pop().expect("an event");
    let (key, previous) = subject(&last);
    assert_eq!((json!(key.prefix), json!(key.name)), (rotated["prefix"].clone(), json!("Monthly")));
    let Some(KeyBefore::Secret { prefix, .. }) = previous else { panic!("{previous:?}") };
    assert_eq!(json!(prefix), made["prefix"]);

    world.ask("POST", &format!("{path}/stop")).expect(200).await;
    world.ask("POST", &format!("{path}/stop")).expect(200).await;
    assert_eq!(world.new_events(&mut seen).await, ["api_key.stopped"], "a second request is the same stop");
    let last = world.events().await.pop().expect("an event");
    let (key, previous) = subject(&last);
    assert_eq!((key.stopped_at.is_some(), previous), (true, Some(&KeyBefore::NotStopped)));

    world.ask("DELETE", &path).expect(204).await;
    world.ask("DELETE", &path).expect(404).await;
    assert_eq!(world.new_events(&mut seen).await, ["api_key.revoked"]);
    let dump = format!("{:?}", world.items("EVENT#").await);
    for secret in [&made["api_key"], &rotated["api_key"]] {
        assert!(!dump.contains(secret.as_str().expect("a key")), "no event has a secret");
    }
    assert!(!dump.contains("hash"), "{dump}");
}

#[tokio::test]
async fn a_refused_change_of_keys_has_no_event() {
    let world = World::start().await;
    let mut seen = 0;
    for name in ["1", "2", "3", "4"] {
        world.create_key(name, &["read"]).await;
    }
    assert_eq!(world.new_events(&mut seen).await, ["api_key.created"; 4]);
    world.ask("POST", KEYS).json(&json!({"name": "5", "scopes": ["read"]})).expect(409).await;
    world.ask("DELETE", &format!("{KEYS}/key_default")).expect(409).await;
    assert_eq!(world.new_events(&mut seen).await, [""; 0]);
}

#[tokio::test]
async fn the_operators_reset_has_events_for_replaced_and_ended_keys() {
    let world = World::start().await;
    world.create_key("Report", &["read"]).await;
    let mut seen = world.events().await.len();
    let store = &world.gateway.app.store;
    let ended = store.reset_keys(world.owner(), "another hash", "uac_test_other", Clock::system().now()).await;
    assert_eq!(ended.expect("the table").map(|keys| keys.all().len()), Some(2));
    assert_eq!(world.new_events(&mut seen).await, ["api_key.rotated", "api_key.revoked"]);
}
