//! Requests of an API key with a spending limit, and about such keys.

use super::stage::Stage;
use super::table::Row;
use lambda_http::{Body, Request};
use serde_json::{Value, json};
use shared::domain::{Plan, Platform};

const CAMPAIGNS: &str = "/v1/campaigns";
const KEYS: &str = "/v1/api-keys";

fn draft(name: &str) -> String {
    json!({"name": name, "goal": "TRAFFIC", "budget_amount": 50, "budget_period": "DAILY", "platform": "beta_ads"})
        .to_string()
}

/// A request of a key.
fn request(key: &Value, method: &str, path: &str, body: &str) -> Request {
    let key = key["api_key"].as_str().expect("a key");
    let request = http::Request::builder().method(method).uri(path).header("x-api-key", key);
    request.body(Body::from(body)).expect("a request")
}

/// Requests of a key with a limit.
pub(super) async fn story() -> Vec<Row> {
    let mut stage = Stage::new(Plan::Enterprise, &[Platform::Beta]).await;
    let connections = stage.ask(200, "GET", "/v1/connections", "").await;
    let limit = json!({"connections": [connections["connections"][0]["id"]],
        "amounts": [{"currency": "USD", "daily": 500}]});
    let body = json!({"name": "Agent", "scopes": ["campaigns"], "spending_limit": limit}).to_string();
    let key = stage.count("with a limit", 201, "POST", KEYS, &body).await;
    stage.count("2 keys, one with a limit", 200, "GET", KEYS, "").await;
    let path = format!("{KEYS}/{}", key["id"].as_str().expect("an id"));
    stage.count("the name", 200, "PATCH", &path, &json!({"name": "Other"}).to_string()).await;
    stage.count("the limit", 200, "PATCH", &path, &json!({"spending_limit": limit}).to_string()).await;
    stage.count("a key without a limit", 200, "GET", "/v1/limits", "").await;
    let count = async |stage: &mut Stage, case: &str, status: u16, method: &str, path: &str, body: &str| {
        let request = request(&key, method, path, body);
        stage.count_as(case, status, request).await
    };
    // The process has seen the key then.
    count(&mut stage, "first request of a key with a limit", 200, "GET", "/v1/limits", "").await;
    count(&mut stage, "a key with a limit", 200, "GET", "/v1/limits", "").await;
    let made = count(&mut stage, "beta_ads, a key with a limit", 201, "POST", CAMPAIGNS, &draft("First")).await;
    let path = format!("{CAMPAIGNS}/{}", made["id"].as_str().expect("an id"));
    let active = json!({"status": "ACTIVE"}).to_string();
    count(&mut stage, "beta_ads, a key with a limit", 200, "GET", &path, "").await;
    count(&mut stage, "beta_ads, activated by a key with a limit", 200, "PATCH", &path, &active).await;
    let refused = json!({"budget_amount": 900}).to_string();
    count(&mut stage, "beta_ads, over the limit of the key", 403, "PATCH", &path, &refused).await;
    count(&mut stage, "beta_ads, a key with a limit", 204, "DELETE", &path, "").await;
    let asks = json!({"connections": limit["connections"], "amounts": limit["amounts"],
        "approval": {"activation": true, "amounts": [{"currency": "USD", "amount": 60}]}});
    let own = format!("{KEYS}/{}", key["id"].as_str().expect("an id"));
    stage.ask(200, "PATCH", &own, &json!({"spending_limit": asks}).to_string()).await;
    let made =
        count(&mut stage, "beta_ads, below the amount that asks", 201, "POST", CAMPAIGNS, &draft("Second")).await;
    let path = format!("{CAMPAIGNS}/{}", made["id"].as_str().expect("an id"));
    count(&mut stage, "beta_ads, a person has to approve it", 202, "PATCH", &path, &active).await;
    let key = format!("{KEYS}/{}", key["id"].as_str().expect("an id"));
    stage.count("with a limit, 1 change waits", 204, "DELETE", &key, "").await;
    stage.rows
}

