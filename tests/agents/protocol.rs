//! The protocol through HTTP: keys, foreign origins, methods, rate and quota.

use super::Agent;
use crate::in_process;
use crate::world::World;
use serde_json::{Value, json};
use shared::domain::Plan;
use std::sync::Arc;

const PATH: &str = "/v1/mcp";

fn message(method: &str, params: &Value) -> Value {
    json!({"jsonrpc": "2.0", "id": "a", "method": method, "params": params})
}

#[tokio::test]
async fn older_protocol_versions_begin_with_a_handshake() {
    let world = World::start().await;
    for (asked, told) in [("2025-11-25", "2025-11-25"), ("2025-06-18", "2025-06-18"), ("2024-11-05", "2025-11-25")] {
        let begin = message("initialize", &json!({"protocolVersion": asked, "capabilities": {}, "clientInfo": {}}));
        let answered = world.ask("POST", PATH).json(&begin).expect(200).await;
        let result = &answered.json()["result"];
        assert_eq!(result["protocolVersion"], told, "{asked}");
        assert_eq!(result["capabilities"], json!({"tools": {}}));
        assert!(result["instructions"].as_str().expect("words").contains("never cents"));
        assert!(answered.headers.get("mcp-session-id").is_none(), "no session");
    }
    let begun = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
    let accepted = world.ask("POST", PATH).json(&begun).expect(202).await;
    assert_eq!(accepted.text, "");
    let pong = world.ask("POST", PATH).json(&message("ping", &json!({}))).expect(200).await;
    assert_eq!(pong.json(), json!({"jsonrpc": "2.0", "id": "a", "result": {}}));
    let unknown = world.ask("POST", PATH).json(&message("resources/list", &json!({}))).expect(200).await;
    assert_eq!(unknown.json()["error"]["code"], -32601, "their libraries read no other status");
}

#[tokio::test]
async fn only_tool_calls_count_against_the_quota() {
    let world = World::connected("alpha_ads").await;
    let used = async || {
        let status = world.ask("GET", "/v1/billing/status").expect(200).await.json();
        status["usage"]["requests_used"].as_i64().unwrap_or_else(|| panic!("{status}"))
    };
    let before = used().await;
    for method in ["initialize", "ping", "tools/list"] {
        let answered = world.ask("POST", PATH).json(&message(method, &json!({}))).expect(200).await;
        assert!(answered.headers.get("ratelimit").is_some(), "{method} takes of the rate");
    }
    assert_eq!(used().await, before);
    let call = message("tools/call", &json!({"name": "list_accounts", "arguments": {}}));
    let answered = world.ask("POST", PATH).json(&call).expect(200).await;
    assert!(answered.headers.get("ratelimit").is_some());
    assert_eq!(used().await, before + 1, "the request of the tool counts no more");
}

#[tokio::test(start_paused = true)]
async fn listing_tools_counts_against_the_rate() {
    let world = in_process::World::new(in_process::clock(1), Plan::Starter).await;
    let app = Arc::new(world.straight());
    let agent = Agent { app: &app, world: &world };
    let mut answered = 0;
    for _ in 0..30 {
        let (status, body) = agent.request("tools/list", &json!({})).await;
        assert!(status == 200 || (status == 429 && body["code"] == "RATE_LIMITED"), "{status} {body}");
        answered += u32::from(status == 200);
    }
    assert_eq!(answered, Plan::Starter.limits().burst);
}

