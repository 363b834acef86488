//! The scopes of API keys, on every route.

use crate::world::World;
use serde_json::{Value, json};
use shared::domain::Scope;
use shared::routes::{Authentication, ROUTES, Route};

/// The scopes that a response names, of which the key has none.
fn lacking(response: &Value) -> Option<Vec<Scope>> {
    // The flat shape, or the enveloped one.
    let message = response["error"].as_str().or_else(|| response["error"]["message"].as_str())?;
    let rest = message.strip_prefix("This request needs the scope ")?;
    rest.split(',').next()?.split(" or ").map(Scope::parse).collect()
}

/// Sends a request without a body to a route.
async fn ask(world: &World, route: &Route, key: &Value) -> (u16, Value) {
    let path = route.path.replace("{platform}", "alpha_ads").replace("{id}", "x").replace("{request_id}", "x");
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
        for route in ROUTES.iter().filter(|route| scopes_of(route) == scopes) {
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
        let path = format!("/v1/api-keys/{}", key["id"].as_str().expect("an id"));
        world.ask("DELETE", &path).expect(204).await;
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
            let path = format!("/v1/api-keys/{}", key["id"].as_str().expect("an id"));
            world.ask("DELETE", &path).expect(204).await;
        }
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
