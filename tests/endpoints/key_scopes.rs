//! The scopes of API keys, on every route.

use crate::world::{World, campaign, id_of};
use serde_json::{Value, json};
use shared::domain::Scope;
use shared::routes::{Authentication, Endpoint, ROUTES, Route};
use std::collections::BTreeSet;

/// The scopes that a response names, of which the key has none.
fn lacking(response: &Value) -> Option<Vec<Scope>> {
    // The flat shape, or the enveloped one.
    let message = response["error"].as_str().or_else(|| response["error"]["message"].as_str())?;
    let rest = message.strip_prefix("This request needs the scope ")?;
    rest.split(',').next()?.split(" or ").map(Scope::parse).collect()
}

/// Sends a request without a body to a route.
async fn ask(world: &World, route: &Route, key: &Value) -> (u16, Value) {
    let path = route
        .path
        .replace("{platform}", "alpha_ads")
        .replace("{id}", "x")
        .replace("{external_ref}", "x")
        .replace("{request_id}", "x");
    let key = key["api_key"].as_str().expect("a key");
    let response = world.ask(route.method, &path).header("x-api-key", key).send().await.expect("a response");
    (response.status.as_u16(), serde_json::from_str(&response.text).unwrap_or_default())
}

fn scopes_of(route: &Route) -> &'static [Scope] {
    match route.authentication {
        Authentication::ApiKey(scopes) => scopes,
        Authentication::Public => &[],
    }
}

#[tokio::test]
async fn every_route_refuses_a_key_without_its_scope_and_names_it() {
    let world = World::start().await;
    let mut needed: Vec<&[Scope]> = ROUTES.iter().map(scopes_of).filter(|scopes| !scopes.is_empty()).collect();
    needed.sort();
    needed.dedup();
    for scopes in needed {
        let others = Scope::ALL.into_iter().filter(|other| !scopes.contains(other));
        let others: Vec<&str> = others.map(Scope::as_str).collect();
        let key = world.create_key("others", &others).await;
        // An agent gets the refusal as the answer of a tool (tests/agents/lists.rs).
        let is_for_programs = |route: &&Route| !matches!(route.endpoint, Endpoint::Mcp(_));
        for route in ROUTES.iter().filter(|route| scopes_of(route) == scopes).filter(is_for_programs) {
            let (status, response) = ask(&world, route, &key).await;
            assert_eq!(
                (status, lacking(&response)),
                (403, Some(scopes.to_vec())),
                "{} {}: {response}",
                route.method,
                route.path
            );
            let code = response.get("code").unwrap_or(&response["error"]["code"]);
            assert_eq!(code, "FORBIDDEN", "{} {}", route.method, route.path);
        }
        // A customer has at most five keys.
        world.ask("DELETE", &format!("/v1/api-keys/{}", id_of(&key))).expect(204).await;
    }
}

#[tokio::test]
async fn no_route_needs_a_second_scope() {
    let world = World::start().await;
    for scope in Scope::ALL {
        for route in ROUTES.iter().filter(|route| scopes_of(route).contains(&scope)) {
            // A new key for each route, because one of them rotates it.
            let key = world.create_key("one", &[scope.as_str()]).await;
            let (status, response) = ask(&world, route, &key).await;
            assert!(![401, 403].contains(&status), "{} {}: {status} {response}", route.method, route.path);
            world.ask("DELETE", &format!("/v1/api-keys/{}", id_of(&key))).expect(204).await;
        }
    }
}

