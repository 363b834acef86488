//! Agents: the tools of `POST /v1/mcp`, with keys that have a limit. The sandbox's books decide what runs and what was
//! bought. Every answer is checked against its schema, and is small enough for the context of an agent.

mod activations;
mod challenges;
mod hostile;
mod lists;
mod metadata;
mod protocol;
mod references;
mod refusals;
mod story;

use crate::in_process::{World, json_of, respond};
use crate::spending::{Stage, with_key};
use jsonschema::Validator;
use serde_json::{Value, json};
use shared::app::App;
use shared::serve::PostResponseWork;
use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex};
use tokio::time::{Duration, sleep};

/// Largest answer in bytes.
const MAX_ANSWER: usize = 8 * 1024;

/// The tools as a key with all scopes sees them, by name.
static SCHEMAS: LazyLock<Mutex<HashMap<String, Arc<Validator>>>> = LazyLock::new(Mutex::default);

/// An agent: the key in its configuration.
pub(crate) struct Agent<'a> {
    app: &'a Arc<App>,
    world: &'a World,
}

/// The answer of a tool.
#[derive(Debug)]
pub(crate) struct ToolAnswer {
    is_error: bool,
    content: Value,
}

impl ToolAnswer {
    /// The answer of a success.
    #[track_caller]
    fn ok(self) -> Value {
        assert!(!self.is_error, "{}", self.content);
        self.content
    }

    /// The code and the words of a refusal: message, fields and what to do next.
    #[track_caller]
    fn refusal(self) -> (String, String) {
        assert!(self.is_error, "{}", self.content);
        let text = |name: &str| self.content[name].as_str().unwrap_or_default().to_owned();
        let details = self.content["details"].as_array().into_iter().flatten();
        let details: Vec<String> =
            details.map(|one| format!("{} {}", one["field"], one["message"]).replace('"', "")).collect();
        (text("code"), format!("{} {} {}", text("error"), details.join("; "), text("next")))
    }
}

impl<'a> Agent<'a> {
    /// The agent with the limited key of a stage.
    pub(crate) fn of(stage: &'a Stage) -> Agent<'a> {
        Agent { app: &stage.app, world: &stage.limited }
    }

    /// Sends a message; returns status and body.
    async fn send(&self, headers: &[(&str, &str)], body: &str) -> (u16, Value) {
        let mut response = respond(self.app, self.world.request("POST", "/v1/mcp", headers, body)).await;
        if let Some(rest) = PostResponseWork::take_from(&mut response) {
            rest.run().await;
        }
        let body = if response.body().is_empty() { Value::Null } else { json_of(response.body()) };
        (response.status().as_u16(), body)
    }

    /// A message of the version in which each describes itself.
    async fn request(&self, method: &str, params: &Value) -> (u16, Value) {
        let mut params = params.clone();
        params["_meta"] = json!({"io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": {}});
        let name = params["name"].as_str().unwrap_or_default().to_owned();
        let headers = [("mcp-protocol-version", "2026-07-28"), ("mcp-method", method), ("mcp-name", &name)];
        let body = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).to_string();
        self.send(&headers, &body).await
    }

    /// Calls a tool without a wait.
    async fn call_now(&self, tool: &str, arguments: &Value) -> ToolAnswer {
        let (status, body) = self.request("tools/call", &json!({"name": tool, "arguments": arguments})).await;
        let answer = checked(tool, status, &body);
        if let Some(validator) = self.schema(tool).await {
            let faults: Vec<String> = validator.iter_errors(&answer.content).map(|fault| fault.to_string()).collect();
            assert!(faults.is_empty(), "{tool}: {faults:?} {}", answer.content);
        }
        answer
    }

    /// Calls a tool, after a token of the rate limit has come.
    pub(crate) async fn call(&self, tool: &str, arguments: &Value) -> ToolAnswer {
        sleep(Duration::from_millis(200)).await;
        self.call_now(tool, arguments).await
    }

    /// Previews a change; returns its arguments with the token.
    async fn preview(&self, kind: &str, arguments: &Value) -> Value {
        let preview = json!({"kind": kind, "arguments": arguments});
        let shown = self.call("preview_change", &preview).await.ok();
        let mut confirmed = arguments.clone();
        confirmed["confirm_token"] = shown["confirm_token"].clone();
        confirmed
    }

    /// Previews a change, and makes it.
    pub(crate) async fn change(&self, kind: &str, arguments: &Value) -> Value {
        let confirmed = self.preview(kind, arguments).await;
        self.call(&format!("{kind}_campaign"), &confirmed).await.ok()
    }

    /// Creates a paused campaign, and returns its id.
    async fn create(&self, connection: &str, name: &str, budget: i64) -> String {
        let created = self.change("create", &draft(connection, name, budget)).await;
        created["campaign"]["id"].as_str().expect("an id").to_owned()
    }

    /// The output schema of a tool, as `tools/list` returns it.
    async fn schema(&self, tool: &str) -> Option<Arc<Validator>> {
        let known = |tool: &str| SCHEMAS.lock().expect("nobody panics with it").get(tool).cloned();
        if known(tool).is_none() {
            let (_, listed) = self.request("tools/list", &json!({})).await;
            for tool in listed["result"]["tools"].as_array().into_iter().flatten() {
                let validator = jsonschema::validator_for(&tool["outputSchema"]).expect("a schema");
                let name = tool["name"].as_str().expect("a name").to_owned();
                SCHEMAS.lock().expect("nobody panics with it").insert(name, Arc::new(validator));
            }
        }
        known(tool)
    }
}

/// The arguments of a create.
fn draft(connection: &str, name: &str, budget: i64) -> Value {
    json!({"connection_id": connection, "name": name, "goal": "TRAFFIC", "budget_amount": budget, "currency": "USD",
        "budget_period": "DAILY"})
}

/// The answer in a result. It is there twice, as data and as the same text, and is small.
fn checked(tool: &str, status: u16, body: &Value) -> ToolAnswer {
    let result = &body["result"];
    assert_eq!((status, &result["resultType"]), (200, &json!("complete")), "{tool}: {body}");
    let text = result["content"][0]["text"].as_str().expect("a text");
    assert!(text.len() <= MAX_ANSWER, "{tool}: {} bytes", text.len());
    let content = result["structuredContent"].clone();
    assert_eq!(serde_json::from_str::<Value>(text).expect("JSON"), content, "{tool}");
    ToolAnswer { is_error: result["isError"].as_bool().expect("a boolean"), content }
}

/// The same world with a key that these scopes and this limit have.
async fn key_with(stage: &Stage, scopes: &Value, limit: &Value) -> World {
    let body = json!({"name": "Another", "scopes": scopes, "spending_limit": limit});
    let made = stage.owner("POST", "/v1/api-keys", &body).await;
    with_key(&stage.owner, made["api_key"].as_str().expect("a key"))
}

/// The campaigns in the sandbox's books.
async fn books(world: &World) -> Vec<Value> {
    let listed = world.control("GET", "campaigns", &Value::Null).await;
    listed["campaigns"].as_array().expect("a list").clone()
}
