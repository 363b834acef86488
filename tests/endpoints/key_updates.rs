//! `PATCH /v1/api-keys/{id}`: the name and the scopes of a key.

use crate::world::{TestResponse, World, id_of};
use futures_util::future::join_all;
use serde_json::{Value, json};

const KEYS: &str = "/v1/api-keys";

impl World {
    /// Changes a key with the demo customer's first key.
    async fn update_key(&self, id: &str, body: Value, status: u16) -> TestResponse {
        self.ask("PATCH", &format!("{KEYS}/{id}")).json(&body).expect(status).await
    }

    /// Changes a key with another one.
    async fn update_key_with(&self, key: &Value, id: &str, body: Value, status: u16) -> Value {
        let key = key["api_key"].as_str().expect("a key");
        self.ask("PATCH", &format!("{KEYS}/{id}")).header("x-api-key", key).json(&body).expect(status).await.json()
    }
}

#[tokio::test]
async fn a_changed_key_is_as_in_the_list_and_keeps_its_secret() {
    let world = World::start().await;
    let made = world.create_key("Report", &["read"]).await;
    let id = id_of(&made);
    let renamed = world.update_key(&id, json!({ "name": "Weekly report" }), 200).await.json();
    assert_eq!((&renamed["name"], &renamed["scopes"]), (&json!("Weekly report"), &json!(["read"])));
    assert_eq!(renamed, world.keys().await[0]);
    assert_eq!(renamed["current"], false);
    let changed = world.update_key(&id, json!({ "scopes": ["campaigns", "billing"] }), 200).await.json();
    assert_eq!((&changed["name"], &changed["scopes"]), (&json!("Weekly report"), &json!(["billing", "campaigns"])));
    assert_eq!(changed, world.keys().await[0]);
    for field in ["id", "prefix", "created_at", "expires_at"] {
        assert_eq!(changed[field], made[field], "{field}");
    }
    let both = json!({ "name": "Report", "scopes": ["read"] });
    let first = world.update_key(&id, both.clone(), 200).await.json();
    assert_eq!(world.update_key(&id, both, 200).await.json(), first, "a repeated change");
    assert_eq!(world.status_with(&made, "GET", KEYS).await, 200);
    let own = world.update_key("key_default", json!({ "name": "Ours" }), 200).await.json();
    assert_eq!((&own["name"], &own["current"]), (&json!("Ours"), &json!(true)));
}

#[tokio::test]
async fn changed_scopes_hold_from_the_next_request_on_in_every_process() {
    let world = World::start().await;
    let made = world.create_key("Tool", &["read"]).await;
    let key = made["api_key"].as_str().expect("a key");
    let another = world.another(|_| ()).await;
    for (scopes, statuses) in [
        (json!(["read"]), [200, 200, 200]),
        (json!(["campaigns"]), [200, 200, 403]),
        (json!(["billing"]), [403, 403, 403]),
        (json!(["write", "read"]), [200, 200, 200]),
    ] {
        world.update_key(&id_of(&made), json!({ "scopes": scopes }), 200).await;
        // Each process has the key, with the scopes before.
        for app in [&world.gateway.app, &another] {
            assert_eq!(world.statuses_in(app, key).await, statuses, "{scopes}");
        }
    }
    assert_eq!(world.status_with(&made, "POST", "/v1/billing/portal").await, 403);
}

#[tokio::test]
async fn an_invalid_change_names_its_fields_and_changes_nothing() {
    let world = World::start().await;
    let id = id_of(&world.create_key("a", &["read"]).await);
    let before = world.keys().await;
    for (body, field) in [
        (json!({}), "body"),
        (json!({ "name": "" }), "name"),
        (json!({ "name": "a\nb" }), "name"),
        (json!({ "name": "ä".repeat(101) }), "name"),
        (json!({ "name": null }), "name"),
        (json!({ "scopes": [] }), "scopes"),
        (json!({ "scopes": null }), "scopes"),
        (json!({ "scopes": ["read", "read"] }), "scopes"),
        (json!({ "scopes": ["admin"] }), "scopes"),
        (json!({ "name": "b", "expires_at": "2099-01-01T00:00:00Z" }), "expires_at"),
        (json!({ "name": "b", "id": "key_mine" }), "id"),
    ] {
        assert_eq!(world.update_key(&id, body.clone(), 400).await.fields(), [field], "{body}");
    }
    let path = format!("{KEYS}/{id}");
    world.ask("PATCH", &path).expect(400).await;
    world.ask("PATCH", &format!("{path}?name=b")).json(&json!({ "name": "b" })).expect(400).await;
    let keyed = world.ask("PATCH", &path).header("idempotency-key", "k").json(&json!({ "name": "b" }));
    keyed.expect(400).await;
    assert_eq!(world.keys().await, before);
}

