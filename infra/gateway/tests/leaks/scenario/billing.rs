//! Billing, with failures of the payment provider.

use crate::leaks::fixture::Fixture;
use serde_json::{Value, json};

/// Runs every billing operation, with every fault of the payment provider.
pub(crate) async fn run(fixture: &Fixture) {
    let plan = json!({"plan": "pro"});
    for (operation, path, body) in [
        ("checkout", "create-checkout-session", &plan),
        ("portal", "portal", &Value::Null),
        ("customer", "portal", &Value::Null),
    ] {
        for fault in ["error", "drop", "throttle", "garbage"] {
            fixture.set_fault("stripe", operation, fault).await;
            fixture.call("POST", &format!("/v1/billing/{path}"), body).await;
            fixture.clear_fault("stripe", operation).await;
        }
    }
    for (method, path, status) in [
        ("GET", "/v1/billing/status", 200),
        ("GET", "/v1/customer/me", 200),
        ("GET", "/v1/billing/return?session_id=cs_test_none", 400),
        ("POST", "/v1/billing/webhook", 400),
    ] {
        assert_eq!(fixture.call(method, path, &Value::Null).await.status, status, "{path}");
    }
}
