//! The stored form of API keys, their expiry, and their last use.

use crate::in_process::{self, json_of, respond};
use crate::world::World;
use aws_sdk_dynamodb::types::AttributeValue;
use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};
use shared::app::App;
use shared::auth::ApiKey;
use shared::domain::Plan;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::sleep;

const KEYS: &str = "/v1/api-keys";
const ROTATE: &str = "/v1/api-keys/rotate";

fn secret(key: &Value) -> &str {
    key["api_key"].as_str().expect("a key")
}

#[tokio::test]
async fn every_key_is_stored_in_the_same_form() {
    let world = World::start().await;
    let made = world.create_key("reader", &["read"]).await;
    let account = world.account(&world.gateway.api_key).await;
    let keys = account["api_keys"].as_m().expect("a map");
    for (id, secret) in
        [("key_default", world.gateway.api_key.as_str()), (made["id"].as_str().expect("text"), secret(&made))]
    {
        let stored = keys[id].as_m().expect("a map");
        let key = ApiKey::parse(secret).expect("a key");
        assert_eq!(stored["key_hash"], AttributeValue::S(key.hash()), "{id}");
        assert_eq!(stored["prefix"], AttributeValue::S(key.display().prefix), "{id}");
    }
    assert_eq!(keys.len(), 2);
}

#[tokio::test]
async fn a_customer_without_the_first_key_uses_another_one_in_every_process() {
    let world = World::start().await;
    let writer = world.create_key("writer", &["read", "write"]).await;
    world.ask("DELETE", &format!("{KEYS}/key_default")).expect(204).await;
    let another = world.another(|_| ()).await;
    for app in [&world.gateway.app, &another] {
        assert_eq!(world.statuses_in(app, secret(&writer)).await, [200, 200, 200]);
    }
    assert_eq!(world.ask("GET", KEYS).send().await.expect("a response").status, 401);
}

/// A process with a clock that a test moves.
struct Process {
    world: in_process::World,
    app: Arc<App>,
}

impl Process {
    async fn start() -> Process {
        let world = in_process::World::new(in_process::clock(1), Plan::Pro).await;
        let app = Arc::new(world.straight());
        Process { world, app }
    }

    async fn ask(&self, method: &str, path: &str, key: &str, body: &str) -> (u16, Value) {
        let mut request = self.world.request(method, path, &[], body);
        request.headers_mut().insert("x-api-key", key.parse().expect("a header"));
        let response = respond(&self.app, request).await;
        (response.status().as_u16(), serde_json::from_slice(response.body()).unwrap_or_default())
    }

    /// The last use of the default key, after the request that reads it.
    async fn last_use(&self) -> Timestamp {
        let response = respond(&self.app, self.world.request("GET", KEYS, &[], "")).await;
        let keys = json_of(response.body());
        keys["api_keys"][0]["last_used_at"].as_str().expect("a time").parse().expect("a time")
    }

    /// Another process on the same table.
    fn another(&self) -> Arc<App> {
        Arc::new(self.world.straight())
    }
}

#[tokio::test(start_paused = true)]
async fn a_process_stores_the_last_use_of_a_key_at_most_once_a_minute() {
    let mut process = Process::start().await;
    let first = process.last_use().await;
    for _ in 0..5 {
        sleep(Duration::from_secs(11)).await;
        assert_eq!(process.last_use().await, first);
    }
    sleep(Duration::from_secs(6)).await;
    let second = process.last_use().await;
    assert!(second.duration_since(first) >= SignedDuration::from_secs(60), "{first} {second}");
    sleep(Duration::from_secs(61)).await;
    process.app = process.another();
    assert!(process.last_use().await > second, "a new process stores it, too");
}

#[tokio::test(start_paused = true)]
async fn an_expired_key_is_401_and_does_not_count() {
    let process = Process::start().await;
    let expires_at = process.world.clock.now() + SignedDuration::from_secs(90);
    let body = json!({ "name": "brief", "scopes": ["read", "write"], "expires_at": format!("{expires_at:.3}") });
    let (status, made) = process.ask("POST", KEYS, &process.world.api_key, &body.to_string()).await;
    assert_eq!(status, 201, "{made}");
    let key = secret(&made);
    sleep(Duration::from_secs(80)).await;
    let (status, rotated) = process.ask("POST", ROTATE, key, "").await;
    assert_eq!(status, 200, "{rotated}");
    let key = secret(&rotated);
    assert_eq!(process.ask("GET", KEYS, key, "").await.0, 200);
    sleep(Duration::from_secs(11)).await;
    let customer = process.world.customer;
    let used = async || {
        let account = process.app.store.account(customer, process.world.clock.now()).await.expect("a response");
        account.expect("an account").usage.requests_used
    };
    let before = used().await;
    for app in [Arc::clone(&process.app), process.another()] {
        let mut request = process.world.request("GET", KEYS, &[], "");
        request.headers_mut().insert("x-api-key", key.parse().expect("a header"));
        let response = respond(&app, request).await;
        assert_eq!((response.status().as_u16(), &json_of(response.body())["code"]), (401, &json!("UNAUTHORIZED")));
    }
    assert_eq!(used().await, before);
    let (_, listed) = process.ask("GET", KEYS, &process.world.api_key, "").await;
    assert_eq!(listed["api_keys"].as_array().map(Vec::len), Some(2), "an expired key stays in the list");
}
