//! Redirect URIs, webhook endpoints, the usage log, API keys, and authentication of an unknown customer.

use super::stage::Stage;
use super::table::Row;
use serde_json::json;
use shared::domain::{Plan, Platform};

/// Requests that call no platform.
pub(super) async fn story() -> Vec<Row> {
    const URIS: &str = "/v1/redirect-uris";
    const ENDPOINTS: &str = "/v1/webhook-endpoints";
    const KEYS: &str = "/v1/api-keys";
    let mut stage = Stage::new(Plan::Enterprise, &[Platform::Alpha]).await;
    let uri = json!({"uri": "https://example.com/cb"}).to_string();
    let made = stage.count("", 201, "POST", URIS, &uri).await;
    stage.count("1 URI", 200, "GET", URIS, "").await;
    let path = format!("{URIS}/{}", made["data"]["id"].as_str().expect("an id"));
    stage.count("", 204, "DELETE", &path, "").await;
    let endpoint = json!({"url": "https://example.com/webhooks", "types": ["*"]}).to_string();
    let made = stage.count("", 201, "POST", ENDPOINTS, &endpoint).await;
    stage.count("1 endpoint", 200, "GET", ENDPOINTS, "").await;
    let path = format!("{ENDPOINTS}/{}", made["id"].as_str().expect("an id"));
    stage.count("", 200, "GET", &path, "").await;
    stage.count("", 200, "PATCH", &path, r#"{"status":"disabled"}"#).await;
    stage.count("", 200, "POST", &format!("{path}/rotate-secret"), "").await;
    stage.count("", 200, "POST", &format!("{path}/test"), "").await;
    stage.count("1 delivery", 200, "GET", &format!("{path}/deliveries"), "").await;
    stage.ask(200, "PATCH", &path, r#"{"status":"enabled"}"#).await;
    events(&mut stage, &path).await;
    stage.count("", 204, "DELETE", &path, "").await;
    stage.count("a page of 2", 200, "GET", "/v1/usage-logs?limit=2", "").await;
    let reader = json!({"name": "Reader", "scopes": ["read"]}).to_string();
    let made = stage.count("", 201, "POST", KEYS, &reader).await;
    stage.count("2 keys", 200, "GET", KEYS, "").await;
    let mut request = stage.in_process.request("GET", KEYS, &[], "");
    let second = made["api_key"].as_str().expect("a key").parse().expect("a header");
    request.headers_mut().insert("x-api-key", second);
    stage.count_as("2 keys, with the second one", 200, request).await;
    let path = format!("{KEYS}/{}", made["id"].as_str().expect("an id"));
    stage.count("", 200, "PATCH", &path, &json!({"scopes": ["campaigns"]}).to_string()).await;
    stage.count("", 204, "DELETE", &path, "").await;
    // Last, because the key is replaced.
    stage.count("", 200, "POST", "/v1/api-keys/rotate", "").await;
    stage.rows
}

/// Events of a campaign, and their replay.
async fn events(stage: &mut Stage, endpoint: &str) {
    let campaign = json!({"platform": "alpha_ads", "name": "One", "goal": "TRAFFIC", "budget_amount": 50,
        "budget_period": "DAILY"});
    stage.ask(201, "POST", "/v1/campaigns", &campaign.to_string()).await;
    let listed = stage.count("1 event", 200, "GET", "/v1/events", "").await;
    let event = &listed["events"][0];
    let (one, since) = (json!({"event_id": event["id"]}), json!({"since": event["timestamp"]}));
    let replay = format!("{endpoint}/replay");
    stage.count("1 event", 202, "POST", &replay, &one.to_string()).await;
    stage.count("since a time, 1 event", 202, "POST", &replay, &since.to_string()).await;
}

/// The first request of a customer in a process. The process assumes the smallest plan.
pub(super) async fn at_the_door() -> Vec<Row> {
    let mut rows = Vec::new();
    for (plan, case) in [
        (Plan::Starter, "first request in a process, plan starter"),
        (Plan::Pro, "first request in a process, plan pro or enterprise"),
    ] {
        let mut stage = Stage::new(plan, &[Platform::Alpha]).await;
        stage.restart();
        stage.count(case, 200, "GET", "/v1/connections", "").await;
        rows.extend(stage.rows);
    }
    rows
}
