//! Messages of agents: the cost of a tool call, without that of its requests of the API.

use super::stage::Stage;
use super::table::Row;
use serde_json::{Value, json};
use shared::domain::{Plan, Platform};

const PATH: &str = "/v1/mcp";

/// A day of an agent with one ad account of Google.
pub(super) async fn story() -> Vec<Row> {
    let mut stage = Stage::new(Plan::Enterprise, &[Platform::Alpha]).await;
    let connection = stage.ask(200, "GET", "/v1/connections", "").await["connections"][0]["id"].clone();
    for method in ["initialize", "tools/list"] {
        stage.count(method, 200, "POST", PATH, &message(method, &json!({}))).await;
    }
    call(&mut stage, "list_accounts", &json!({})).await;
    call(&mut stage, "get_limits", &json!({})).await;
    let create = json!({"connection_id": connection, "name": "One", "goal": "TRAFFIC", "budget_amount": 50,
        "currency": "USD", "budget_period": "DAILY"});
    let created = change(&mut stage, "create", create).await;
    let id = created["campaign"]["id"].clone();
    call(&mut stage, "list_campaigns", &json!({})).await;
    call(&mut stage, "get_campaign", &json!({"campaign_id": id})).await;
    change(&mut stage, "update", json!({"campaign_id": id, "status": "ACTIVE"})).await;
    call(&mut stage, "get_change", &json!({"change_id": created["change_id"]})).await;
    call(&mut stage, "get_delivery", &json!({"campaign_id": id})).await;
    call(&mut stage, "get_insights", &json!({"campaign_id": id})).await;
    call(&mut stage, "pause_campaign", &json!({"campaign_id": id})).await;
    change(&mut stage, "delete", json!({"campaign_id": id})).await;
    stage.rows
}

async fn call(stage: &mut Stage, tool: &str, arguments: &Value) -> Value {
    count(stage, tool, tool, arguments).await
}

async fn count(stage: &mut Stage, case: &str, tool: &str, arguments: &Value) -> Value {
    let params = json!({"name": tool, "arguments": arguments});
    let answer = stage.count(case, 200, "POST", PATH, &message("tools/call", &params)).await;
    assert_eq!(answer["result"]["isError"], false, "{tool}: {answer}");
    answer["result"]["structuredContent"].clone()
}

/// A preview and its confirmation, and the confirmation again.
async fn change(stage: &mut Stage, kind: &str, mut arguments: Value) -> Value {
    let preview = json!({"kind": kind, "arguments": arguments});
    let previewed = count(stage, &format!("preview_change of kind {kind}"), "preview_change", &preview).await;
    arguments["confirm_token"] = previewed["confirm_token"].clone();
    let tool = format!("{kind}_campaign");
    let made = call(stage, &tool, &arguments).await;
    if kind == "update" {
        count(stage, "update_campaign again", &tool, &arguments).await;
    }
    made
}

fn message(method: &str, params: &Value) -> String {
    json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).to_string()
}
