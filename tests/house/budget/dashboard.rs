//! Pages of the dashboard.

use super::stage::Stage;
use super::table::Row;
use crate::world::{campaign, id_of};
use lambda_http::{Body, Request};
use serde_json::json;
use shared::auth::{ApiKey, CustomerToken};
use shared::domain::{Person, PersonId, Plan, Platform, Role, Session};

/// The pages, with one connection and one campaign. Each has a session of the same minute, so none records a request.
pub(super) async fn story() -> Vec<Row> {
    let mut stage = Stage::new(Plan::Enterprise, &[Platform::Alpha]).await;
    let created = stage.ask(201, "POST", "/v1/campaigns", &campaign("alpha_ads", "One").to_string()).await;
    let one = format!("/dashboard/campaigns/one?id={}", id_of(&created));
    let before = [
        ("1 connection", "/dashboard"),
        ("1 key", "/dashboard/keys"),
        ("1 connection", "/dashboard/connections"),
        ("alpha_ads, 1 campaign", "/dashboard/campaigns"),
        ("alpha_ads, 1 change", one.as_str()),
        ("1 change", "/dashboard/activity"),
        ("alpha_ads, 1 campaign", "/dashboard/insights"),
        ("alpha_ads, 1 campaign", "/dashboard/months"),
        ("1 entry", "/dashboard/usage"),
        ("", "/dashboard/billing"),
        ("", "/dashboard/settings"),
    ];
    for (case, path) in before {
        show(&mut stage, case, path).await;
    }
    let campaign = format!("/v1/campaigns/{}", id_of(&created));
    stage.ask(200, "PATCH", &campaign, r#"{"status":"ACTIVE"}"#).await;
    show(&mut stage, "alpha_ads, 1 campaign", "/dashboard/campaigns/pause-all").await;
    let bulk = stage.ask(202, "POST", "/v1/campaigns/status", r#"{"status":"PAUSED","all":true}"#).await;
    let told = format!("/dashboard/campaigns/status?id={}", bulk["bulk_id"].as_str().expect("an id"));
    show(&mut stage, "1 account, 1 change", &told).await;
    let endpoint = json!({"url": "https://example.com/webhooks", "types": ["*"]}).to_string();
    let endpoint = id_of(&stage.ask(201, "POST", "/v1/webhook-endpoints", &endpoint).await);
    stage.ask(200, "POST", &format!("/v1/webhook-endpoints/{endpoint}/test"), "").await;
    show(&mut stage, "1 endpoint", "/dashboard/webhooks").await;
    show(&mut stage, "1 delivery", &format!("/dashboard/webhooks/one?id={endpoint}")).await;
    // From here on the session reads the changes awaiting approval.
    let agent = agent(&mut stage).await;
    show(&mut stage, "1 agent", "/dashboard/agents").await;
    show(&mut stage, "1 currency", &format!("/dashboard/agents/limit?id={agent}")).await;
    of_user(&mut stage).await;
    stage.rows
}

/// The pages of a user to whom the connection belongs, and the lists of what is the user's.
async fn of_user(stage: &mut Stage) {
    let connections = stage.ask(200, "GET", "/v1/connections", "").await;
    let path = format!("/v1/connections/{}", connections["connections"][0]["id"].as_str().expect("an id"));
    stage.ask(200, "PATCH", &path, r#"{"external_ref":"shop42"}"#).await;
    let limit = json!({"spending_limit": {"amounts": [{"currency": "USD", "daily": 50}]}}).to_string();
    stage.ask(200, "PUT", "/v1/users/shop42", &limit).await;
    let removal = path.replace("/v1/connections/", "/dashboard/connections/remove?id=");
    show(stage, "alpha_ads", &removal).await;
    show(stage, "1 user", "/dashboard/users").await;
    for (case, page) in [
        ("with a limit", "users/one"),
        ("1 currency", "users/limit"),
        ("of a user", "campaigns"),
        ("of a user", "approvals"),
        ("of a user", "activity"),
        ("of a user", "insights"),
        ("of a user", "months"),
        ("of a user", "usage"),
    ] {
        show(stage, case, &format!("/dashboard/{page}?external_ref=shop42")).await;
    }
}

/// Makes a key with a limit; returns its id.
async fn agent(stage: &mut Stage) -> String {
    let connections = stage.ask(200, "GET", "/v1/connections", "").await;
    let limit = json!({
        "connections": [connections["connections"][0]["id"]],
        "amounts": [{"currency": "USD", "daily": 50}],
    });
    let key = json!({"name": "Agent", "scopes": ["campaigns"], "spending_limit": limit}).to_string();
    id_of(&stage.ask(201, "POST", "/v1/api-keys", &key).await)
}

/// Counts a page.
async fn show(stage: &mut Stage, case: &str, path: &str) {
    let request = http::Request::builder().uri(path).header("cookie", session(stage).await);
    let request: Request = request.body(Body::Empty).expect("a request");
    stage.count_as(case, 200, request).await;
}

/// The cookie of a person who belongs to the customer.
async fn session(stage: &Stage) -> String {
    let customer = ApiKey::parse(&stage.in_process.api_key).expect("a key").customer();
    let token = CustomerToken::generate(customer).expect("a token");
    let app = stage.app();
    let id = PersonId("person".to_owned());
    let person = Person::new(id.clone(), None, Role::Owner, app.clock.now());
    app.store.link_person(&person, customer).await.expect("a write");
    let session = Session::new(token.hash(), id, None, None, "Browser", app.clock.now());
    assert!(app.store.begin_session(customer, &session).await.expect("a write"));
    format!("__Host-session={}", token.reveal())
}