#[tokio::test]
async fn a_key_is_accepted_in_either_header() {
    let world = World::start().await;
    let bearer = format!("Bearer {}", world.gateway.api_key);
    let list = message("tools/list", &json!({}));
    let by_bearer = world.ask("POST", PATH).without("x-api-key").header("authorization", &bearer);
    by_bearer.json(&list).expect(200).await;
    for (name, value) in [("authorization", "Bearer uac_test_x"), ("authorization", "Basic abc"), ("cookie", "a=b")] {
        for body in [&list, &message("tools/call", &json!({"name": "get_limits"})), &json!({})] {
            let refused = world.ask("POST", PATH).without("x-api-key").header(name, value).json(body).expect(401).await;
            assert_eq!(refused.json()["code"], "UNAUTHORIZED", "{name} {body}");
            assert!(refused.header("www-authenticate").starts_with("Bearer"), "{name} {body}");
        }
    }
    world.ask("POST", PATH).header("authorization", &bearer).json(&list).expect(200).await;
    // Two keys could be of two customers.
    let other = world.ask("POST", PATH).header("authorization", "Bearer uac_test_other").json(&list).expect(401).await;
    assert!(other.json()["error"].as_str().expect("words").contains("Authorization: Bearer"), "{}", other.text);
    let elsewhere = world.ask("GET", "/v1/connections").without("x-api-key").header("authorization", &bearer);
    elsewhere.expect(200).await;
}

#[tokio::test]
async fn a_request_with_a_foreign_origin_is_refused() {
    let world = World::start().await;
    let list = message("tools/list", &json!({}));
    for origin in ["http://evil.example.com", "null", "http://127.0.0.1:1", "https://127.0.0.1", "https://claude.ai"] {
        world.ask("POST", PATH).header("origin", origin).json(&list).expect(403).await;
    }
    let own = world.gateway.url();
    let own = own.trim_end_matches("/v1");
    world.ask("POST", PATH).header("origin", own).json(&list).expect(200).await;
}

#[tokio::test]
async fn only_a_post_of_one_json_message_is_accepted() {
    let world = World::start().await;
    for method in ["GET", "DELETE", "PUT"] {
        let refused = world.ask(method, PATH).expect(405).await;
        assert_eq!(refused.headers["allow"], "POST");
        assert!(refused.headers.get("ratelimit").is_none(), "{method}: older clients ask for a stream once");
    }
    let batch = json!([message("ping", &json!({}))]);
    assert_eq!(world.ask("POST", PATH).json(&batch).expect(400).await.json()["error"]["code"], -32600);
    let large = message("tools/call", &json!({"name": "get_limits", "arguments": {"x": "y".repeat(300_000)}}));
    world.ask("POST", PATH).json(&large).expect(413).await;
    world.ask("POST", PATH).text("text/plain", "x").expect(415).await;
}

#[tokio::test(start_paused = true)]
async fn a_throttled_call_says_when_to_retry() {
    let stage = crate::spending::Stage::with_daily(&[shared::domain::Platform::Epsilon], 500).await;
    let agent = Agent::of(&stage);
    for _ in 0..2_000 {
        let answer = agent.call_now("get_limits", &json!({})).await;
        if !answer.is_error {
            continue;
        }
        assert!(answer.content["retry_after"].as_u64().is_some_and(|wait| wait > 0), "{answer:?}");
        let (code, words) = answer.refusal();
        assert_eq!(code, "RATE_LIMITED");
        assert!(words.contains("Wait") && words.contains("confirm_token"), "{words}");
        return;
    }
    panic!("the rate has no end");
}

#[tokio::test(start_paused = true)]
async fn a_stopped_key_can_call_no_tool() {
    let stage = crate::spending::Stage::with_daily(&[shared::domain::Platform::Epsilon], 500).await;
    let agent = Agent::of(&stage);
    let id = agent.create(&stage.connections[0], "Stopped", 60).await;
    stage.owner("POST", &format!("/v1/api-keys/{}/stop", stage.key), &Value::Null).await;
    for params in [json!({"name": "pause_campaign", "arguments": {"campaign_id": id}}), json!({"name": "get_limits"})] {
        let (status, body) = agent.request("tools/call", &params).await;
        assert_eq!(status, 401, "{body}");
        assert!(body["error"].as_str().expect("words").contains("was stopped"), "{body}");
    }
    assert_eq!(agent.request("tools/list", &json!({})).await.0, 401);
}
