//! Keys that are bound to a user: all their requests act for it.

use super::{HEADER, Stage, ask, send};
use serde_json::{Value, json};

#[tokio::test(start_paused = true)]
async fn a_bound_key_acts_for_its_user_and_for_no_other() {
    let stage = Stage::new().await;
    let [own, other] = &stage.users;
    let bound = stage.bound(&json!(["read", "write"])).await;
    // First by a process that has never seen the key, then by one that has.
    for _ in 0..2 {
        let listed = ask(&stage.app, &bound, None, "GET", "/v1/connections", &Value::Null).await;
        assert_eq!(listed.body["connections"].as_array().map(Vec::len), Some(2), "{listed:?}");
        for name in other.names() {
            assert!(!listed.text.contains(name), "{name} in {listed:?}");
        }
        let named = ask(&stage.app, &bound, Some(own.name), "GET", "/v1/connections", &Value::Null).await;
        assert_eq!(named.body, listed.body);
        let refused = ask(&stage.app, &bound, Some(other.name), "GET", "/v1/connections", &Value::Null).await;
        let message = refused.body["error"].as_str().unwrap_or_default();
        assert!(refused.status == 403 && message.contains("acts for the user shop_a only"), "{refused:?}");
        let path = format!("/v1/campaigns/{}", other.campaign);
        assert_eq!(ask(&stage.app, &bound, None, "GET", &path, &Value::Null).await.status, 404);
    }
    let begun = ask(&stage.app, &bound, None, "GET", "/v1/connections/gamma_ads/authorize", &Value::Null).await;
    let pending = format!("/v1/connections/{}", begun.body["connection_id"].as_str().expect("an id"));
    let pending = stage.ask_for_all("GET", &pending, &Value::Null).await;
    assert_eq!(pending.body["external_ref"], "shop_a", "{pending:?}");
}

#[tokio::test(start_paused = true)]
async fn a_bound_key_stays_bound_when_it_is_rotated_and_makes_no_keys() {
    let stage = Stage::new().await;
    let bound = stage.bound(&json!(["read", "write"])).await;
    for (method, path) in [("POST", "/v1/api-keys"), ("GET", "/v1/api-keys"), ("GET", "/v1/customer/me")] {
        let refused = ask(&stage.app, &bound, None, method, path, &json!({"name": "Free", "scopes": ["read"]})).await;
        assert_eq!(refused.status, 403, "{method} {path}: {refused:?}");
    }
    let rotated = ask(&stage.app, &bound, None, "POST", "/v1/api-keys/rotate", &Value::Null).await;
    assert_eq!(rotated.status, 200, "{rotated:?}");
    let rotated = crate::spending::with_key(&stage.world, rotated.body["api_key"].as_str().expect("a key"));
    let path = format!("/v1/campaigns/{}", stage.users[1].campaign);
    assert_eq!(ask(&stage.app, &rotated, None, "GET", &path, &Value::Null).await.status, 404);
    let listed = stage.ask_for_all("GET", "/v1/api-keys", &Value::Null).await;
    let users: Vec<&Value> =
        listed.body["api_keys"].as_array().expect("a list").iter().map(|key| &key["external_ref"]).collect();
    assert_eq!(users.len(), 2, "{listed:?}");
    assert!(users.contains(&&json!("shop_a")) && users.contains(&&json!(null)), "{listed:?}");
    // It is no writer of keys, so the last one stays.
    let last = stage.ask_for_all("DELETE", "/v1/api-keys/key_default", &Value::Null).await;
    assert_eq!(last.status, 409, "{last:?}");
}

#[tokio::test(start_paused = true)]
async fn the_limit_of_a_bound_key_names_connections_of_its_user() {
    let stage = Stage::new().await;
    let [own, other] = &stage.users;
    let make = async |user: Value, connection: &str| {
        let limit = json!({"connections": [connection], "amounts": [{"currency": "USD", "daily": 100}]});
        let body = json!({"name": "Agent", "scopes": ["campaigns"], "external_ref": user, "spending_limit": limit});
        stage.ask_for_all("POST", "/v1/api-keys", &body).await
    };
    let refused = make(json!("shop_a"), &other.connections[0]).await;
    let field = &refused.body["details"][0]["field"];
    assert_eq!((refused.status, field), (400, &json!("spending_limit.connections")), "{refused:?}");
    let invalid = make(json!("shop a"), &own.connections[0]).await;
    assert_eq!((invalid.status, &invalid.body["details"][0]["field"]), (400, &json!("external_ref")), "{invalid:?}");

    // The limit and the user together: of the user's two connections it sees the one in the limit.
    let made = make(json!("shop_a"), &own.connections[0]).await;
    let bound = crate::spending::with_key(&stage.world, made.body["api_key"].as_str().expect("a key"));
    let listed = ask(&stage.app, &bound, None, "GET", "/v1/connections", &Value::Null).await;
    let ids: Vec<&Value> =
        listed.body["connections"].as_array().expect("a list").iter().map(|one| &one["id"]).collect();
    assert_eq!(ids, [&json!(own.connections[0])], "{listed:?}");
}

#[tokio::test(start_paused = true)]
async fn an_agent_with_a_bound_key_or_the_header_has_the_accounts_of_the_user() {
    let stage = Stage::new().await;
    let [own, other] = &stage.users;
    let bound = stage.bound(&json!(["read", "write"])).await;
    let call = |name: &str, arguments: Value| {
        json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call",
        "params": {"name": name, "arguments": arguments}})
    };
    for (world, headers) in [(&bound, &[][..]), (&stage.world, &[(HEADER, own.name)])] {
        let tell = async |body: Value| send(&stage.app, world, headers, "POST", "/v1/mcp", &body).await;
        let accounts = tell(call("list_accounts", json!({}))).await;
        let listed = &accounts.body["result"]["structuredContent"]["accounts"];
        assert_eq!(listed.as_array().map(Vec::len), Some(2), "{accounts:?}");
        for (tool, arguments) in [
            ("get_campaign", json!({"campaign_id": other.campaign})),
            ("pause_campaign", json!({"campaign_id": other.campaign})),
            ("list_campaigns", json!({"connection_id": other.connections[0]})),
            ("get_change", json!({"change_id": other.change})),
            ("preview_change", json!({"kind": "delete", "arguments": {"campaign_id": other.campaign}})),
        ] {
            let refused = tell(call(tool, arguments.clone())).await;
            assert_eq!(refused.body["result"]["isError"], true, "{tool} {arguments}: {refused:?}");
            let sent = arguments.to_string();
            for name in other.names().into_iter().filter(|name| !sent.contains(name)) {
                assert!(!refused.text.contains(name), "{tool}: {name} in {refused:?}");
            }
        }
    }
    // Before its first call, too.
    let list = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}});
    let refused = send(&stage.app, &bound, &[(HEADER, other.name)], "POST", "/v1/mcp", &list).await;
    assert_eq!(refused.status, 403, "{refused:?}");
}