/// Requests of a key that passes on what a person has decided.
pub(super) async fn approvals() -> Vec<Row> {
    let mut stage = Stage::new(Plan::Enterprise, &[Platform::Beta]).await;
    let connections = stage.ask(200, "GET", "/v1/connections", "").await;
    let limit = json!({"connections": [connections["connections"][0]["id"]],
        "amounts": [{"currency": "USD", "daily": 500}], "approval": {"activation": true}});
    let body = json!({"name": "Agent", "scopes": ["campaigns"], "spending_limit": limit}).to_string();
    let agent = stage.ask(201, "POST", KEYS, &body).await;
    let product = stage.ask(201, "POST", KEYS, r#"{"name":"Product","scopes":["approve"]}"#).await;
    let mut asked = Vec::new();
    for name in ["First", "Second"] {
        let made = stage.ask(201, "POST", CAMPAIGNS, &draft(name)).await;
        let path = format!("{CAMPAIGNS}/{}", made["id"].as_str().expect("an id"));
        let change = stage.count_as("", 202, request(&agent, "PATCH", &path, r#"{"status":"ACTIVE"}"#)).await;
        asked.push(format!("/v1/changes/{}", change["id"].as_str().expect("an id")));
    }
    let review = format!("{}/review", asked[0]);
    // The process has seen the key then.
    let seen = stage.count_as("", 200, request(&product, "GET", &review, "")).await;
    stage.rows.clear();
    stage.count_as("beta_ads", 200, request(&product, "GET", &review, "")).await;
    let decision = json!({"version": seen["version"], "approved_by": "user-4711"}).to_string();
    let approve = format!("{}/approve", asked[0]);
    stage.count_as("beta_ads, an activation", 200, request(&product, "POST", &approve, &decision)).await;
    stage.count_as("the same decision again", 200, request(&product, "POST", &approve, &decision)).await;
    let reject = format!("{}/reject", asked[1]);
    stage.count_as("", 200, request(&product, "POST", &reject, r#"{"rejected_by":"user-4711"}"#)).await;
    stage.rows
}

/// Requests that stop a key, and of a key that is stopped.
pub(super) async fn key_stop() -> Vec<Row> {
    let mut stage = Stage::new(Plan::Enterprise, &[Platform::Beta]).await;
    let connections = stage.ask(200, "GET", "/v1/connections", "").await;
    let limit = json!({"connections": [connections["connections"][0]["id"]],
        "amounts": [{"currency": "USD", "daily": 500}]});
    let body = json!({"name": "Agent", "scopes": ["campaigns"], "spending_limit": limit}).to_string();
    let key = stage.ask(201, "POST", KEYS, &body).await;
    let made = stage.ask(201, "POST", CAMPAIGNS, &draft("First")).await;
    let campaign = format!("{CAMPAIGNS}/{}", made["id"].as_str().expect("an id"));
    let active = json!({"status": "ACTIVE"}).to_string();
    let activation = request(&key, "PATCH", &campaign, &active);
    stage.count_as("beta_ads, activated by a key with a limit", 200, activation).await;
    // Only this story's own rows are in the table.
    stage.rows.clear();
    let stop = format!("{KEYS}/{}/stop", key["id"].as_str().expect("an id"));
    stage.count("with a limit, 1 campaign", 200, "POST", &stop, "").await;
    stage.count("again", 200, "POST", &stop, "").await;
    stage.count_as("a stopped key", 401, request(&key, "GET", &campaign, "")).await;
    let free = json!({"name": "Free", "scopes": ["campaigns"]}).to_string();
    let free = stage.ask(201, "POST", KEYS, &free).await;
    let stop = format!("{KEYS}/{}/stop", free["id"].as_str().expect("an id"));
    stage.count("without a limit, 4 changes in the history", 200, "POST", &stop, "").await;
    stage.rows
}
