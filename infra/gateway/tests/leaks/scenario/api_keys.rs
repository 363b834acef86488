//! API keys in every place, and the usage logs.

use crate::leaks::fixture::Fixture;
use serde_json::{Value, json};

/// Reads all pages of `listUsageLogs`.
pub(crate) async fn read_usage_logs(fixture: &Fixture) {
    let mut cursor = String::new();
    let mut entries = 0;
    loop {
        let response = fixture.call("GET", &format!("/v1/usage-logs?limit=100{cursor}"), &Value::Null).await;
        assert_eq!(response.status, 200);
        let page: Value = serde_json::from_slice(&response.body).unwrap();
        entries += page["usage_logs"].as_array().unwrap().len();
        let Some(next) = page["pagination"]["next_cursor"].as_str() else { break };
        cursor = format!("&cursor={next}");
    }
    assert!(entries > 500, "{entries} entries");
}

/// Created, misplaced, invalid and rotated keys.
pub(crate) async fn run(fixture: &Fixture) {
    let second = fixture.run_admin(&["create-customer", "--email", "second@example.com"]);
    let last = if fixture.api_key.ends_with('0') { "1" } else { "0" };
    let mistyped = format!("{}{last}", &fixture.api_key[..fixture.api_key.len() - 1]);
    fixture.record_secret("mistyped API key", &mistyped);
    let key = [("x-api-key", fixture.api_key.as_str())];
    for (headers, status) in [
        (vec![("x-api-key", mistyped.as_str())], 401),
        (vec![("authorization", fixture.api_key.as_str())], 401),
        (vec![("x-api-key", &second)], 200),
        (vec![key[0], ("x-api-shape", &second)], 400),
        (vec![key[0], ("idempotency-key", &second)], 400),
        (vec![key[0], ("if-match", &second)], 400),
        (vec![key[0], ("content-type", &second)], 200),
    ] {
        assert_eq!(fixture.send("GET", "/v1/campaigns", &headers, "").await.status, status, "{headers:?}");
    }
    for key in [fixture.api_key.as_str(), second.as_str()] {
        misplace(fixture, key).await;
    }
    misplace_tokens(fixture).await;
    let created = fixture.call("POST", "/v1/api-keys", &json!({"name": "Reader", "scopes": ["read"]})).await;
    assert_eq!(created.status, 201);
    let created: Value = serde_json::from_slice(&created.body).unwrap();
    let created = created["api_key"].as_str().unwrap();
    for (method, status) in [("GET", 200), ("POST", 403)] {
        assert_eq!(fixture.send(method, "/v1/api-keys", &[("x-api-key", created)], "").await.status, status);
    }
    let rotated = fixture.run_admin(&["rotate-key", "--customer", &fixture.customer]);
    for (key, status) in [(fixture.api_key.as_str(), 401), (created, 401), (rotated.as_str(), 200)] {
        assert_eq!(fixture.send("GET", "/v1/connections", &[("x-api-key", key)], "").await.status, status);
    }
}

/// Sends what has the form of an assistant's code and tokens to wherever a key may be sent, and where they belong.
async fn misplace_tokens(fixture: &Fixture) {
    let customer = fixture.customer.replace('-', "");
    for (number, kind) in ["uao_test_", "uat_test_", "uar_test_"].into_iter().enumerate() {
        let sealed = format!("{number}BqJ8s-Xk_3Vw").repeat(8);
        let token = format!("{kind}{customer}.v1.k1.{}.{sealed}", &sealed[..16]);
        fixture.record_secret("token of an assistant", &token);
        let bearer = format!("Bearer {token}");
        for headers in [[("authorization", bearer.as_str())], [("x-api-key", token.as_str())]] {
            let message = r#"{"jsonrpc": "2.0", "id": 1, "method": "tools/list"}"#;
            for (method, path, body) in [("POST", "/v1/mcp", message), ("GET", "/v1/campaigns", "")] {
                assert_eq!(fixture.send(method, path, &headers, body).await.status, 401, "{kind} {path}");
            }
        }
        misplace(fixture, &token).await;
    }
}

/// Sends a key as the value of parameters and fields. Errors quote the *names* of unknown ones, so it is a name only at
/// an unknown path.
async fn misplace(fixture: &Fixture, key: &str) {
    for path in [
        "/v1/campaigns?api_key=K",
        "/v1/campaigns?cursor=K",
        "/v1/campaigns?platform=K",
        "/v1/campaigns/K",
        "/v1/campaigns?limit=K",
        "/v1/connections/K/authorize",
        "/v1/connections/alpha_ads/authorize?key=K",
        "/K?K=K",
        "/v1/oauth/callback/alpha_ads?state=K&code=K",
        "/v1/oauth/callback/K",
    ] {
        let response = fixture.call("GET", &path.replace('K', key), &Value::Null).await;
        assert!(response.status.is_client_error(), "{path}");
    }
    for body in [
        r#"{"name": "K"#,
        r#"{"name": "x", "api_key": "K"}"#,
        "K",
        r#""K""#,
        r#"["K"]"#,
        r#"{"goal": "K"}"#,
        r#"{"platform": "K", "name": "K", "goal": "TRAFFIC", "budget_amount": "K", "budget_period": "K"}"#,
        r#"{"targets": ["K"], "budget_amount": K}"#,
        r#"{"connection_id": "K", "organization_id": "K"}"#,
    ] {
        let headers = [("x-api-key", fixture.api_key.as_str()), ("content-type", "application/json")];
        for (method, path) in [("POST", "/v1/campaigns"), ("PATCH", "/v1/campaigns/alpha_1_2")] {
            let response = fixture.send(method, path, &headers, &body.replace('K', key)).await;
            assert!(response.status.is_client_error(), "{method} {body}");
        }
    }
}
