//! The cost of a request for one of a customer's users (D159), beside few connections of other users and beside many.

use super::stage::Stage;
use super::table::Row;
use serde_json::{Value, json};
use shared::domain::{Plan, Platform};

const OWN: (&str, &str) = ("x-external-ref", "shop42");
/// Numbers of connections of another user. Up to ten connections are read whole.
const OTHERS: [usize; 2] = [20, 1_000];
/// The most round trips to the store before the first call to a platform, or before the response: a search for the only
/// connection reads the user's records, then the connections, and then the create is stored.
const MAX_BEFORE: usize = 3;

/// Connects ad accounts for a user with one consent.
async fn connect(stage: &Stage, user: &str, count: usize) {
    let mut accounts = Vec::new();
    for _ in 0..count {
        let order = json!({"platform": Platform::Alpha.as_str(), "currency": "USD"});
        let opened = stage.in_process.control("POST", "accounts", &order).await;
        accounts.push(opened["account"]["id"].as_str().expect("an id").to_owned());
    }
    let path = format!("/v1/connections/alpha_ads/authorize?external_ref={user}");
    let begun = stage.ask(200, "GET", &path, "").await;
    let back = stage.in_process.consent(begun["authorize_url"].as_str().expect("an address"), &accounts).await;
    stage.ask(200, "GET", &back, "").await;
}

/// Sends a request for the user and counts it.
async fn count(stage: &mut Stage, status: u16, method: &str, path: &str, body: &Value) -> Value {
    let body = if body.is_null() { String::new() } else { body.to_string() };
    let request = stage.in_process.request(method, path, &[OWN], &body);
    stage.count_as("for a user", status, request).await
}

async fn measure(others: usize) -> Vec<Row> {
    let mut stage = Stage::new(Plan::Enterprise, &[]).await;
    connect(&stage, "other", others).await;
    connect(&stage, OWN.1, 1).await;
    let stage = &mut stage;
    let draft = json!({"name": "Mine", "goal": "TRAFFIC", "budget_amount": 50, "budget_period": "DAILY",
        "platform": "alpha_ads"});
    // The process knows the way after the first.
    let made = count(stage, 201, "POST", "/v1/campaigns", &draft).await;
    stage.rows.clear();
    count(stage, 201, "POST", "/v1/campaigns", &draft).await;
    let campaign = format!("/v1/campaigns/{}", made["id"].as_str().expect("an id"));
    let listed = count(stage, 200, "GET", "/v1/connections", &Value::Null).await;
    let connection = listed["connections"][0]["id"].as_str().expect("an id");
    count(stage, 200, "GET", &format!("/v1/connections/{connection}"), &Value::Null).await;
    count(stage, 200, "POST", "/v1/connections/sync", &Value::Null).await;
    count(stage, 200, "GET", "/v1/campaigns", &Value::Null).await;
    count(stage, 200, "GET", "/v1/insights", &Value::Null).await;
    count(stage, 200, "GET", &campaign, &Value::Null).await;
    count(stage, 200, "PATCH", &campaign, &json!({"name": "Renamed"})).await;
    count(stage, 200, "GET", "/v1/changes", &Value::Null).await;
    count(stage, 200, "GET", "/v1/limits", &Value::Null).await;
    stage.rows.clone()
}

#[tokio::test(start_paused = true)]
async fn a_request_for_a_user_costs_the_same_beside_many_others() {
    let mut few = Box::pin(measure(OTHERS[0])).await;
    let mut many = Box::pin(measure(OTHERS[1])).await;
    for row in few.iter().chain(&many) {
        let before: usize = row.cells.before.parse().expect("a number");
        assert!(before <= MAX_BEFORE, "{row:?}");
    }
    for row in few.iter_mut().chain(&mut many) {
        // What a claim of a slot or a record writes does not depend on others, and is in the table.
        row.cells.written = String::new();
    }
    assert_eq!(few, many);
}
