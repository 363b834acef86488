//! Every request ends in time when a dependency hangs: within 28 s, 3 s after the limit for platform calls.

mod case;

use super::stage::{EVERY_REQUEST, Stage};
use crate::world::{campaign, platforms};
use case::{Case, send_all};
use serde_json::{Value, json};
use shared::domain::Platform;
use std::sync::Arc;
use tokio::time::{Duration, sleep};

/// The platforms and the payment provider.
fn dependencies() -> impl Iterator<Item = &'static str> {
    platforms().into_iter().map(|(platform, _)| platform).chain(["stripe"])
}

/// The platforms on which a create first looks something up, such as a campaign group or a pixel.
async fn look_up_first(stage: &Stage) -> Vec<&'static str> {
    let mut found = Vec::new();
    for (platform, _) in platforms() {
        let before = stage.received(platform).await.len();
        stage.create(platform, "Its first call").await;
        if stage.received(platform).await[before]["method"] == "GET" {
            found.push(platform);
        }
    }
    found
}

async fn on_all_platforms(stage: &Stage, name: &str) -> Value {
    let listed = stage.ask_ok("GET", "/v1/connections", &Value::Null).await;
    let connections = listed["connections"].as_array().expect("a list");
    let target = |connection: &Value| {
        let platform = connection["platform"].as_str().expect("a platform").trim_end_matches("_ads").to_uppercase();
        json!({"platform": platform, "organization_id": connection["remote_account_id"]})
    };
    let targets: Vec<Value> = connections.iter().map(target).collect();
    assert_eq!(targets.len(), platforms().len());
    json!({"name": name, "goal": "SALES", "budget_amount": 50, "budget_period": "DAILY", "targets": targets})
}

/// Creates with and without a key, in one account and in all.
async fn creates(stage: &Stage) -> Vec<Case> {
    let mut cases: Vec<Case> =
        platforms().map(|(platform, _)| Case::create(None, campaign(platform, "Single"))).into_iter().collect();
    cases.push(Case::create(Some("one"), campaign("beta_ads", "Keyed")));
    cases.push(Case::create(None, on_all_platforms(stage, "Everywhere").await));
    cases.push(Case::create(Some("all"), on_all_platforms(stage, "Keyed everywhere").await));
    cases
}

/// Every other request that calls platforms or the payment provider.
async fn others(stage: &Stage) -> Vec<Case> {
    let mut cases = vec![
        Case::new("GET", "/v1/campaigns", Value::Null),
        Case::new("POST", "/v1/connections/sync", Value::Null),
        Case::new("POST", "/v1/billing/create-checkout-session", json!({"plan": "pro"})),
        Case::new("POST", "/v1/billing/portal", json!({})),
    ];
    for (platform, _) in platforms() {
        let created = stage.create(platform, "There already").await;
        let path = format!("/v1/campaigns/{}", created["id"].as_str().expect("an id"));
        cases.push(Case::new("GET", path.as_str(), Value::Null));
        cases.push(Case::new("PATCH", path.as_str(), json!({"name": "Renamed"})));
        cases.push(Case::new("DELETE", path, Value::Null));
        let begun = stage.ask_ok("GET", &format!("/v1/connections/{platform}/authorize"), &Value::Null).await;
        let page = begun["authorize_url"].as_str().expect("an address");
        cases.push(Case::new("GET", stage.world.consent(page, &[]).await, Value::Null));
    }
    cases
}

async fn check_hanging_dependencies(fault: &str) {
    let stage = Stage::new(&Platform::ALL).await;
    let look_up_first = look_up_first(&stage).await;
    let (creates, others) = (creates(&stage).await, others(&stage).await);
    for dependency in dependencies() {
        stage.hang(dependency, "any", fault, 10_000).await;
    }
    let app = Arc::new(stage.world.straight());
    let (creates, others) = tokio::join!(send_all(&stage, &app, creates), send_all(&stage, &app, others));
    for case in &creates {
        match case.body["platform"].as_str() {
            Some(platform) if look_up_first.contains(&platform) => case.assert_platform_error(true),
            _ => case.assert_unknown(),
        }
        for (platform, state) in case.create_states(&stage).await {
            let expected = if look_up_first.contains(&platform.as_str()) { "not_created" } else { "unknown" };
            assert_eq!(state, expected, "{platform}: {case:?}");
        }
    }
    for case in &others {
        match case.path.as_str() {
            // The response reports each connection separately.
            "/v1/connections/sync" => assert!([200, 502, 503, 504].contains(&case.status), "{case:?}"),
            path if path.starts_with("/v1/oauth/") => {
                assert!([502, 504].contains(&case.status) && case.response.contains("<html"), "{case:?}");
            }
            _ => {
                assert!([502, 503, 504].contains(&case.status), "{case:?}");
                assert_eq!(case.error()["code"], "PLATFORM_ERROR", "{case:?}");
            }
        }
    }
}

