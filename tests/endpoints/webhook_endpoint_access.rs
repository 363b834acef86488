//! Who reaches webhook endpoints, and which shapes they accept.

use super::shapes::redacted;
use super::webhook_endpoints::{PATH, URL, without_secret};
use crate::world::{World, id_of};
use serde_json::{Value, json};
use shared::domain::Plan;

#[tokio::test]
async fn another_customers_endpoint_is_the_same_404_as_an_unknown_one() {
    let world = World::start().await;
    let other = world.customer_on(Plan::Enterprise).await;
    let made = world.create_endpoint().await;
    let changes = json!({ "status": "disabled" });
    let replay = json!({ "event_id": "evt_00000000000000000000000000000000" });
    for (method, end) in [
        ("GET", ""),
        ("PATCH", ""),
        ("DELETE", ""),
        ("POST", "/rotate-secret"),
        ("POST", "/test"),
        ("GET", "/deliveries"),
        ("POST", "/replay"),
    ] {
        let mut responses = Vec::new();
        for id in [&id_of(&made), "we_0123456789abcdef0123456789abcdef", "we_x", "conn_1"] {
            let ask = world.ask(method, &format!("{PATH}/{id}{end}")).header("x-api-key", &other);
            let ask = match (method, end) {
                ("PATCH", _) => ask.json(&changes),
                (_, "/replay") => ask.json(&replay),
                _ => ask,
            };
            responses.push(redacted(&ask.expect(404).await));
        }
        assert!(responses.iter().all(|response| *response == responses[0]), "{method}: {responses:?}");
    }
    assert_eq!(world.endpoints_of(&other).await, Vec::<Value>::new());
    assert_eq!(world.endpoints_of(&world.gateway.api_key).await, [without_secret(&made)]);
    for _ in 0..5 {
        let ask = world.ask("POST", PATH).header("x-api-key", &other);
        ask.json(&json!({ "url": URL, "types": ["*"] })).expect(201).await;
    }
}

#[tokio::test]
async fn reading_needs_the_scope_read_and_changing_write() {
    let world = World::start().await;
    let id = id_of(&world.create_endpoint().await);
    let one = format!("{PATH}/{id}");
    let rotate = format!("{one}/rotate-secret");
    let create = json!({ "url": URL, "types": ["*"] });
    for (scopes, reads, changes) in [
        (&["read"][..], true, false),
        (&["write"], false, true),
        (&["campaigns"], false, false),
        (&["billing", "campaigns"], false, false),
    ] {
        let key = world.create_key("Scoped", scopes).await;
        let secret = key["api_key"].as_str().expect("a key");
        let ask = |method: &str, path: &str| world.ask(method, path).header("x-api-key", secret);
        let status = |is_allowed: bool, success: u16| if is_allowed { success } else { 403 };
        ask("GET", PATH).expect(status(reads, 200)).await;
        ask("GET", &one).expect(status(reads, 200)).await;
        ask("GET", "/v1/events").expect(status(reads, 200)).await;
        ask("GET", &format!("{one}/deliveries")).expect(status(reads, 200)).await;
        let replay = ask("POST", &format!("{one}/replay")).json(&json!({ "since": "2031-07-01T09:00:00Z" }));
        replay.expect(status(changes, 202)).await;
        ask("PATCH", &one).json(&json!({ "types": ["*"] })).expect(status(changes, 200)).await;
        ask("POST", &rotate).expect(status(changes, 200)).await;
        let made = ask("POST", PATH).json(&create).expect(status(changes, 201)).await.json();
        let path = if changes { format!("{PATH}/{}", id_of(&made)) } else { one.clone() };
        ask("DELETE", &path).expect(status(changes, 204)).await;
        world.ask("DELETE", &format!("/v1/api-keys/{}", id_of(&key))).expect(204).await;
    }
}

#[tokio::test]
async fn endpoints_are_flat_for_any_shape_header() {
    let world = World::start().await;
    let made = world.create_endpoint().await;
    for shape in ["flat", "enveloped", "round"] {
        let listed = world.ask("GET", PATH).header("x-api-shape", shape).expect(200).await;
        let expected = json!({ "webhook_endpoints": [without_secret(&made)] });
        assert_eq!((listed.json(), listed.header("x-api-shape")), (expected, ""));
        let refused = world.ask("POST", PATH).header("x-api-shape", shape).json(&json!({})).expect(400).await;
        assert_eq!(refused.fields(), ["url", "types"]);
    }
    assert_eq!(world.ask("PUT", PATH).expect(405).await.header("allow"), "POST, GET, HEAD");
    let one = world.ask("PUT", &format!("{PATH}/{}", id_of(&made))).expect(405).await;
    assert_eq!(one.header("allow"), "GET, HEAD, PATCH, DELETE");
    let keyed = world.ask("POST", PATH).header("idempotency-key", "a").json(&json!({ "url": URL, "types": ["*"] }));
    assert_eq!(keyed.expect(400).await.fields(), ["Idempotency-Key"], "a replay would need the secret");
}
