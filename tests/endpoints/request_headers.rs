//! Headers that ask for a behavior: `Idempotency-Key` and the conditions of RFC 9110 are honored or refused, never
//! ignored.

use crate::world::{TestResponse, World, campaign, id_of};
use serde_json::{Value, json};
use shared::routes::{Authentication, Endpoint, ROUTES, Route};

const CONDITIONS: [&str; 3] = ["If-Match", "If-None-Match", "If-Unmodified-Since"];
/// The operations that take a key.
const KEYED: [(&str, &str); 8] = [
    ("POST", "/v1/campaigns"),
    ("POST", "/v1/campaigns/status"),
    ("POST", "/v1/campaigns/budgets"),
    ("POST", "/v1/changes/{id}/undo"),
    ("PATCH", "/v1/campaigns/{id}"),
    ("DELETE", "/v1/campaigns/{id}"),
    ("POST", "/v1/billing/create-checkout-session"),
    ("POST", "/v1/billing/portal"),
];

fn names(response: &TestResponse, header: &str) -> bool {
    let body = response.json();
    let message = body["error"]["message"].as_str().unwrap_or_default();
    response.fields() == [header] || message.starts_with(&format!("{header} "))
}

/// Endpoints with a key that answer programs. An agent gets its refusals in the form of its protocol.
fn is_for_programs(route: &&Route) -> bool {
    route.authentication != Authentication::Public && !matches!(route.endpoint, Endpoint::Mcp(_))
}

#[tokio::test]
async fn a_key_is_refused_where_it_has_no_effect() {
    let world = World::start().await;
    for route in ROUTES.iter().filter(is_for_programs) {
        if KEYED.contains(&(route.method, route.path)) {
            continue;
        }
        let path = route
            .path
            .replace("{platform}", "beta_ads")
            .replace("{id}", "x")
            .replace("{external_ref}", "x")
            .replace("{request_id}", "x")
            .replace("{bulk_id}", "x");
        let response = world.ask(route.method, &path).header("idempotency-key", "k").expect(400).await;
        assert!(names(&response, "Idempotency-Key"), "{} {}: {response:?}", route.method, route.path);
    }
}

#[tokio::test]
async fn conditional_request_headers_are_refused() {
    let world = World::start().await;
    for route in ROUTES.iter().filter(is_for_programs) {
        let path = route
            .path
            .replace("{platform}", "beta_ads")
            .replace("{id}", "x")
            .replace("{external_ref}", "x")
            .replace("{request_id}", "x");
        for header in CONDITIONS {
            let response = world.ask(route.method, &path).header(header, "\"1\"").send().await.expect("a response");
            // Nothing has an entity tag, so none matches, and a read goes on (RFC 9110, 13.1.2).
            let is_met = header == "If-None-Match" && route.method == "GET";
            let is_refused = response.status == 400 && names(&response, header);
            assert_eq!(is_refused, !is_met, "{} {} {header}: {response:?}", route.method, route.path);
        }
    }
    world.ask("GET", "/v1/customer/me").header("if-none-match", "\"1\"").expect(200).await;
}

#[tokio::test]
async fn a_change_with_an_idempotency_key_takes_effect_once() {
    let world = World::connected("beta_ads").await;
    let path = format!("/v1/campaigns/{}", id_of(&world.create("beta_ads", "Before").await));
    let change = |name: &str| world.ask("PATCH", &path).header("idempotency-key", "k").json(&json!({"name": name}));
    let first = change("After").expect(200).await;
    world.ask("PATCH", &path).json(&json!({"name": "Later"})).expect(200).await;
    let again = change("After").expect(200).await;
    assert_eq!((again.text, again.headers.contains_key("idempotent-replayed")), (first.text, true));
    assert_eq!(world.ask("GET", &path).expect(200).await.json()["name"], "Later", "a replay changes nothing");
    let other = change("Other").expect(422).await;
    assert_eq!(other.json()["code"], "CONFLICT");
    let sibling = format!("/v1/campaigns/{}", id_of(&world.create("beta_ads", "Sibling").await));
    world.ask("PATCH", &sibling).header("idempotency-key", "k").json(&json!({"name": "After"})).expect(422).await;
    world
        .ask("POST", "/v1/campaigns")
        .header("idempotency-key", "k")
        .json(&campaign("beta_ads", "n"))
        .expect(422)
        .await;
}