#[tokio::test]
async fn an_unknown_key_and_that_of_another_customer_are_the_same_404() {
    let world = World::start().await;
    let made = world.create_key("a", &["read"]).await;
    let stranger = json!({ "api_key": world.another_customer().await });
    let body = json!({ "name": "stolen", "scopes": ["write"] });
    let theirs = world.update_key_with(&stranger, &id_of(&made), body.clone(), 404).await;
    let nobodys = world.update_key_with(&stranger, "key_000000000000", body.clone(), 404).await;
    assert_eq!((&theirs["code"], &theirs["error"]), (&json!("NOT_FOUND"), &nobodys["error"]));
    for unknown in ["default", "key_", "%2e"] {
        world.update_key(unknown, body.clone(), 404).await;
    }
    world.ask("PATCH", &format!("{KEYS}/rotate")).json(&body).expect(405).await;
    assert_eq!(world.keys().await[0]["name"], "a");
    world.ask("DELETE", &format!("{KEYS}/{}", id_of(&made))).expect(204).await;
    world.update_key(&id_of(&made), body, 404).await;
}

#[tokio::test]
async fn a_key_cannot_grant_a_scope_that_it_lacks() {
    let world = World::start().await;
    let writer = world.create_key("writer", &["write"]).await;
    let reader = id_of(&world.create_key("reader", &["read"]).await);
    for (scopes, lacking) in
        [(json!(["read"]), "read"), (json!(["write", "billing"]), "billing"), (json!(["campaigns"]), "campaigns")]
    {
        let body = json!({ "scopes": scopes });
        for id in [&reader, &id_of(&writer)] {
            let refused = world.update_key_with(&writer, id, body.clone(), 403).await;
            let message = format!("This API key lacks the scope {lacking}, so it cannot give it to a key.");
            assert_eq!((&refused["code"], &refused["error"]), (&json!("FORBIDDEN"), &json!(message)));
        }
    }
    // A name gives nothing, and a scope may be taken.
    world.update_key_with(&writer, "key_default", json!({ "name": "first" }), 200).await;
    world.update_key_with(&writer, &reader, json!({ "scopes": ["write"] }), 200).await;
    let manager = world.create_key("manager", &["read", "write"]).await;
    let given = world.update_key_with(&manager, &reader, json!({ "scopes": ["campaigns"] }), 200).await;
    assert_eq!(given["scopes"], json!(["campaigns"]));
}

#[tokio::test]
async fn only_a_key_with_write_changes_keys() {
    let world = World::start().await;
    let key = world.create_key("no writer", &["read", "billing", "campaigns"]).await;
    let refused = world.update_key_with(&key, &id_of(&key), json!({ "scopes": ["read"] }), 403).await;
    assert_eq!(refused["error"], "This request needs the scope write, which the API key lacks. Use a key that has it.");
}

#[tokio::test]
async fn the_last_valid_key_with_write_keeps_it() {
    let world = World::start().await;
    world.create_key("reader", &["read", "billing"]).await;
    let refused = world.update_key("key_default", json!({ "scopes": ["read"] }), 409).await.json();
    assert_eq!(refused["code"], "CONFLICT");
    world.update_key("key_default", json!({ "scopes": ["write", "read"], "name": "Ours" }), 200).await;
    let writer = world.create_key("writer", &["write"]).await;
    world.update_key("key_default", json!({ "scopes": ["read"] }), 200).await;
    world.update_key_with(&writer, &id_of(&writer), json!({ "scopes": ["write"], "name": "Last" }), 200).await;
    world.update_key("key_default", json!({ "name": "Reader" }), 403).await;
}

#[tokio::test]
async fn of_two_keys_that_drop_write_concurrently_one_keeps_it() {
    let world = World::start().await;
    let others = join_all(["a", "b"].map(|name| world.create_key(name, &["read", "write"]))).await;
    world.update_key("key_default", json!({ "scopes": ["read", "billing"] }), 200).await;
    let path = |key: &Value| format!("{KEYS}/{}", id_of(key));
    let give_up = others.iter().map(|key| {
        let secret = key["api_key"].as_str().expect("a key");
        world.ask("PATCH", &path(key)).header("x-api-key", secret).json(&json!({ "scopes": ["read"] })).send()
    });
    let responses = join_all(give_up).await;
    let mut statuses: Vec<u16> =
        responses.into_iter().map(|response| response.expect("a response").status.as_u16()).collect();
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 409]);
}

#[tokio::test]
async fn concurrent_changes_of_keys_are_all_kept() {
    let world = World::start().await;
    let made = join_all(["a", "b", "c", "d"].map(|name| world.create_key(name, &["read"]))).await;
    let ids: Vec<String> = made.iter().map(id_of).collect();
    join_all(ids.iter().map(|id| world.update_key(id, json!({ "name": format!("of {id}") }), 200))).await;
    let (name, scopes) = tokio::join!(
        world.update_key(&ids[0], json!({ "name": "both" }), 200),
        world.update_key(&ids[0], json!({ "scopes": ["campaigns"] }), 200)
    );
    assert_eq!((&name.json()["name"], &scopes.json()["scopes"]), (&json!("both"), &json!(["campaigns"])));
    for key in world.keys().await.iter().filter(|key| key["id"] != "key_default") {
        let expected = if key["id"] == ids[0] { "both".to_owned() } else { format!("of {}", id_of(key)) };
        assert_eq!(key["name"], expected, "{key}");
        assert_eq!(key["scopes"] == json!(["campaigns"]), key["id"] == ids[0], "{key}");
    }
}