#[tokio::test]
async fn a_key_with_the_scope_campaigns_reaches_only_campaigns() {
    let world = World::start().await;
    let key = world.create_key("campaigns", &["campaigns"]).await;
    let mut permitted = BTreeSet::new();
    for route in ROUTES.iter().filter(|route| !scopes_of(route).is_empty()) {
        let (status, response) = ask(&world, route, &key).await;
        assert_ne!(status, 401, "{} {}: {response}", route.method, route.path);
        if status != 403 {
            permitted.insert(format!("{} {}", route.method, route.path));
        }
    }
    let expected = [
        "DELETE /v1/campaigns/{id}",
        "GET /v1/campaigns",
        "GET /v1/campaigns/intents/{request_id}",
        "GET /v1/campaigns/status/{bulk_id}",
        "GET /v1/campaigns/{id}",
        "GET /v1/campaigns/{id}/delivery",
        "GET /v1/campaigns/{id}/insights",
        "GET /v1/changes",
        "GET /v1/changes/{id}",
        "GET /v1/connections",
        "GET /v1/connections/{id}",
        "GET /v1/insights",
        "GET /v1/limits",
        "PATCH /v1/campaigns/{id}",
        "POST /v1/campaigns",
        "POST /v1/campaigns/budgets",
        "POST /v1/campaigns/status",
        "POST /v1/changes/{id}/cancel",
        "POST /v1/changes/{id}/undo",
        "POST /v1/mcp",
    ];
    assert_eq!(permitted, expected.map(str::to_owned).into());
}

#[tokio::test]
async fn a_key_with_the_scope_campaigns_creates_reads_and_changes_one() {
    let world = World::connected("alpha_ads").await;
    let key = world.create_key("campaigns", &["campaigns"]).await;
    let key = key["api_key"].as_str().expect("a key");
    let ask = |method: &str, path: &str| world.ask(method, path).header("x-api-key", key);
    let made = ask("POST", "/v1/campaigns").json(&campaign("alpha_ads", "The tool's")).expect(201).await.json();
    let id = id_of(&made);
    let path = format!("/v1/campaigns/{id}");
    assert_eq!(ask("GET", &path).expect(200).await.json()["id"], json!(id));
    let renamed = ask("PATCH", &path).json(&json!({ "name": "Renamed" })).expect(200).await.json();
    assert_eq!(renamed["name"], "Renamed");
    let history = ask("GET", &format!("/v1/changes?campaign_id={id}")).expect(200).await.json();
    assert_eq!(history["changes"].as_array().map(Vec::len), Some(2), "{history}");
    ask("DELETE", &path).expect(204).await;
}

#[tokio::test]
async fn a_scope_error_lists_the_sufficient_scopes() {
    let world = World::start().await;
    let key = world.create_key("billing", &["billing"]).await;
    let key = key["api_key"].as_str().expect("a key");
    for (method, path, message) in [
        (
            "GET",
            "/v1/campaigns",
            "This request needs the scope read or campaigns, which the API key lacks. Use a key that has one of them.",
        ),
        (
            "POST",
            "/v1/campaigns",
            "This request needs the scope write or campaigns, which the API key lacks. Use a key that has one of them.",
        ),
        (
            "GET",
            "/v1/customer/me",
            "This request needs the scope read, which the API key lacks. Use a key that has it.",
        ),
    ] {
        let refused = world.ask(method, path).header("x-api-key", key).expect(403).await.json();
        assert_eq!(refused["error"], message, "{method} {path}");
    }
}

#[tokio::test]
async fn a_request_without_the_scope_counts_and_changes_nothing() {
    let world = World::start().await;
    let reader = world.create_key("reader", &["read"]).await;
    let key = reader["api_key"].as_str().expect("a key");
    let before = world.number(key, "used").await;
    let uri = json!({ "uri": "https://example.com/" });
    let refused = world.ask("POST", "/v1/redirect-uris").header("x-api-key", key).json(&uri).expect(403).await;
    assert!(!refused.header("ratelimit").is_empty());
    assert_eq!(world.logged(&refused).await["status_code"], 403);
    let listed = world.ask("GET", "/v1/redirect-uris").header("x-api-key", key).expect(200).await.json();
    assert_eq!(listed["data"], json!([]));
    assert!(world.number(key, "used").await >= before + 2);
}
