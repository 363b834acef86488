//! What the tools of an agent ask of the store, with faults of the platform on the way.

use super::{Deployed, TestResponse};
use crate::world::campaign;
use serde_json::{Value, json};

/// A key in the configuration of an agent.
struct Agent<'a> {
    deployed: &'a Deployed,
    key: String,
}

impl Agent<'_> {
    async fn send(&self, method: &str, params: Value) -> TestResponse {
        let message = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params }).to_string();
        let bearer = format!("Bearer {}", self.key);
        self.deployed.ask_with(&[("authorization", &bearer)], "POST", "/v1/mcp", &message).await
    }

    /// Calls a tool; returns its answer, which must be an error or not.
    async fn call(&self, is_error: bool, name: &str, arguments: &Value) -> Value {
        let answer = self.send("tools/call", json!({ "name": name, "arguments": arguments })).await.json;
        let result = &answer["result"];
        assert_eq!(result["isError"], is_error, "{name} {arguments}: {answer}");
        result["structuredContent"].clone()
    }

    /// Previews a change; returns its arguments with the token.
    async fn preview(&self, kind: &str, mut arguments: Value) -> Value {
        let preview = json!({ "kind": kind, "arguments": arguments });
        let previewed = self.call(false, "preview_change", &preview).await;
        arguments["confirm_token"] = previewed["confirm_token"].clone();
        arguments
    }

    /// Previews a change, and makes it.
    async fn change(&self, kind: &str, arguments: Value) -> Value {
        let confirmed = self.preview(kind, arguments).await;
        self.call(false, &format!("{kind}_campaign"), &confirmed).await
    }

    /// Previews a change, and makes it while the platform has a fault.
    async fn change_with(&self, fault: &str, is_error: bool, kind: &str, arguments: Value) {
        let confirmed = self.preview(kind, arguments).await;
        self.deployed.fault("alpha_ads", kind, fault, 1).await;
        self.call(is_error, &format!("{kind}_campaign"), &confirmed).await;
    }
}

pub(super) async fn agent(deployed: &Deployed) {
    for platform in ["alpha_ads", "beta_ads"] {
        assert_eq!(deployed.consent(platform, "", "approve").await, 200);
    }
    let (alpha, beta) = (deployed.connection("alpha_ads").await, deployed.connection("beta_ads").await);
    let agent = Agent { deployed, key: deployed.world.api_key.clone() };
    let initialize = json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {} });
    assert_eq!(agent.send("initialize", initialize).await.status, 200);
    let draft = |connection: &str, name: &str| {
        let mut draft = campaign("alpha_ads", name);
        draft.as_object_mut().expect("an object").remove("platform");
        (draft["connection_id"], draft["currency"]) = (json!(connection), json!("USD"));
        draft
    };
    for (name, arguments) in [
        ("list_accounts", json!({})),
        ("list_campaigns", json!({ "connection_id": alpha })),
        ("get_insights", json!({ "platform": "alpha_ads" })),
        ("get_limits", json!({})),
    ] {
        agent.call(false, name, &arguments).await;
    }
    let created = agent.change("create", draft(&alpha, "Of an agent")).await;
    agent.change_with("drop_after", false, "create", draft(&alpha, "Found by an agent")).await;
    agent.change_with("drop", true, "create", draft(&alpha, "Doubtful of an agent")).await;
    let id = json!({ "campaign_id": created["campaign"]["id"] });
    let with = |field: &str, value: Value| {
        let mut arguments = id.clone();
        arguments[field] = value;
        arguments
    };
    agent.call(false, "get_campaign", &id).await;
    agent.call(false, "get_insights", &id).await;
    let started = agent.change("update", with("status", json!("ACTIVE"))).await;
    agent.call(false, "get_change", &json!({ "change_id": started["change_id"] })).await;
    agent.change_with("throttle", true, "update", with("name", json!("Renamed by an agent"))).await;
    deployed.table().let_pauses_end().await;
    agent.call(false, "pause_campaign", &id).await;
    agent.change("delete", id.clone()).await;
    limited(deployed, &alpha, &draft(&alpha, "Of a limited agent")).await;
    dated(&agent, draft(&beta, "Dated by an agent")).await;
    for fault in [None, Some("error"), Some("revoked")] {
        if let Some(fault) = fault {
            deployed.fault("alpha_ads", "refresh", fault, 1).await;
        }
        deployed.table().let_refreshable_tokens_run_out().await;
        agent.call(false, "list_campaigns", &json!({})).await;
    }
    let path = format!("/v1/connections/{beta}");
    deployed.ask(204, "DELETE", &path, &Value::Null).await;
    let path = format!("/v1/connections/{alpha}");
    deployed.ask(204, "DELETE", &path, &Value::Null).await;
}

/// A key with a limit, of which a person approves activations.
async fn limited(deployed: &Deployed, connection: &str, draft: &Value) {
    let limit = json!({ "connections": [connection], "amounts": [{ "currency": "USD", "daily": 500 }],
        "approval": { "activation": true } });
    let made = json!({ "name": "Agent", "scopes": ["campaigns"], "spending_limit": limit });
    let made = deployed.ask(201, "POST", "/v1/api-keys", &made).await.json;
    let agent = Agent { deployed, key: made["api_key"].as_str().expect("a key").to_owned() };
    let created = agent.change("create", draft.clone()).await;
    let id = &created["campaign"]["id"];
    let raised = json!({ "campaign_id": id, "budget_amount": 60, "currency": "USD" });
    agent.change("update", raised).await;
    let asked = agent.change("update", json!({ "campaign_id": id, "status": "ACTIVE" })).await;
    assert_eq!(asked["state"], "awaiting_approval");
    agent.call(false, "pause_campaign", &json!({ "campaign_id": id })).await;
    agent.change("delete", json!({ "campaign_id": id })).await;
}

/// Dates that the service holds.
async fn dated(agent: &Agent<'_>, mut draft: Value) {
    let now = agent.deployed.world.clock.now();
    let at = |hours: i64| {
        let at = now + jiff::SignedDuration::from_hours(hours);
        json!(jiff::Timestamp::from_second(at.as_second()).expect("a time").to_string())
    };
    (draft["start_at"], draft["end_at"]) = (at(2), at(4));
    let created = agent.change("create", draft).await;
    let id = &created["campaign"]["id"];
    let started = agent.change("update", json!({ "campaign_id": id, "status": "ACTIVE" })).await;
    assert_eq!(started["state"], "scheduled");
    agent.change("update", json!({ "campaign_id": id, "end_at": at(6) })).await;
    agent.change("delete", json!({ "campaign_id": id })).await;
}
