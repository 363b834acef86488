//! `/v1/webhook-endpoints`: create, list, get and delete.

use crate::world::{World, id_of};
use futures_util::future::join_all;
use serde_json::{Value, json};
use shared::domain::EventKind;

pub(super) const PATH: &str = "/v1/webhook-endpoints";
pub(super) const URL: &str = "https://example.com/webhooks";

impl World {
    /// Creates an endpoint for every type of event.
    pub(crate) async fn create_endpoint(&self) -> Value {
        self.ask("POST", PATH).json(&json!({ "url": URL, "types": ["*"] })).expect(201).await.json()
    }

    /// The endpoints, as listed.
    pub(super) async fn endpoints_of(&self, key: &str) -> Vec<Value> {
        let listed = self.ask("GET", PATH).header("x-api-key", key).expect(200).await.json();
        listed["webhook_endpoints"].as_array().expect("a list").clone()
    }
}

/// The same endpoint without its secret.
pub(super) fn without_secret(made: &Value) -> Value {
    let mut endpoint = made.clone();
    endpoint.as_object_mut().expect("an object").remove("secret").expect("a secret");
    endpoint
}

#[tokio::test]
async fn an_endpoint_is_created_listed_newest_first_and_deleted_once() {
    let world = World::start().await;
    let key = &world.gateway.api_key;
    assert_eq!(world.endpoints_of(key).await, Vec::<Value>::new());
    let first = world.create_endpoint().await;
    assert_eq!(first.as_object().map(|made| made.len()), Some(9), "{first}");
    let values = ["url", "shape", "description", "status", "disabled_reason"].map(|name| first[name].clone());
    assert_eq!(values, [json!(URL), json!("flat"), Value::Null, json!("enabled"), Value::Null]);
    assert_eq!(first["types"], json!(["*"]));
    let created_at = first["created_at"].as_str().expect("a time");
    assert!(created_at.len() == "2026-12-01T09:00:00.000Z".len() && created_at.ends_with('Z'), "{created_at}");

    let body = json!({ "url": "https://Example.com", "types": ["limit.refused", "change.applied"],
        "shape": "enveloped", "description": "Campaign log" });
    let second = world.ask("POST", PATH).json(&body).expect(201).await.json();
    let values = ["url", "types", "shape", "description"].map(|name| second[name].clone());
    let expected = [json!("https://example.com/"), json!(["change.applied", "limit.refused"])];
    assert_eq!(values, [expected, [json!("enveloped"), json!("Campaign log")]].concat()[..]);

    let both = [without_secret(&second), without_secret(&first)];
    assert_eq!(world.endpoints_of(key).await, both);
    let path = format!("{PATH}/{}", id_of(&second));
    assert_eq!(world.ask("GET", &path).expect(200).await.json(), both[0]);
    assert_eq!(world.ask("DELETE", &path).expect(204).await.text, "");
    assert_eq!(world.endpoints_of(key).await, both[1..]);
    for method in ["GET", "DELETE"] {
        let gone = world.ask(method, &path).expect(404).await.json();
        assert_eq!(gone["error"], "There is no such webhook endpoint. GET /v1/webhook-endpoints lists yours.");
    }
}

#[tokio::test]
async fn a_wrong_endpoint_is_400_naming_the_field() {
    let world = World::start().await;
    let with = |name: &str, value: Value| {
        let mut body = json!({ "url": URL, "types": ["*"] });
        body[name] = value;
        body
    };
    let every_type: Vec<&str> = EventKind::ALL.iter().map(|kind| kind.as_str()).chain(["change.failed"]).collect();
    for (name, value) in [
        ("url", json!("http://example.com/")),
        ("url", json!("https://example.com:8443/")),
        ("url", json!("https://a:b@example.com/")),
        ("url", json!("https://example.com/#a")),
        ("url", json!("example.com")),
        ("url", json!("")),
        ("url", json!(format!("https://example.com/{}", "a".repeat(2_000)))),
        ("url", json!(7)),
        ("url", Value::Null),
        ("types", json!([])),
        ("types", json!(["*", "change.applied"])),
        ("types", json!(["change.applied", "*"])),
        ("types", json!(["*", "*"])),
        ("types", json!(["ping"])),
        ("types", json!(["change.*"])),
        ("types", json!(["change.applied", "change.applied"])),
        ("types", json!(every_type)),
        ("types", json!("*")),
        ("types", json!([7])),
        ("types", Value::Null),
        ("shape", json!("round")),
        ("shape", Value::Null),
        ("description", json!(" ")),
        ("description", json!("a\nb")),
        ("description", json!("a".repeat(201))),
        ("description", json!(7)),
        ("secret", json!("whsec_AQIDBAUGBwgJCgsMDQ4PEBESExQVFhcYGRobHB0eHyA=")),
        ("disabled_reason", Value::Null),
        ("id", json!("we_0123456789abcdef0123456789abcdef")),
    ] {
        let refused = world.ask("POST", PATH).json(&with(name, value.clone())).expect(400).await;
        assert_eq!(refused.fields(), [name], "{value}");
    }
    let status = world.ask("POST", PATH).json(&with("status", json!("disabled"))).expect(400).await;
    assert_eq!(status.fields(), ["status"], "a new endpoint is enabled");
    let none = world.ask("POST", PATH).json(&json!({ "shape": "round" })).expect(400).await;
    assert_eq!(none.fields(), ["url", "types", "shape"]);
    for (body, field) in [("", "body"), ("[]", "body"), (r#"{"url":"a","url":"b","types":["*"]}"#, "url")] {
        let refused = world.ask("POST", PATH).text("application/json", body).expect(400).await;
        assert_eq!(refused.fields()[0], field, "{body}");
    }
    assert_eq!(world.ask("GET", &format!("{PATH}?limit=1")).expect(400).await.fields(), ["limit"]);
    assert_eq!(world.endpoints_of(&world.gateway.api_key).await, Vec::<Value>::new());
}

#[tokio::test]
async fn concurrent_creates_of_endpoints_stop_at_five() {
    let world = World::start().await;
    let create = |_| world.ask("POST", PATH).json(&json!({ "url": URL, "types": ["*"] })).send();
    let responses = join_all((0..12).map(create)).await;
    let mut made = Vec::new();
    for response in responses {
        let response = response.expect("a response");
        match response.status.as_u16() {
            201 => made.push(response.json()),
            409 => assert!(response.text.contains("There are 5 webhook endpoints already."), "{}", response.text),
            other => panic!("{other}: {}", response.text),
        }
    }
    assert_eq!((made.len(), world.endpoints_of(&world.gateway.api_key).await.len()), (5, 5));

    let path = format!("{PATH}/{}", id_of(&made[0]));
    let deletions = join_all((0..8).map(|_| world.ask("DELETE", &path).send())).await;
    let deleted = deletions.iter().filter(|response| response.as_ref().is_ok_and(|one| one.status == 204)).count();
    assert_eq!(deleted, 1);
    world.create_endpoint().await;
    let sixth = world.ask("POST", PATH).json(&json!({ "url": URL, "types": ["*"] })).expect(409).await.json();
    assert_eq!((&sixth["code"], &sixth["retryable"]), (&json!("CONFLICT"), &json!(false)));
}
