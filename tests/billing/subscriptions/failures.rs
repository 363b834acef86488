//! A payment provider that fails or loses responses.

use super::{CHECKOUT, PORTAL, pair};
use crate::world::World;
use serde_json::{Value, json};

/// Operations of the provider, and an endpoint that uses each.
const OPERATIONS: [(&str, &str); 4] =
    [("customer", PORTAL), ("portal", PORTAL), ("checkout", CHECKOUT), ("subscription", CHECKOUT)];

fn body_of(path: &str) -> Value {
    if path == CHECKOUT { json!({ "plan": "pro" }) } else { json!({}) }
}

#[tokio::test]
async fn a_failing_provider_is_retryable_and_the_next_attempt_succeeds() {
    for (operation, path) in OPERATIONS {
        let world = World::start().await;
        // The provider stores the failure of a write under its idempotency key, so a retry fails too.
        let errors = if operation == "subscription" { 3 } else { 1 };
        for (fault, times, status, code) in [
            ("error", errors, 502, "PLATFORM_ERROR"),
            ("garbage", 1, 502, "PLATFORM_ERROR"),
            ("throttle", 1, 429, "RATE_LIMITED"),
        ] {
            world.fault("stripe", operation, fault, times).await;
            let failed = world.ask("POST", path).json(&body_of(path)).expect(status).await;
            let error = failed.json();
            assert_eq!(
                (&error["code"], &error["retryable"]),
                (&json!(code), &json!(true)),
                "{operation} {fault}: {error}"
            );
            assert_eq!(error.get("platform").unwrap_or(&Value::Null), &Value::Null);
            assert_eq!(failed.header("retry-after").is_empty(), status != 429);
            // A stored payment customer is not created again, so its other failures come first.
            if operation != "customer" || fault == "throttle" {
                world.ask("POST", path).json(&body_of(path)).expect(200).await;
            }
        }
        assert_eq!(world.table_dump().await.matches("\"PAYMENT_CUSTOMER#cus_").count(), 1, "{operation}");
    }
}

/// The provider replays a stored failure to every attempt under the same key, so trying again with it is of no use.
#[tokio::test]
async fn a_failure_stored_under_the_callers_key_asks_for_a_new_key() {
    let world = World::start().await;
    for (operation, path) in [("checkout", CHECKOUT), ("portal", PORTAL)] {
        let ask = |key: &str| world.ask("POST", path).json(&body_of(path)).header("idempotency-key", key);
        world.fault("stripe", operation, "error", 1).await;
        for _ in 0..2 {
            let error = ask(operation).expect(502).await.json();
            assert_eq!(error["retryable"], json!(false), "{operation}: {error}");
            assert!(error["error"].as_str().expect("a message").ends_with("use a new key."), "{operation}: {error}");
        }
        ask(&format!("{operation}-2")).expect(200).await;
    }
}

#[tokio::test]
async fn a_lost_response_is_retried_and_creates_no_second_customer() {
    let world = World::start().await;
    for (operation, path) in OPERATIONS {
        for fault in ["drop_after", "drop"] {
            // A stored payment customer is not created again.
            if operation == "customer" && fault == "drop" {
                continue;
            }
            world.fault("stripe", operation, fault, 1).await;
            world.ask("POST", path).json(&body_of(path)).expect(200).await;
        }
    }
    assert_eq!(world.table_dump().await.matches("\"PAYMENT_CUSTOMER#cus_").count(), 1);
    let customers = world.provider_requests("POST /v1/customers").await;
    assert_eq!(customers, 2, "one lost response, one retry");
}

#[tokio::test]
async fn a_purchase_that_cannot_be_confirmed_is_not_lost() {
    let world = World::start().await;
    let session = world.checkout("pro").await;
    let paid = world.click(&session["checkout_url"], "decision=pay").await;
    world.delivered_events().await;
    world.fault("stripe", "checkout", "error", 3).await;
    let page = world.request("GET", paid.header("location")).expect(502).await;
    assert!(page.text.contains("nothing is lost"), "{}", page.text);
    world.request("GET", paid.header("location")).expect(200).await;
    assert_eq!(world.subscription_state().await, pair("pro", "active"));
}

#[tokio::test]
async fn a_function_without_payments_starts_without_their_secret() {
    use shared::app::{App, Config};
    use shared::secrets::SecretAccess;
    let world = World::start().await;
    let config = Config { secrets: SecretAccess::PLATFORMS, ..world.gateway.config.clone() };
    let app = App::start(config).await.expect("a function");
    assert!(app.payments.is_none() && world.gateway.app.payments.is_some());
}
