//! Campaigns of one platform and of all of them, with every fault in every operation.

use super::FAULTS;
use super::connections::connection_path;
use crate::leaks::fixture::Fixture;
use serde_json::{Value, json};
use std::time::Duration;

/// A create body for one platform, valid at all of them.
fn create_body(platform: &str, name: &str) -> Value {
    json!({"name": name, "goal": "TRAFFIC", "budget_amount": 50, "budget_period": "DAILY", "platform": platform})
}

/// Creates a campaign and returns its path. Where maintenance met a fault too, the ad account is left alone for some
/// seconds; a client then tries again when the answer says so.
async fn create(fixture: &Fixture, platform: &str, name: &str) -> String {
    let body = create_body(platform, name);
    let mut response = fixture.call("POST", "/v1/campaigns", &body).await;
    while response.status == 502 && String::from_utf8_lossy(&response.body).contains("is left alone for another") {
        let seconds = response.headers["retry-after"].to_str().unwrap().parse().unwrap();
        tokio::time::sleep(Duration::from_secs(seconds)).await;
        response = fixture.call("POST", "/v1/campaigns", &body).await;
    }
    assert_eq!(response.status, 201, "{platform}: {}", String::from_utf8_lossy(&response.body));
    let campaign: Value = serde_json::from_slice(&response.body).unwrap();
    format!("/v1/campaigns/{}", campaign["id"].as_str().unwrap())
}

/// Successful changes and invalid requests.
pub(super) async fn change_campaigns(fixture: &Fixture, platform: &str) {
    let path = create(fixture, platform, "Everyday").await;
    let connection = connection_path(fixture, platform).await;
    for (method, path, body, status) in [
        ("GET", path.as_str(), Value::Null, 200),
        ("PATCH", &path, json!({"name": "Another day"}), 200),
        ("PATCH", &path, json!({"budget_amount": -1}), 400),
        ("GET", &format!("/v1/campaigns?platform={platform}"), Value::Null, 200),
        ("PATCH", &connection, json!({"label": "The one"}), 200),
        ("PATCH", &connection, json!({"label": 1}), 400),
        ("POST", "/v1/connections/sync", Value::Null, 200),
        ("DELETE", &path, Value::Null, 204),
        ("DELETE", &path, Value::Null, 404),
    ] {
        assert_eq!(fixture.call(method, path, &body).await.status, status, "{platform} {method} {path}");
    }
}

/// Every fault in every operation.
pub(super) async fn change_campaigns_with_faults(fixture: &Fixture, platform: &str) {
    for fault in FAULTS {
        let path = create(fixture, platform, &format!("For {fault}")).await;
        let list = format!("/v1/campaigns?platform={platform}");
        for (operation, method, path, body) in [
            ("list", "GET", list.as_str(), Value::Null),
            ("get", "GET", &path, Value::Null),
            ("update", "PATCH", &path, json!({"name": format!("After {fault}")})),
            ("create", "POST", "/v1/campaigns", create_body(platform, &format!("Never {fault}"))),
            ("accounts", "POST", "/v1/connections/sync", Value::Null),
            ("delete", "DELETE", &path, Value::Null),
        ] {
            fixture.set_fault(platform, operation, fault).await;
            let response = fixture.call(method, path, &body).await;
            // After `drop_after` the create is reconciled at once.
            let must_fail = operation == "list" || operation == "create" && fault != "drop_after";
            assert!(!must_fail || !response.status.is_success(), "{platform} {operation} {fault}");
            fixture.clear_fault(platform, operation).await;
            fixture.end_pauses(platform).await;
            if fault == "revoked" {
                fixture.connect(platform).await;
            }
        }
    }
}

/// Requests to all platforms of which one fails.
pub(crate) async fn partial_failures(fixture: &Fixture) {
    let response = fixture.call("GET", "/v1/connections", &Value::Null).await;
    let body: Value = serde_json::from_slice(&response.body).unwrap();
    let active = body["connections"].as_array().unwrap().iter().filter(|connection| connection["status"] == "ACTIVE");
    let target = |connection: &Value| {
        let upper = connection["platform"].as_str().unwrap().trim_end_matches("_ads").to_uppercase();
        json!({"platform": upper, "organization_id": connection["remote_account_id"], "budget_amount": 50})
    };
    let targets: Vec<Value> = active.map(target).collect();
    let create = json!({"name": "Everywhere", "goal": "WEBSITE_TRAFFIC", "budget_amount": 50, "budget_period": "DAILY",
        "targets": targets});
    for fault in FAULTS.into_iter().filter(|fault| *fault != "revoked") {
        for (operation, method, body, status) in [("list", "GET", &Value::Null, 200), ("create", "POST", &create, 207)]
        {
            fixture.set_fault("zeta_ads", operation, fault).await;
            assert_eq!(fixture.call(method, "/v1/campaigns", body).await.status, status, "{operation} {fault}");
            fixture.clear_fault("zeta_ads", operation).await;
        }
    }
}
