//! `/v1/api-keys`: create, list and delete named keys.

use crate::world::{TestResponse, World, id_of};
use futures_util::future::join_all;
use serde_json::{Value, json};
use shared::auth::ApiKey;

const KEYS: &str = "/v1/api-keys";
const ROTATE: &str = "/v1/api-keys/rotate";

impl World {
    /// Creates a key with the demo customer's first key.
    pub(crate) async fn create_key(&self, name: &str, scopes: &[&str]) -> Value {
        self.ask("POST", KEYS).json(&json!({ "name": name, "scopes": scopes })).expect(201).await.json()
    }

    /// The status of a request with a key.
    pub(super) async fn status_with(&self, key: &Value, method: &str, path: &str) -> u16 {
        let key = key["api_key"].as_str().expect("a key");
        let response = self.ask(method, path).header("x-api-key", key).send().await.expect("a response");
        response.status.as_u16()
    }

    /// The keys, as listed.
    pub(super) async fn keys(&self) -> Vec<Value> {
        self.ask("GET", KEYS).expect(200).await.json()["api_keys"].as_array().expect("a list").clone()
    }

    async fn delete_key(&self, id: &str, status: u16) -> TestResponse {
        self.ask("DELETE", &format!("{KEYS}/{id}")).expect(status).await
    }
}

fn names(keys: &[Value]) -> Vec<&str> {
    keys.iter().map(|key| key["name"].as_str().expect("a name")).collect()
}

#[tokio::test]
async fn a_created_key_is_shown_once_and_works_with_its_scopes() {
    let world = World::start().await;
    let body =
        json!({ "name": "Monthly report", "scopes": ["billing", "read"], "expires_at": "2099-01-01T01:00:00+01:00" });
    let response = world.ask("POST", KEYS).json(&body).expect(201).await;
    assert_eq!(response.header("cache-control"), "no-store");
    let made = response.json();
    let secret = made["api_key"].as_str().expect("a key");
    let read = ApiKey::parse(secret).expect("a key");
    assert_eq!(made["prefix"], read.display().prefix);
    assert_eq!(made["last_four"].as_str(), Some(&secret[secret.len() - 4..]));
    assert_eq!((&made["name"], &made["scopes"]), (&json!("Monthly report"), &json!(["read", "billing"])));
    assert_eq!((&made["expires_at"], &made["last_used_at"]), (&json!("2099-01-01T00:00:00.000Z"), &Value::Null));
    assert_eq!(made.as_object().map(|made| made.len()), Some(12), "{made}");
    assert_eq!(world.status_with(&made, "GET", KEYS).await, 200);
    assert_eq!(world.status_with(&made, "POST", ROTATE).await, 403);
    assert!(!world.table_dump().await.contains(secret), "the table has only its hash");
}

#[tokio::test]
async fn the_list_has_every_key_without_its_secret_newest_first() {
    let world = World::start().await;
    let made = world.create_key("Report", &["read"]).await;
    let keys = world.keys().await;
    assert_eq!(names(&keys), ["Report", "default"]);
    assert!(keys.iter().all(|key| key.get("api_key").is_none() && key["prefix"] == made["prefix"]), "{keys:?}");
    assert_eq!([&keys[0]["current"], &keys[1]["current"]], [&json!(false), &json!(true)]);
    assert_eq!([&keys[0]["id"], &keys[1]["id"]], [&made["id"], &json!("key_default")]);
    let secret = made["api_key"].as_str().expect("a key");
    let seen = world.ask("GET", KEYS).header("x-api-key", secret).expect(200).await.json();
    assert_eq!(seen["api_keys"][0]["current"], true);
}

#[tokio::test]
async fn an_invalid_key_request_names_its_fields_and_creates_nothing() {
    let world = World::start().await;
    let valid = json!({ "name": "a", "scopes": ["read"] });
    for (field, value) in [
        ("name", json!("")),
        ("name", json!(" ")),
        ("name", json!("a\nb")),
        ("name", json!("ä".repeat(101))),
        ("name", json!(7)),
        ("scopes", json!([])),
        ("scopes", json!(["read", "read"])),
        ("scopes", json!(["admin"])),
        ("scopes", json!(["read", 7])),
        ("scopes", json!("read")),
        ("expires_at", json!("2020-01-01T00:00:00Z")),
        ("expires_at", json!("2099-01-01")),
        ("expires_at", json!("2099-01-01T00:00:00.0001Z")),
        ("expires_at", json!(4_070_908_800_u64)),
        ("id", json!("key_mine")),
    ] {
        let mut body = valid.clone();
        body[field] = value;
        let response = world.ask("POST", KEYS).json(&body).expect(400).await;
        assert_eq!(response.fields(), [field], "{body}");
    }
    assert_eq!(world.ask("POST", KEYS).json(&json!({})).expect(400).await.fields(), ["name", "scopes"]);
    world.ask("POST", &format!("{KEYS}?name=a")).json(&valid).expect(400).await;
    world.ask("GET", &format!("{KEYS}?limit=1")).expect(400).await;
    world.ask("DELETE", &format!("{KEYS}/key_default?now=1")).expect(400).await;
    assert_eq!(names(&world.keys().await), ["default"]);
    let longest = json!({ "name": "ä".repeat(100), "scopes": ["read"], "expires_at": null });
    world.ask("POST", KEYS).json(&longest).expect(201).await;
}