#[tokio::test(start_paused = true)]
async fn platforms_that_act_and_never_respond_delay_no_caller() {
    check_hanging_dependencies("slow").await;
}

#[tokio::test(start_paused = true)]
async fn platforms_that_act_late_delay_no_caller() {
    check_hanging_dependencies("late").await;
}

#[tokio::test(start_paused = true)]
async fn a_store_that_hangs_at_authentication_delays_no_caller() {
    let stage = Stage::new(&Platform::ALL).await;
    let mut cases = creates(&stage).await;
    cases.extend(others(&stage).await);
    for (method, path) in [
        ("GET", "/v1/connections"),
        ("GET", "/v1/connections/alpha_ads/authorize"),
        ("GET", "/v1/customer/me"),
        ("GET", "/v1/billing/status"),
        ("GET", "/v1/usage-logs"),
        ("GET", "/v1/redirect-uris"),
        ("GET", "/v1/webhook-endpoints"),
        ("GET", "/v1/api-keys"),
        ("POST", "/v1/api-keys/rotate"),
    ] {
        cases.push(Case::new(method, path, Value::Null));
    }
    stage.world.control("POST", "reset", &Value::Null).await;
    for case in send_all(&stage, &stage.with_slow_store(&[EVERY_REQUEST]), cases).await {
        assert!([500, 502, 504].contains(&case.status), "{case:?}");
        if !case.path.starts_with("/v1/oauth/") {
            let code = case.error()["code"].clone();
            assert!([json!("INTERNAL_ERROR"), json!("PLATFORM_ERROR")].contains(&code), "{case:?}");
        }
    }
    for dependency in dependencies() {
        assert_eq!(stage.received(dependency).await.len(), 0, "{dependency}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_store_that_hangs_after_the_create_delays_no_caller() {
    let stage = Stage::new(&Platform::ALL).await;
    let cases = creates(&stage).await;
    // Writes after a campaign was created, and at the end of a request with a key.
    let app = stage.with_slow_store(&["APPLIED", ":ended"]);
    let cases = send_all(&stage, &app, cases).await;
    let expected: usize = cases.iter().map(|case| case.body["targets"].as_array().map_or(1, Vec::len)).sum();
    for case in &cases {
        // The response may be 201 although its create is not stored yet.
        if case.status != 201 {
            case.assert_unknown();
        }
        assert!(case.create_states(&stage).await.iter().all(|(_, state)| state == "unknown"), "{case:?}");
    }
    assert_eq!(stage.campaigns().await, expected, "every campaign is created once");
    sleep(Duration::from_secs(120)).await;
    let report = maintenance::run(&stage.app).await.expect("maintenance runs to its end");
    assert_eq!((report.changes, report.failed), (expected, 0));
    for case in &cases {
        assert!(case.create_states(&stage).await.iter().all(|(_, state)| state == "created"), "{case:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_store_that_hangs_after_a_hanging_platform_delays_no_caller() {
    let stage = Stage::new(&Platform::ALL).await;
    let cases = creates(&stage).await;
    for (platform, _) in platforms() {
        stage.hang(platform, "create", "late", 10_000).await;
    }
    // Writes after a create with an unknown outcome, and at the end of a request with a key.
    let app = stage.with_slow_store(&["doubt_told", ":ended"]);
    for case in send_all(&stage, &app, cases).await {
        case.assert_unknown();
        assert!(case.create_states(&stage).await.iter().all(|(_, state)| state == "unknown"), "{case:?}");
    }
}