#[tokio::test]
async fn a_repeated_removal_with_an_idempotency_key_is_204() {
    let world = World::connected("beta_ads").await;
    let path = format!("/v1/campaigns/{}", id_of(&world.create("beta_ads", "Gone").await));
    let remove = |key: &str| world.ask("DELETE", &path).header("idempotency-key", key);
    remove("k").expect(204).await;
    let again = remove("k").expect(204).await;
    assert_eq!((again.text.as_str(), again.header("idempotent-replayed")), ("", "true"));
    remove("another").expect(404).await;
    remove("another").expect(404).await;
}

#[tokio::test]
async fn a_failed_change_with_an_idempotency_key_is_tried_again() {
    let world = World::connected("beta_ads").await;
    let path = format!("/v1/campaigns/{}", id_of(&world.create("beta_ads", "Before").await));
    let change = || world.ask("PATCH", &path).header("idempotency-key", "k").json(&json!({"name": "After"}));
    world.fault("beta_ads", "update", "throttle", 1).await;
    change().expect(429).await;
    world.let_pauses_end().await;
    let made = change().expect(200).await;
    assert_eq!((&made.json()["name"], made.header("idempotent-replayed")), (&json!("After"), ""));
    assert_eq!(change().expect(200).await.header("idempotent-replayed"), "true");
}

#[tokio::test]
async fn a_flat_list_filters_by_ad_account() {
    let world = World::start().await;
    let ids = world.sandbox_accounts("beta_ads").await;
    world.connect("beta_ads", &[&ids[0], &ids[1]]).await;
    for (number, connection) in world.connections().await.iter().enumerate() {
        let mut body = campaign("beta_ads", &format!("n{number}"));
        body["connection_id"] = connection["id"].clone();
        world.ask("POST", "/v1/campaigns").json(&body).expect(201).await;
    }
    let account = ids[1].trim_start_matches("act_");
    for path in ["/v1/campaigns", "/v1/insights"] {
        let query = format!("{path}?organization_id={account}");
        let listed = |shape: &'static str| world.ask("GET", &query).header("x-api-shape", shape);
        let (flat, enveloped) = (listed("flat").expect(200).await, listed("enveloped").expect(200).await);
        assert_eq!(flat.header("x-api-shape"), "flat");
        let count = |response: &TestResponse| {
            let body = response.json();
            let rows = [&body["unified"], &body["accounts"], &body["data"]["accounts"]];
            rows.into_iter().find_map(Value::as_array).map(Vec::len)
        };
        assert_eq!((count(&flat), count(&enveloped)), (Some(1), Some(1)), "{flat:?}");
        let empty = world.ask("GET", &format!("{path}?organization_id=")).header("x-api-shape", "flat");
        assert_eq!(empty.expect(400).await.fields(), ["organization_id"]);
    }
    let page = world.ask("GET", &format!("/v1/campaigns?organization_id={account}")).header("x-api-shape", "flat");
    let page: Value = page.expect(200).await.json();
    assert_eq!(page["unified"][0]["platform"], "beta_ads", "{page}");
}

#[tokio::test]
async fn a_key_is_taken_as_bearer_too() {
    let world = World::start().await;
    let own = format!("Bearer {}", world.gateway.api_key);
    let ask = |bearer: &str| world.ask("GET", "/v1/connections").header("authorization", bearer);
    ask(&own).without("x-api-key").expect(200).await;
    ask(&own).expect(200).await;
    ask("Bearer of-a-proxy").expect(200).await;
    ask("Basic abc").expect(200).await;
    for (header, reason) in [("Bearer eyJh.e30.", "KEY_MALFORMED"), ("Basic abc", "KEY_MISSING")] {
        let refused = ask(header).without("x-api-key").expect(401).await;
        assert_eq!(
            (refused.json()["reason"].as_str(), &refused.headers["www-authenticate"]),
            (Some(reason), &"Bearer".parse().expect("a value"))
        );
    }
}

#[tokio::test]
async fn two_different_keys_are_refused() {
    let world = World::start().await;
    let made =
        world.ask("POST", "/v1/api-keys").json(&json!({"name": "Other", "scopes": ["read"]})).expect(201).await.json();
    let other = format!("Bearer {}", made["api_key"].as_str().expect("a key"));
    let refused = world.ask("GET", "/v1/connections").header("authorization", &other).expect(401).await;
    assert_eq!(refused.json()["reason"], "KEY_MALFORMED");
    assert!(refused.text.contains("Two different API keys"), "{}", refused.text);
}
