//! The campaigns endpoints. Connections are ACTIVE and their tokens fresh.

use super::stage::Stage;
use super::table::Row;
use jiff::ToSpan;
use jiff::tz::TimeZone;
use serde_json::{Value, json};
use shared::domain::{Plan, Platform};
use shared::routes::{REGISTER, RESOURCE_METADATA};

const PATH: &str = "/v1/campaigns";
const INSIGHTS: &str = "/v1/insights";
const CHANGES: &str = "/v1/changes";

fn draft(name: &str, platform: Platform) -> String {
    let goal = "TRAFFIC";
    json!({"name": name, "goal": goal, "budget_amount": 50, "budget_period": "DAILY", "platform": platform.as_str()})
        .to_string()
}

fn path_of(campaign: &Value) -> String {
    format!("{PATH}/{}", campaign["id"].as_str().expect("an id"))
}

/// The longest range of insights that every platform has.
fn ninety_days(stage: &Stage) -> String {
    let today = TimeZone::UTC.to_datetime(stage.in_process.clock.now()).date();
    let day = |before: i64| today.saturating_sub(before.days());
    format!("{INSIGHTS}?from={}&to={}", day(89), day(0))
}

/// The id on the platform of a campaign that was made.
fn remote_id(made: &Value) -> &str {
    made["remote_id"].as_str().expect("an id")
}

/// The operations on one campaign, and a list of one and of five.
pub(super) async fn on_one(platform: Platform) -> Vec<Row> {
    let mut stage = Stage::new(Plan::Enterprise, &[platform]).await;
    let word = platform.as_str();
    let made = stage.count(word, 201, "POST", PATH, &draft("First", platform)).await;
    stage.count(&format!("{word}, 1 campaign"), 200, "GET", PATH, "").await;
    for name in ["Second", "Third", "Fourth", "Fifth"] {
        stage.ask(201, "POST", PATH, &draft(name, platform)).await;
    }
    stage.count(&format!("{word}, 5 campaigns"), 200, "GET", PATH, "").await;
    let path = path_of(&made);
    stage.count(word, 200, "GET", &path, "").await;
    let status = json!({"status": "ACTIVE"}).to_string();
    stage.count(&format!("{word}, status, dry run"), 200, "PATCH", &format!("{path}?dry_run=true"), &status).await;
    stage.count(&format!("{word}, status"), 200, "PATCH", &path, &status).await;
    let ads = json!({"platform": word, "campaign_id": remote_id(&made), "ads": ["approved", "rejected"]});
    stage.in_process.control("POST", "ads", &ads).await;
    stage.count(word, 200, "GET", &format!("{path}/delivery"), "").await;
    let stopped = format!("{PATH}?delivery_state=BLOCKED,WAITING");
    stage.count(&format!("{word}, 5 campaigns, by delivery"), 200, "GET", &stopped, "").await;
    let all = json!({"status": "PAUSED", "name": "Renamed", "budget_amount": 60}).to_string();
    stage.count(&format!("{word}, name, status and budget"), 200, "PATCH", &path, &all).await;
    let delivery = json!({"platform": word, "seed": 1, "days": 10});
    stage.in_process.control("POST", "delivery", &delivery).await;
    stage.count(&format!("{word}, 5 campaigns, 7 days"), 200, "GET", INSIGHTS, "").await;
    stage.count(&format!("{word}, 5 campaigns, 90 days"), 200, "GET", &ninety_days(&stage), "").await;
    stage.count(&format!("{word}, 7 days"), 200, "GET", &format!("{path}/insights"), "").await;
    let dry_run = format!("{PATH}?dry_run=true");
    stage.count(&format!("{word}, dry run"), 200, "POST", &dry_run, &draft("Sixth", platform)).await;
    stage.count(word, 204, "DELETE", &path, "").await;
    stage.rows
}

/// Creates on several platforms, and the cost of an `Idempotency-Key`.
pub(super) async fn on_all() -> Vec<Row> {
    let mut stage = Stage::new(Plan::Enterprise, &Platform::ALL).await;
    let connections = stage.ask(200, "GET", "/v1/connections", "").await;
    let target = |platform: Platform| {
        let all = connections["connections"].as_array().expect("a list");
        let found = all.iter().find(|known| known["platform"] == platform.as_str()).expect("a connection");
        json!({"platform": platform.as_upper(), "organization_id": found["remote_account_id"]})
    };
    let order = json!({"name": "Everywhere", "goal": "WEBSITE_TRAFFIC", "budget_amount": 50, "budget_period": "DAILY",
        "targets": [target(Platform::Alpha), target(Platform::Beta), target(Platform::Gamma)]});
    stage.count("3 targets: alpha_ads, beta_ads, gamma_ads", 201, "POST", PATH, &order.to_string()).await;
    let keyed = |stage: &Stage| {
        stage.in_process.request("POST", PATH, &[("idempotency-key", "k")], &draft("Keyed", Platform::Alpha))
    };
    let first = keyed(&stage);
    stage.count_as("alpha_ads, with an Idempotency-Key", 201, first).await;
    let again = keyed(&stage);
    stage.count_as("alpha_ads, the same Idempotency-Key again", 201, again).await;
    stage.count("all platforms, 4 campaigns", 200, "GET", PATH, "").await;
    let mut named: Value = serde_json::from_str(&draft("Named", Platform::Alpha)).expect("JSON");
    named["reference"] = json!("order-42");
    stage.count("alpha_ads, with a reference", 201, "POST", PATH, &named.to_string()).await;
    stage.count("of a reference, 1 change", 200, "GET", "/v1/changes?reference=order-42", "").await;
    stage.count("of an Idempotency-Key, 1 change", 200, "GET", "/v1/changes?idempotency_key=k", "").await;
    stage.rows
}