#[tokio::test]
async fn a_sixth_key_is_409_until_one_is_deleted() {
    let world = World::start().await;
    for name in ["a", "b", "c", "d"] {
        world.create_key(name, &["read"]).await;
    }
    let body = json!({ "name": "e", "scopes": ["read"] });
    let refused = world.ask("POST", KEYS).json(&body).expect(409).await.json();
    assert_eq!(refused["code"], "CONFLICT");
    let first = id_of(&world.keys().await[0]);
    world.delete_key(&first, 204).await;
    world.ask("POST", KEYS).json(&body).expect(201).await;
}

#[tokio::test]
async fn of_concurrent_creates_at_four_keys_one_succeeds() {
    let world = World::start().await;
    for name in ["a", "b", "c"] {
        world.create_key(name, &["read"]).await;
    }
    let body = json!({ "name": "d", "scopes": ["read"] });
    let responses = join_all((0..6).map(|_| world.ask("POST", KEYS).json(&body).send())).await;
    let mut statuses: Vec<u16> =
        responses.into_iter().map(|response| response.expect("a response").status.as_u16()).collect();
    statuses.sort_unstable();
    assert_eq!(statuses, [201, 409, 409, 409, 409, 409]);
    assert_eq!(world.keys().await.len(), 5);
}

#[tokio::test]
async fn concurrent_creates_of_keys_are_all_kept() {
    let world = World::start().await;
    join_all(["a", "b", "c", "d"].map(|name| world.create_key(name, &["read"]))).await;
    let keys = world.keys().await;
    let mut names = names(&keys);
    names.sort_unstable();
    assert_eq!(names, ["a", "b", "c", "d", "default"]);
}

#[tokio::test]
async fn a_key_cannot_create_one_with_a_scope_that_it_lacks() {
    let world = World::start().await;
    let writer = world.create_key("writer", &["write"]).await;
    let writer = writer["api_key"].as_str().expect("a key");
    let create = |scopes: Value| {
        let body = json!({ "name": "more", "scopes": scopes });
        world.ask("POST", KEYS).header("x-api-key", writer).json(&body)
    };
    for (scopes, lacking) in [(json!(["read"]), "read"), (json!(["write", "billing"]), "billing")] {
        let refused = create(scopes).expect(403).await.json();
        let message = refused["error"].as_str().expect("a message");
        assert!(refused["code"] == "FORBIDDEN" && message.contains(&format!("scope {lacking}")), "{refused}");
    }
    assert_eq!(create(json!(["campaigns"])).expect(403).await.json()["code"], "FORBIDDEN", "it cannot read them");
    create(json!(["write"])).expect(201).await;
}

#[tokio::test]
async fn a_key_with_read_and_write_can_grant_the_scope_campaigns() {
    let world = World::start().await;
    let manager = world.create_key("manager", &["read", "write"]).await;
    let body = json!({ "name": "agent", "scopes": ["campaigns"] });
    let create = world.ask("POST", KEYS).header("x-api-key", manager["api_key"].as_str().expect("a key"));
    let agent = create.json(&body).expect(201).await.json();
    assert_eq!(agent["scopes"], json!(["campaigns"]));
    assert_eq!(world.status_with(&agent, "POST", KEYS).await, 403);
}

#[tokio::test]
async fn a_deleted_key_is_401_at_once_in_every_process() {
    let world = World::start().await;
    let made = world.create_key("Report", &["read"]).await;
    let key = made["api_key"].as_str().expect("a key");
    let another = world.another(|_| ()).await;
    for app in [&world.gateway.app, &another] {
        assert_eq!(world.statuses_in(app, key).await, [200, 200, 200]);
    }
    world.delete_key(&id_of(&made), 204).await;
    for app in [&world.gateway.app, &another] {
        assert_eq!(world.statuses_in(app, key).await, [401, 401, 401]);
    }
    assert_eq!(world.delete_key(&id_of(&made), 404).await.json()["code"], "NOT_FOUND");
    for unknown in ["key_000000000000", "default", "rotate2", "%2e"] {
        world.delete_key(unknown, 404).await;
    }
    assert_eq!(names(&world.keys().await), ["default"]);
}

#[tokio::test]
async fn the_last_key_with_write_is_not_deleted() {
    let world = World::start().await;
    world.create_key("reader", &["read", "billing"]).await;
    assert_eq!(world.delete_key("key_default", 409).await.json()["code"], "CONFLICT");
    let writer = world.create_key("writer", &["write"]).await;
    world.delete_key("key_default", 204).await;
    assert_eq!(world.ask("GET", KEYS).expect(401).await.json()["code"], "UNAUTHORIZED");
    let path = format!("{KEYS}/{}", id_of(&writer));
    assert_eq!(world.status_with(&writer, "DELETE", &path).await, 409);
}

#[tokio::test]
async fn a_rotation_keeps_name_and_scopes_and_leaves_the_other_keys() {
    let world = World::start().await;
    let writer = world.create_key("writer", &["read", "write"]).await;
    let reader = world.create_key("reader", &["read"]).await;
    let old = writer["api_key"].as_str().expect("a key");
    let rotated = world.ask("POST", ROTATE).header("x-api-key", old).expect(200).await.json();
    for (key, status) in [(&writer, 401), (&rotated, 200), (&reader, 200)] {
        assert_eq!(world.status_with(key, "GET", KEYS).await, status, "{key}");
    }
    let keys = world.keys().await;
    assert_eq!(names(&keys), ["writer", "reader", "default"], "the rotated one is the newest");
    assert_eq!((&keys[0]["id"], &keys[0]["scopes"]), (&writer["id"], &writer["scopes"]));
    assert_eq!(keys[0]["created_at"], rotated["created_at"]);
    assert_eq!(world.status_with(&rotated, "POST", "/v1/billing/portal").await, 403);
}
