//! Connecting, refreshing and removing, each with its failures.

use super::FAULTS;
use crate::leaks::fixture::Fixture;
use serde_json::Value;

/// Callbacks with a wrong code, a wrong state, or at a wrong path.
pub(super) async fn fail_callbacks(fixture: &Fixture, platform: &str) {
    let denied = fixture.consent(platform, "deny").await;
    let callback = fixture.consent(platform, "approve").await;
    let path = format!("/v1/oauth/callback/{platform}");
    let code_parameter = if platform == "gamma_ads" { "auth_code" } else { "code" };
    let query = callback.split('?').nth(1).unwrap();
    let state = query.split('&').find(|pair| pair.starts_with("state=")).unwrap();
    let code = format!("wrong-code-of-{platform}-7c1f0e");
    let wrong_state = "wr0ng-state".repeat(4)[..43].to_owned();
    fixture.record_secret("wrong code", &code);
    fixture.record_secret("wrong state", &wrong_state);
    for (path_and_query, status) in [
        (denied, 200),
        (format!("{path}?{code_parameter}={code}&state={wrong_state}"), 400),
        (format!("{path}?{code_parameter}={code}&state={wrong_state}&state={wrong_state}"), 400),
        (format!("{path}?{code_parameter}={code}&state={wrong_state}{wrong_state}"), 400),
        (format!("{callback}&error=server_error"), 400),
        (format!("/v1/oauth/callback/nobody?{query}"), 404),
        (format!("/v1/oauth/callback?{query}"), 404),
        (format!("/v1/connections?{query}"), 401),
        // This request consumes the state, so the next one fails.
        (format!("{path}?{code_parameter}={code}&{state}"), 400),
        (callback, 400),
    ] {
        assert_eq!(fixture.send("GET", &path_and_query, &[], "").await.status, status, "{path_and_query}");
    }
}

/// Faults in the calls that exchange the code and list the accounts.
pub(super) async fn fail_consents(fixture: &Fixture, platform: &str) {
    for operation in ["token", "accounts"] {
        for fault in FAULTS {
            let callback = fixture.consent(platform, "approve").await;
            fixture.set_fault(platform, operation, fault).await;
            let response = fixture.send("GET", &callback, &[], "").await;
            assert!(!response.status.is_success(), "{platform} {operation} {fault}");
            fixture.clear_fault(platform, operation).await;
        }
    }
}

/// The path of the platform's connection.
pub(super) async fn connection_path(fixture: &Fixture, platform: &str) -> String {
    let response = fixture.call("GET", "/v1/connections", &Value::Null).await;
    let body: Value = serde_json::from_slice(&response.body).unwrap();
    let is_connected = |connection: &&Value| connection["platform"] == platform && connection["status"] != "PENDING";
    let connection = body["connections"].as_array().unwrap().iter().find(is_connected).unwrap();
    format!("/v1/connections/{}", connection["id"].as_str().unwrap())
}

/// Faults in a refresh. Each one needs a new consent: with rotating refresh tokens, a lost response leaves the grant
/// leased.
pub(super) async fn refresh_with_faults(fixture: &Fixture, platform: &str) {
    let list = format!("/v1/campaigns?platform={platform}");
    // Two refreshes issue two generations of tokens.
    for _ in 0..2 {
        fixture.expire_access_tokens(platform).await;
        let status = fixture.call("GET", &list, &Value::Null).await.status;
        assert_eq!(status, if platform == "gamma_ads" { 424 } else { 200 }, "{platform}");
    }
    for fault in FAULTS {
        fixture.connect(platform).await;
        // The fault comes first: maintenance may refresh between the two.
        fixture.set_fault(platform, "refresh", fault).await;
        fixture.expire_access_tokens(platform).await;
        let response = fixture.call("GET", &list, &Value::Null).await;
        assert!(!response.status.is_success(), "{platform} {fault}");
        fixture.clear_fault(platform, "refresh").await;
    }
    fixture.connect(platform).await;
}

/// Faults in a revocation. The connection is removed all the same.
pub(super) async fn remove_with_faults(fixture: &Fixture, platform: &str) {
    for fault in ["error", "drop", "throttle", "garbage"] {
        fixture.set_fault(platform, "revoke", fault).await;
        remove(fixture, platform, fault).await;
        fixture.clear_fault(platform, "revoke").await;
        fixture.connect(platform).await;
    }
    remove(fixture, platform, "no fault").await;
    fixture.connect(platform).await;
}

async fn remove(fixture: &Fixture, platform: &str, fault: &str) {
    let connection = connection_path(fixture, platform).await;
    assert_eq!(fixture.call("DELETE", &connection, &Value::Null).await.status, 204, "{platform} {fault}");
}