/// Changes for later, dates that the service holds, and many campaigns at once.
pub(super) async fn scheduled_changes() -> Vec<Row> {
    let mut stage = Stage::new(Plan::Enterprise, &[Platform::Alpha, Platform::Beta]).await;
    let at = |stage: &Stage, hours: i64| {
        let at = stage.in_process.clock.now() + jiff::SignedDuration::from_hours(hours);
        jiff::Timestamp::from_second(at.as_second()).expect("a time").to_string()
    };
    let made = stage.ask(201, "POST", PATH, &draft("Later", Platform::Alpha)).await;
    let status = json!({"status": "ACTIVE"}).to_string();
    let scheduled = format!("{}?apply_at={}", path_of(&made), at(&stage, 1));
    let change = stage.count("alpha_ads, scheduled", 202, "PATCH", &scheduled, &status).await;
    stage.count("alpha_ads, scheduled", 202, "DELETE", &scheduled, "").await;
    let cancel = format!("{CHANGES}/{}/cancel", change["id"].as_str().expect("an id"));
    stage.count("", 200, "POST", &cancel, "").await;
    let mut dated: Value = serde_json::from_str(&draft("Dated", Platform::Beta)).expect("JSON");
    dated["start_at"] = json!(at(&stage, 2));
    dated["end_at"] = json!(at(&stage, 4));
    let dated = stage.count("beta_ads, with dates that the service holds", 201, "POST", PATH, &dated.to_string()).await;
    let path = path_of(&dated);
    stage.count("beta_ads, activated before its held start", 202, "PATCH", &path, &status).await;
    let end = json!({"end_at": at(&stage, 6)}).to_string();
    stage.count("beta_ads, a held end", 200, "PATCH", &path, &end).await;
    for name in ["One", "Two", "Three"] {
        let made = stage.ask(201, "POST", PATH, &draft(name, Platform::Alpha)).await;
        stage.ask(200, "PATCH", &path_of(&made), &status).await;
    }
    let pause = json!({"status": "PAUSED", "platform": "alpha_ads"}).to_string();
    let bulk = stage.count("1 account, 3 campaigns", 202, "POST", &format!("{PATH}/status"), &pause).await;
    let told = format!("{PATH}/status/{}", bulk["bulk_id"].as_str().expect("an id"));
    stage.count("1 account, 3 campaigns", 200, "GET", &told, "").await;
    let raise = json!({"percent": "10", "platform": "alpha_ads"}).to_string();
    let budgets = format!("{PATH}/budgets");
    let raise = stage.in_process.request("POST", &budgets, &[("idempotency-key", "raised")], &raise);
    let raised = stage.count_as("1 account, 4 campaigns", 202, raise).await;
    let undo = |id: &Value| format!("{CHANGES}/{}/undo", id.as_str().expect("an id"));
    stage.count("1 change", 200, "POST", &undo(&raised["changes"][0]), "").await;
    stage.count("1 account, 4 campaigns", 202, "POST", &undo(&raised["bulk_id"]), "").await;
    stage.rows
}

/// Operations that call no platform.
pub(super) async fn without_a_platform() -> Vec<Row> {
    let mut stage = Stage::new(Plan::Enterprise, &[Platform::Alpha]).await;
    let id = stage.request_id_of("POST", PATH, &draft("Asked for", Platform::Alpha)).await;
    stage.count("one target", 200, "GET", &format!("{PATH}/intents/{id}"), "").await;
    let listed = stage.count("1 change", 200, "GET", CHANGES, "").await;
    let change = listed["changes"][0].clone();
    let text = |field: &str| change[field].as_str().expect("a text");
    stage.count("", 200, "GET", &format!("{CHANGES}/{}", text("id")), "").await;
    let of_campaign = format!("{CHANGES}?campaign_id={}", text("campaign_id"));
    stage.count("of a campaign, 1 change", 200, "GET", &of_campaign, "").await;
    for number in 1..25 {
        let name = json!({"name": format!("Renamed {number}")}).to_string();
        stage.ask(200, "PATCH", &format!("{PATH}/{}", text("campaign_id")), &name).await;
    }
    stage.count("25 changes", 200, "GET", CHANGES, "").await;
    stage.count("of a campaign, 25 changes", 200, "GET", &of_campaign, "").await;
    for path in ["/v1/platforms", "/v1/health", "/v1/openapi.json", "/v1/docs", "/v1/docs/campaigns"] {
        stage.count("", 200, "GET", path, "").await;
    }
    for path in [RESOURCE_METADATA, "/.well-known/oauth-protected-resource", "/.well-known/oauth-authorization-server"]
    {
        stage.count("", 200, "GET", path, "").await;
    }
    let program = json!({"client_name": "A", "redirect_uris": ["http://127.0.0.1/callback"]}).to_string();
    stage.count("", 201, "POST", REGISTER, &program).await;
    stage.rows
}
