//! The cost of a request with 1, 100 and 1,000 connections, compared with `growth.md`. A request reads the items that
//! it is about: only those about all connections grow with them.

use super::stage::Stage;
use serde_json::json;
use shared::domain::{Plan, Platform};
use std::collections::BTreeMap;

const TABLE: &str = include_str!("growth.md");
/// The numbers of connections.
const SIZES: [usize; 3] = [1, 100, 1_000];
/// The most that a request about one connection reads. Up to ten connections are read whole.
const MAX_UNITS: f64 = 5.0;

/// Read units by endpoint and case, for one customer.
async fn measure(connections: usize) -> Vec<((String, String), String)> {
    let mut stage = Stage::new(Plan::Enterprise, &[]).await;
    let accounts = stage.in_process.connect(&stage.app(), Platform::Alpha, connections).await;
    let all = stage.ask(200, "GET", "/v1/connections", "").await;
    let of_account = |account: &str| {
        let connections = all["connections"].as_array().expect("a list");
        let found = connections.iter().find(|known| known["remote_account_id"] == account).expect("a connection");
        found["id"].as_str().expect("an id").to_owned()
    };
    let account = accounts.last().expect("an account");
    let connection = of_account(account);
    let campaign = on_campaign(&mut stage, &connection).await;
    on_connection(&mut stage, &connection).await;
    let page = format!("/v1/campaigns?platform=ALPHA&organization_id={account}");
    stage.count("of one account", 200, "GET", &page, "").await;
    let path = format!("/v1/campaigns/{campaign}");
    stage.count("", 204, "DELETE", &path, "").await;
    // Each connection has an event.
    stage.count("of a user", 200, "GET", "/v1/events?external_ref=user42", "").await;
    stage.count("of a user", 200, "GET", "/v1/changes?external_ref=user42", "").await;
    stage.count("", 204, "DELETE", &format!("/v1/connections/{connection}"), "").await;
    for path in [
        "/v1/billing/status",
        "/v1/customer/me",
        "/v1/usage-logs?limit=1",
        "/v1/redirect-uris",
        "/v1/webhook-endpoints",
    ] {
        stage.count("", 200, "GET", path, "").await;
    }
    stage.count("", 200, "GET", "/v1/connections/beta_ads/authorize", "").await;
    let mut wrong = stage.in_process.request("GET", "/v1/billing/status", &[], "");
    wrong.headers_mut().insert("x-api-key", forged(&stage).parse().expect("a header"));
    stage.count_as("a wrong key", 401, wrong).await;
    stage.count("", 200, "GET", "/v1/connections", "").await;
    stage.rows.into_iter().map(|row| ((row.endpoint, row.case), row.cells.read)).collect()
}

/// Creates a campaign and works with it, twice each: the first request of a process finds the way.
async fn on_campaign(stage: &mut Stage, connection: &str) -> String {
    let draft = |name: &str| {
        json!({"name": name, "goal": "TRAFFIC", "budget_amount": 50, "budget_period": "DAILY", "platform": "alpha_ads",
            "connection_id": connection})
        .to_string()
    };
    let made = stage.count("first of a connection in a process", 201, "POST", "/v1/campaigns", &draft("First")).await;
    stage.count("", 201, "POST", "/v1/campaigns", &draft("Second")).await;
    let id = made["id"].as_str().expect("an id").to_owned();
    let path = format!("/v1/campaigns/{id}");
    stage.count("", 200, "GET", &path, "").await;
    stage.count("", 200, "PATCH", &path, &json!({"name": "Renamed"}).to_string()).await;
    id
}

async fn on_connection(stage: &mut Stage, connection: &str) {
    let label = json!({"label": "Spring"}).to_string();
    let path = format!("/v1/connections/{connection}");
    stage.count("", 200, "GET", &path, "").await;
    stage.count("", 200, "PATCH", &path, &label).await;
    stage.ask(200, "PATCH", &path, &json!({"external_ref": "user42"}).to_string()).await;
    stage.count("of a user", 200, "GET", "/v1/connections?external_ref=user42", "").await;
}

/// A key of the customer with another secret and a right checksum.
fn forged(stage: &Stage) -> String {
    use shared::auth::{ApiKey, Mode};
    let customer = ApiKey::parse(&stage.in_process.api_key).expect("a key").customer();
    ApiKey::generate(customer, Mode::Test).expect("a key").reveal().to_owned()
}

fn written() -> BTreeMap<(String, String), Vec<String>> {
    let lines = TABLE.lines().filter(|line| line.starts_with("| `"));
    let row = |line: &str| {
        let cells: Vec<String> = line.split('|').map(|cell| cell.trim().trim_matches('`').to_owned()).collect();
        ((cells[1].clone(), cells[2].clone()), cells[3..6].to_vec())
    };
    lines.map(row).collect()
}

#[tokio::test(start_paused = true)]
async fn reads_of_a_request_do_not_grow_with_the_connections() {
    let mut counted: BTreeMap<(String, String), Vec<String>> = BTreeMap::new();
    for size in SIZES {
        for (row, read) in Box::pin(measure(size)).await {
            counted.entry(row).or_default().push(read);
        }
    }
    let lines =
        counted.iter().map(|((endpoint, case), read)| format!("| `{endpoint}` | {case} | {} |", read.join(" | ")));
    assert!(counted == written(), "tests/house/budget/growth.md should say:\n{}", lines.collect::<Vec<_>>().join("\n"));
    for ((endpoint, case), read) in counted.iter().filter(|((endpoint, _), _)| endpoint != "GET /v1/connections") {
        let most = read.iter().map(|units| units.parse::<f64>().expect("units")).fold(0.0, f64::max);
        assert!(most <= MAX_UNITS, "{endpoint} {case} reads {most} units");
    }
}

#[test]
fn only_the_list_of_all_connections_grows() {
    let grows = |read: &Vec<String>| read[1] != read[2];
    let growing: Vec<String> =
        written().into_iter().filter(|(_, read)| grows(read)).map(|((endpoint, _), _)| endpoint).collect();
    assert_eq!(growing, ["GET /v1/connections"]);
}
