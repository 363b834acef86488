//! Requests that stop an API key, and of a key that is stopped.

use super::limited::{draft, request};
use super::stage::Stage;
use super::table::Row;
use serde_json::json;
use shared::domain::{Plan, Platform};

pub(super) async fn story() -> Vec<Row> {
    let mut stage = Stage::new(Plan::Enterprise, &[Platform::Beta]).await;
    let connections = stage.ask(200, "GET", "/v1/connections", "").await;
    let limit = json!({"connections": [connections["connections"][0]["id"]],
        "amounts": [{"currency": "USD", "daily": 500}]});
    let body = json!({"name": "Agent", "scopes": ["campaigns"], "spending_limit": limit}).to_string();
    let key = stage.ask(201, "POST", "/v1/api-keys", &body).await;
    let made = stage.ask(201, "POST", "/v1/campaigns", &draft("First")).await;
    let campaign = format!("/v1/campaigns/{}", made["id"].as_str().expect("an id"));
    let active = json!({"status": "ACTIVE"}).to_string();
    let activation = request(&key, ("PATCH", &campaign), &active);
    stage.count_as("beta_ads, activated by a key with a limit", 200, activation).await;
    // Only this story's own rows are in the table.
    stage.rows.clear();
    let stop = format!("/v1/api-keys/{}/stop", key["id"].as_str().expect("an id"));
    stage.count("with a limit, 1 campaign", 200, "POST", &stop, "").await;
    stage.count("again", 200, "POST", &stop, "").await;
    stage.count_as("a stopped key", 401, request(&key, ("GET", &campaign), "")).await;
    let free = json!({"name": "Free", "scopes": ["campaigns"]}).to_string();
    let free = stage.ask(201, "POST", "/v1/api-keys", &free).await;
    let stop = format!("/v1/api-keys/{}/stop", free["id"].as_str().expect("an id"));
    stage.count("without a limit, 4 changes in the history", 200, "POST", &stop, "").await;
    stage.rows
}
