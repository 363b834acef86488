//! The cost of a request for one of a customer's users (D159), beside 10 users and beside 10,000 with two connections
//! each, compared with `users.md`: it does not grow with the others.

use super::crowd::{COPIED, copy_user};
use super::stage::Stage;
use super::table::Row;
use serde_json::{Value, json};
use shared::domain::{Plan, Platform};
use std::collections::BTreeMap;

const TABLE: &str = include_str!("users.md");
const OWN: &str = "shop42";
/// Numbers of other users. Up to ten connections of a customer are read whole.
const OTHERS: [usize; 2] = [10, 10_000];

/// Sends a request for a user without counting it.
async fn ask(stage: &Stage, user: &str, status: u16, method: &str, path: &str, body: &Value) -> Value {
    let mark = if path.contains('?') { '&' } else { '?' };
    let body = if body.is_null() { String::new() } else { body.to_string() };
    stage.ask(status, method, &format!("{path}{mark}external_ref={user}"), &body).await
}

/// Connects an ad account of a user on each of two platforms, gives the user a limit and a campaign, and activates that.
async fn join(stage: &Stage, user: &str) {
    for platform in [Platform::Alpha, Platform::Beta] {
        let order = json!({"platform": platform.as_str(), "currency": "USD"});
        let opened = stage.in_process.control("POST", "accounts", &order).await;
        let account = opened["account"]["id"].as_str().expect("an id").to_owned();
        let path = format!("/v1/connections/{platform}/authorize");
        let begun = ask(stage, user, 200, "GET", &path, &Value::Null).await;
        let back = stage.in_process.consent(begun["authorize_url"].as_str().expect("an address"), &[account]).await;
        stage.ask(200, "GET", &back, "").await;
    }
    let limit = json!({"spending_limit": {"amounts": [{"currency": "USD", "daily": 1_000}]}});
    ask(stage, user, 200, "PUT", &format!("/v1/users/{user}"), &limit).await;
    let made = ask(stage, user, 201, "POST", "/v1/campaigns", &draft("First")).await;
    let path = format!("/v1/campaigns/{}", made["id"].as_str().expect("an id"));
    ask(stage, user, 200, "PATCH", &path, &json!({"status": "ACTIVE"})).await;
}

fn draft(name: &str) -> Value {
    json!({"name": name, "goal": "TRAFFIC", "budget_amount": 50, "budget_period": "DAILY", "platform": "alpha_ads"})
}

/// Sends a request for the user and counts it.
async fn count(stage: &mut Stage, status: u16, method: &str, path: &str, body: &Value) -> Value {
    let body = if body.is_null() { String::new() } else { body.to_string() };
    let request = stage.in_process.request(method, path, &[("x-external-ref", OWN)], &body);
    stage.count_as("", status, request).await
}

/// The costs of the requests of a user, beside so many others.
async fn measure(others: usize) -> Vec<Row> {
    let mut stage = Stage::new(Plan::Enterprise, &[]).await;
    join(&stage, COPIED).await;
    copy_user(&stage.in_process.database, others - 1);
    join(&stage, OWN).await;
    let stage = &mut stage;
    let made = count(stage, 201, "POST", "/v1/campaigns", &draft("Second")).await;
    let campaign = format!("/v1/campaigns/{}", made["id"].as_str().expect("an id"));
    let listed = count(stage, 200, "GET", "/v1/connections", &Value::Null).await;
    assert_eq!(listed["connections"].as_array().map(Vec::len), Some(2), "{listed}");
    let connection = listed["connections"][0]["id"].as_str().expect("an id");
    count(stage, 200, "GET", &format!("/v1/connections/{connection}"), &Value::Null).await;
    count(stage, 200, "POST", "/v1/connections/sync", &Value::Null).await;
    let listed = count(stage, 200, "GET", "/v1/campaigns", &Value::Null).await;
    assert_eq!(listed["unified"].as_array().map(Vec::len), Some(2), "{listed}");
    count(stage, 200, "GET", "/v1/insights", &Value::Null).await;
    count(stage, 200, "GET", &campaign, &Value::Null).await;
    count(stage, 200, "PATCH", &campaign, &json!({"status": "ACTIVE"})).await;
    count(stage, 200, "GET", &format!("{campaign}/delivery"), &Value::Null).await;
    let listed = count(stage, 200, "GET", "/v1/changes", &Value::Null).await;
    assert_eq!(listed["changes"].as_array().map(Vec::len), Some(4), "two creates and two activations: {listed}");
    count(stage, 200, "GET", "/v1/events", &Value::Null).await;
    count(stage, 200, "GET", "/v1/limits", &Value::Null).await;
    count(stage, 200, "GET", &format!("/v1/users/{OWN}"), &Value::Null).await;
    count(stage, 200, "GET", &format!("/v1/users/{OWN}/export"), &Value::Null).await;
    count(stage, 200, "POST", &format!("/v1/users/{OWN}/pause"), &Value::Null).await;
    assert_eq!(count_users(stage).await, others + 1, "the copies are users");
    stage.rows.clone()
}

/// The number of users.
async fn count_users(stage: &Stage) -> usize {
    let (mut users, mut cursor) = (0, String::new());
    loop {
        let page = stage.ask(200, "GET", &format!("/v1/users?limit=100&cursor={cursor}"), "").await;
        users += page["users"].as_array().expect("users").len();
        let Some(next) = page["pagination"]["next_cursor"].as_str() else { return users };
        next.clone_into(&mut cursor);
    }
}

/// A line of `users.md`.
fn line(row: &Row, few: &Row) -> String {
    let of = |row: &Row| [row.cells.before.clone(), row.cells.read.clone()];
    let [few, many] = [of(few), of(row)];
    let cells: Vec<String> = few.iter().zip(&many).flat_map(|(few, many)| [few.clone(), many.clone()]).collect();
    format!("| `{}` | {} | {} |", row.endpoint, cells.join(" | "), row.cells.path)
}

#[tokio::test(start_paused = true)]
async fn a_request_for_a_user_costs_the_same_beside_many_others() {
    let mut few = Box::pin(measure(OTHERS[0])).await;
    let mut many = Box::pin(measure(OTHERS[1])).await;
    for row in few.iter_mut().chain(&mut many) {
        // What a claim of a slot or a record writes does not depend on others, and is in the table.
        row.cells.written = String::new();
    }
    assert_eq!(few, many, "nothing grows with the others");
    let lines: BTreeMap<&str, String> =
        many.iter().zip(&few).map(|(many, few)| (many.endpoint.as_str(), line(many, few))).collect();
    let counted: Vec<String> = lines.into_values().collect();
    let written: Vec<&str> = TABLE.lines().filter(|line| line.starts_with("| `")).collect();
    assert!(counted == written, "tests/house/budget/users.md should say:\n{}", counted.join("\n"));
}
