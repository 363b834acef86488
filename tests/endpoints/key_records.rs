//! The stored form of API keys: accounts of earlier versions and after a rollback, expiry, and the last use.

use crate::in_process::{self, answer, json_of};
use crate::world::World;
use aws_sdk_dynamodb::types::AttributeValue;
use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};
use shared::app::App;
use shared::auth::{ApiKey, Mode};
use shared::domain::Plan;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::sleep;

const KEYS: &str = "/v1/api-keys";
const ROTATE: &str = "/v1/api-keys/rotate";

impl World {
    /// The hash that earlier versions of the service compare keys with.
    async fn key_hash(&self) -> String {
        let account = self.account(&self.gateway.api_key).await;
        account["key_hash"].as_s().expect("a text").clone()
    }

    /// Rotates the key as an earlier version does, which knows no other attribute.
    async fn rotate_in_an_earlier_version(&self) -> String {
        let customer = ApiKey::parse(&self.gateway.api_key).expect("a key").customer();
        let key = ApiKey::generate(customer, Mode::Test).expect("a key");
        let client = self.gateway.config.aws.dynamodb_client();
        let update = client.update_item().table_name(&self.gateway.config.table);
        let update = update.key("pk", AttributeValue::S(format!("CUSTOMER#{customer}")));
        let update = update.key("sk", AttributeValue::S("ACCOUNT".to_owned())).update_expression("SET key_hash = :new");
        update.expression_attribute_values(":new", AttributeValue::S(key.hash())).send().await.expect("a write");
        key.reveal().to_owned()
    }

    async fn status_of(&self, key: &str) -> u16 {
        self.ask("GET", KEYS).header("x-api-key", key).send().await.expect("an answer").status.as_u16()
    }
}

fn hash(key: &str) -> String {
    ApiKey::parse(key).expect("a key").hash()
}

fn secret(key: &Value) -> &str {
    key["api_key"].as_str().expect("a key")
}

#[tokio::test]
async fn an_account_of_an_earlier_version_has_a_default_key() {
    let world = World::start().await;
    let account = world.account(&world.gateway.api_key).await;
    assert!(!account.contains_key("api_keys") && account.contains_key("key_hash"), "{account:?}");
    let keys = world.keys().await;
    let [key] = keys.as_slice() else { panic!("{keys:?}") };
    assert_eq!((&key["name"], &key["current"]), (&json!("default"), &json!(true)));
    assert_eq!((&key["scopes"], &key["expires_at"]), (&json!(["read", "write", "billing"]), &Value::Null));
    assert!(
        key["last_used_at"].is_string() && world.gateway.api_key.starts_with(key["prefix"].as_str().expect("text"))
    );
    assert!(!world.account(&world.gateway.api_key).await.contains_key("api_keys"), "a use does not change the form");
    let rotated = world.ask("POST", ROTATE).expect(200).await.json();
    assert_eq!((world.status_of(secret(&rotated)).await, world.status_of(&world.gateway.api_key).await), (200, 401));
}

#[tokio::test]
async fn an_earlier_version_accepts_the_default_key_after_a_rollback() {
    let world = World::start().await;
    let writer = world.create_key("writer", &["read", "write"]).await;
    assert_eq!(world.key_hash().await, hash(&world.gateway.api_key));
    world.ask("POST", ROTATE).header("x-api-key", secret(&writer)).expect(200).await;
    assert_eq!(world.key_hash().await, hash(&world.gateway.api_key), "another key was rotated");
    let rotated = world.ask("POST", ROTATE).expect(200).await.json();
    assert_eq!(world.key_hash().await, hash(secret(&rotated)));
}

#[tokio::test]
async fn without_a_default_key_an_earlier_version_accepts_the_widest_one() {
    let world = World::start().await;
    world.create_key("reader", &["read"]).await;
    let writer = world.create_key("writer", &["read", "write"]).await;
    world.ask("DELETE", &format!("{KEYS}/key_default")).expect(204).await;
    assert_eq!(world.key_hash().await, hash(secret(&writer)));
    let another = world.another(|_| ()).await;
    for app in [&world.gateway.app, &another] {
        assert_eq!(world.statuses_in(app, secret(&writer)).await, [200, 200, 200]);
    }
    let rotated = world.ask("POST", ROTATE).header("x-api-key", secret(&writer)).expect(200).await.json();
    assert_eq!(world.key_hash().await, hash(secret(&rotated)));
}

#[tokio::test]
async fn a_rotation_by_an_earlier_version_belongs_to_the_default_key() {
    let world = World::start().await;
    let reader = world.create_key("reader", &["read"]).await;
    let rotated = world.rotate_in_an_earlier_version().await;
    for (key, status) in [(world.gateway.api_key.as_str(), 401), (&rotated, 200), (secret(&reader), 200)] {
        assert_eq!(world.status_of(key).await, status);
    }
    let listed = world.ask("GET", KEYS).header("x-api-key", &rotated).expect(200).await.json();
    let current = listed["api_keys"].as_array().expect("a list").iter().find(|key| key["current"] == true);
    assert_eq!(current.expect("the key of the request")["id"], "key_default");
    let again = world.ask("POST", ROTATE).header("x-api-key", &rotated).expect(200).await.json();
    assert_eq!((world.status_of(&rotated).await, world.status_of(secret(&again)).await), (401, 200));
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
        let answer = answer(&self.app, request).await;
        (answer.status().as_u16(), serde_json::from_slice(answer.body()).unwrap_or_default())
    }

    /// The last use of the default key, after the request that reads it.
    async fn last_use(&self) -> Timestamp {
        let answer = answer(&self.app, self.world.request("GET", KEYS, &[], "")).await;
        let keys = json_of(answer.body());
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
        let account = process.app.store.account(customer, process.world.clock.now()).await.expect("an answer");
        account.expect("an account").usage.requests_used
    };
    let before = used().await;
    for app in [Arc::clone(&process.app), process.another()] {
        let mut request = process.world.request("GET", KEYS, &[], "");
        request.headers_mut().insert("x-api-key", key.parse().expect("a header"));
        let answer = answer(&app, request).await;
        assert_eq!((answer.status().as_u16(), &json_of(answer.body())["code"]), (401, &json!("UNAUTHORIZED")));
    }
    assert_eq!(used().await, before);
    let (_, listed) = process.ask("GET", KEYS, &process.world.api_key, "").await;
    assert_eq!(listed["api_keys"].as_array().map(Vec::len), Some(2), "an expired key stays in the list");
}
