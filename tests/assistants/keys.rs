//! The key of an assistant: it has no secret, and only its person says what it may do.

use super::Stage;
use crate::in_process::{json_of, respond};
use crate::spending::running_of;
use lambda_http::Body;
use rust_decimal::Decimal;
use serde_json::{Value, json};
use shared::serve::PostResponseWork;
use tokio::time::{Duration, sleep};

#[tokio::test(start_paused = true)]
async fn no_program_gives_the_key_of_an_assistant_more_than_its_person_did() {
    let stage = Stage::new().await;
    let (key, tokens) = stage.connected().await;
    let path = format!("/v1/api-keys/{key}");
    for change in [
        json!({"spending_limit": null}),
        json!({"scopes": ["read", "write"]}),
        json!({"scopes": ["campaigns"]}),
        json!({"scopes": ["read"]}),
    ] {
        let (status, answer) = stage.owner("PATCH", &path, &change).await;
        assert_eq!((status, &answer["code"]), (409, &json!("CONFLICT")), "{change}: {answer}");
    }
    assert_eq!(stage.owner("PATCH", &path, &json!({"name": "Other"})).await.0, 200);
    let listed = stage.owner("GET", "/v1/api-keys", &Value::Null).await.1;
    let listed = listed["api_keys"].as_array().expect("a list").iter().find(|one| one["id"] == json!(key.0));
    let listed = listed.expect("the key");
    assert_eq!((&listed["name"], &listed["scopes"]), (&json!("Other"), &json!(["campaigns"])), "{listed}");
    assert_eq!(stage.mcp(&tokens.access).await, 200, "a name ends nothing");
}

#[tokio::test(start_paused = true)]
async fn no_text_is_the_api_key_of_an_assistant() {
    let stage = Stage::new().await;
    let (key, tokens) = stage.connected().await;
    let account = stage.app.store.account(stage.customer(), stage.app.clock.now()).await;
    let keys = account.expect("a store").expect("an account").keys;
    let mark = &keys.all().iter().find(|known| known.id == key).expect("the key").hash;
    for text in [mark.as_str(), &tokens.access, &tokens.refresh, &key.0] {
        let request = http::Request::get("/v1/connections").header("x-api-key", text);
        let request = request.body(Body::Empty).expect("a request");
        assert_eq!(respond(&stage.app, request).await.status(), 401);
    }
}

impl Stage {
    /// Calls a tool with an access token; returns whether it is refused, and what it says.
    pub(super) async fn tool(&self, access: &str, name: &str, arguments: &Value) -> (bool, Value) {
        sleep(Duration::from_millis(500)).await;
        let call = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call",
            "params": {"name": name, "arguments": arguments}});
        let request = http::Request::post("/v1/mcp").header("content-type", "application/json");
        let request = request.header("authorization", format!("Bearer {access}")).body(Body::from(call.to_string()));
        let mut response = respond(&self.app, request.expect("a request")).await;
        if let Some(rest) = PostResponseWork::take_from(&mut response) {
            rest.run().await;
        }
        let result = json_of(response.body())["result"].clone();
        (result["isError"] == json!(true), result["structuredContent"].clone())
    }

    /// Previews a change, and makes it.
    pub(super) async fn change(&self, access: &str, kind: &str, mut arguments: Value) -> (bool, Value) {
        let preview = json!({"kind": kind, "arguments": arguments});
        let (is_refused, shown) = self.tool(access, "preview_change", &preview).await;
        if is_refused {
            return (true, shown);
        }
        arguments["confirm_token"] = shown["confirm_token"].clone();
        self.tool(access, &format!("{kind}_campaign"), &arguments).await
    }

    /// Creates two campaigns of 300 US dollars a day, and starts both; returns how many of them run.
    async fn spend(&self, access: &str) -> usize {
        let accounts = self.tool(access, "list_accounts", &json!({})).await.1;
        let connection = accounts["accounts"][0]["id"].clone();
        assert!(connection.is_string(), "{accounts}");
        let mut running = 0;
        for name in ["One", "Two"] {
            let create = json!({"connection_id": connection, "name": format!("{name} {:.4}", &access[60..]),
                "goal": "TRAFFIC", "budget_amount": 300, "currency": "USD", "budget_period": "DAILY"});
            let (is_refused, created) = self.change(access, "create", create).await;
            assert!(!is_refused, "{created}");
            let start = json!({"campaign_id": created["campaign"]["id"], "status": "ACTIVE"});
            running += usize::from(!self.change(access, "update", start).await.0);
        }
        running
    }
}

#[tokio::test(start_paused = true)]
async fn two_assistants_at_once_spend_within_the_limit_of_each() {
    let stage = Stage::new().await;
    let (_, one) = stage.connected().await;
    let (_, two) = stage.connected().await;
    let running = tokio::join!(stage.spend(&one.access), stage.spend(&two.access));
    assert_eq!(running, (1, 1), "each has 500 a day");
    let books = stage.world.control("GET", "campaigns", &Value::Null).await;
    assert_eq!(running_of(books["campaigns"].as_array().expect("a list")), Decimal::from(600));
}
