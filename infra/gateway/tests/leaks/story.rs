//! What happens to a connection in its life, and everything that can go wrong in it.

use super::scene::Scene;
use serde_json::{Value, json};

/// What a platform can do to a call.
const FAULTS: [&str; 6] = ["error", "drop", "drop_after", "throttle", "garbage", "revoked"];

/// Tells the story of one platform.
pub(crate) async fn tell(scene: &Scene, platform: &str) {
    callbacks_that_are_refused(scene, platform).await;
    consents_that_fail(scene, platform).await;
    scene.connect(platform).await;
    work(scene, platform).await;
    work_that_fails(scene, platform).await;
    refreshes(scene, platform).await;
    removals(scene, platform).await;
    // What stays is a connection with tokens, and an authorization under way.
    scene.connect(platform).await;
    scene.consent(platform, "approve").await;
}

async fn callbacks_that_are_refused(scene: &Scene, platform: &str) {
    let denied = scene.consent(platform, "deny").await;
    let back = scene.consent(platform, "approve").await;
    let path = format!("/v1/oauth/callback/{platform}");
    let name = if platform == "gamma_ads" { "auth_code" } else { "code" };
    let query = back.split('?').nth(1).unwrap();
    let state = query.split('&').find(|pair| pair.starts_with("state=")).unwrap();
    let (code, wrong) = (format!("wrong-code-of-{platform}-7c1f0e"), "wr0ng-state".repeat(4)[..43].to_owned());
    scene.keep("wrong code", &code);
    scene.keep("wrong state", &wrong);
    for (address, status) in [
        (denied, 200),
        (format!("{path}?{name}={code}&state={wrong}"), 400),
        (format!("{path}?{name}={code}&state={wrong}&state={wrong}"), 400),
        (format!("{path}?{name}={code}&state={wrong}{wrong}"), 400),
        (format!("{back}&error=server_error"), 400),
        (format!("/v1/oauth/callback/nobody?{query}"), 404),
        (format!("/v1/oauth/callback?{query}"), 404),
        (format!("/v1/connections?{query}"), 401),
        // This one uses the state up.
        (format!("{path}?{name}={code}&{state}"), 400),
        (back, 400),
    ] {
        assert_eq!(scene.send("GET", &address, &[], "").await.status, status, "{address}");
    }
}

async fn consents_that_fail(scene: &Scene, platform: &str) {
    for operation in ["token", "accounts"] {
        for fault in FAULTS {
            let back = scene.consent(platform, "approve").await;
            scene.fault(platform, operation, fault).await;
            let answer = scene.send("GET", &back, &[], "").await;
            assert!(!answer.status.is_success(), "{platform} {operation} {fault}");
            scene.fault(platform, operation, "").await;
        }
    }
}

/// A flat create body that every platform takes.
fn campaign(platform: &str, name: &str) -> Value {
    json!({"name": name, "goal": "TRAFFIC", "budget_amount": 50, "budget_period": "DAILY", "platform": platform})
}

async fn create(scene: &Scene, platform: &str, name: &str) -> String {
    let answer = scene.ask("POST", "/v1/campaigns", &campaign(platform, name)).await;
    assert_eq!(answer.status, 201, "{platform}: {}", String::from_utf8_lossy(&answer.body));
    let made: Value = serde_json::from_slice(&answer.body).unwrap();
    format!("/v1/campaigns/{}", made["id"].as_str().unwrap())
}

/// The path of the platform's connection.
async fn connection(scene: &Scene, platform: &str) -> String {
    let answer = scene.ask("GET", "/v1/connections", &Value::Null).await;
    let body: Value = serde_json::from_slice(&answer.body).unwrap();
    let of = |known: &&Value| known["platform"] == platform && known["status"] != "PENDING";
    let found = body["connections"].as_array().unwrap().iter().find(of).unwrap();
    format!("/v1/connections/{}", found["id"].as_str().unwrap())
}

async fn work(scene: &Scene, platform: &str) {
    let path = create(scene, platform, "Everyday").await;
    let connection = connection(scene, platform).await;
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
        assert_eq!(scene.ask(method, path, &body).await.status, status, "{platform} {method} {path}");
    }
}

async fn work_that_fails(scene: &Scene, platform: &str) {
    for fault in FAULTS {
        let path = create(scene, platform, &format!("For {fault}")).await;
        let list = format!("/v1/campaigns?platform={platform}");
        for (operation, method, path, body) in [
            ("list", "GET", list.as_str(), Value::Null),
            ("get", "GET", &path, Value::Null),
            ("update", "PATCH", &path, json!({"name": format!("After {fault}")})),
            ("create", "POST", "/v1/campaigns", campaign(platform, &format!("Never {fault}"))),
            ("accounts", "POST", "/v1/connections/sync", Value::Null),
            ("delete", "DELETE", &path, Value::Null),
        ] {
            scene.fault(platform, operation, fault).await;
            let answer = scene.ask(method, path, &body).await;
            // What was created is found, though its answer was lost.
            let must_fail = operation == "list" || operation == "create" && fault != "drop_after";
            assert!(!must_fail || !answer.status.is_success(), "{platform} {operation} {fault}");
            scene.fault(platform, operation, "").await;
            scene.end_pauses(platform).await;
            if fault == "revoked" {
                scene.connect(platform).await;
            }
        }
    }
}

/// After each failure there is a new consent: where refresh tokens rotate, a lost answer leaves the grant leased.
async fn refreshes(scene: &Scene, platform: &str) {
    let list = format!("/v1/campaigns?platform={platform}");
    // Two generations of tokens.
    for _ in 0..2 {
        scene.run_out(platform).await;
        let status = scene.ask("GET", &list, &Value::Null).await.status;
        assert_eq!(status, if platform == "gamma_ads" { 424 } else { 200 }, "{platform}");
    }
    for fault in FAULTS {
        scene.connect(platform).await;
        scene.run_out(platform).await;
        scene.fault(platform, "refresh", fault).await;
        let answer = scene.ask("GET", &list, &Value::Null).await;
        assert!(!answer.status.is_success(), "{platform} {fault}");
        scene.fault(platform, "refresh", "").await;
    }
    scene.connect(platform).await;
}

async fn removals(scene: &Scene, platform: &str) {
    for fault in ["error", "drop", "throttle", "garbage", ""] {
        scene.fault(platform, "revoke", fault).await;
        let connection = connection(scene, platform).await;
        assert_eq!(scene.ask("DELETE", &connection, &Value::Null).await.status, 204, "{platform} {fault}");
        scene.fault(platform, "revoke", "").await;
        scene.connect(platform).await;
    }
}

/// One platform fails where several are asked.
pub(crate) async fn together(scene: &Scene) {
    let answer = scene.ask("GET", "/v1/connections", &Value::Null).await;
    let body: Value = serde_json::from_slice(&answer.body).unwrap();
    let active = body["connections"].as_array().unwrap().iter().filter(|known| known["status"] == "ACTIVE");
    let target = |known: &Value| {
        let upper = known["platform"].as_str().unwrap().trim_end_matches("_ads").to_uppercase();
        json!({"platform": upper, "organization_id": known["remote_account_id"]})
    };
    let targets: Vec<Value> = active.map(target).collect();
    let create = json!({"name": "Everywhere", "goal": "WEBSITE_TRAFFIC", "budget_amount": 50, "budget_period": "DAILY",
        "targets": targets});
    for fault in FAULTS.into_iter().filter(|fault| *fault != "revoked") {
        for (operation, method, body, status) in [("list", "GET", &Value::Null, 200), ("create", "POST", &create, 207)]
        {
            scene.fault("zeta_ads", operation, fault).await;
            assert_eq!(scene.ask(method, "/v1/campaigns", body).await.status, status, "{operation} {fault}");
            scene.fault("zeta_ads", operation, "").await;
        }
    }
}

/// Billing, with everything that the payment provider can do to a call.
pub(crate) async fn billing(scene: &Scene) {
    let plan = json!({"plan": "pro"});
    for (operation, path, body) in [
        ("checkout", "create-checkout-session", &plan),
        ("portal", "portal", &Value::Null),
        ("customer", "portal", &Value::Null),
    ] {
        for fault in ["error", "drop", "throttle", "garbage"] {
            scene.fault("stripe", operation, fault).await;
            scene.ask("POST", &format!("/v1/billing/{path}"), body).await;
            scene.fault("stripe", operation, "").await;
        }
    }
    for (method, path, status) in [
        ("GET", "/v1/billing/status", 200),
        ("GET", "/v1/customer/me", 200),
        ("GET", "/v1/billing/return?session_id=cs_test_none", 400),
        ("POST", "/v1/billing/webhook", 400),
    ] {
        assert_eq!(scene.ask(method, path, &Value::Null).await.status, status, "{path}");
    }
}

/// What the usage log shows of all this, page by page.
pub(crate) async fn usage_log(scene: &Scene) {
    let (mut cursor, mut entries) = (String::new(), 0);
    loop {
        let answer = scene.ask("GET", &format!("/v1/usage-logs?limit=100{cursor}"), &Value::Null).await;
        assert_eq!(answer.status, 200);
        let page: Value = serde_json::from_slice(&answer.body).unwrap();
        entries += page["usage_logs"].as_array().unwrap().len();
        let Some(next) = page["pagination"]["next_cursor"].as_str() else { break };
        cursor = format!("&cursor={next}");
    }
    assert!(entries > 500, "{entries} entries");
}

/// Keys in every place but the right one, keys that are not valid, and a key that is replaced.
pub(crate) async fn keys(scene: &Scene) {
    let second = scene.admin(&["create-customer", "--email", "second@example.com"]);
    let last = if scene.key.ends_with('0') { "1" } else { "0" };
    let mistyped = format!("{}{last}", &scene.key[..scene.key.len() - 1]);
    scene.keep("mistyped API key", &mistyped);
    let key = [("x-api-key", scene.key.as_str())];
    for (headers, status) in [
        (vec![("x-api-key", mistyped.as_str())], 401),
        (vec![("authorization", scene.key.as_str())], 401),
        (vec![("x-api-key", &second)], 200),
        (vec![key[0], ("x-api-shape", &second)], 400),
        (vec![key[0], ("idempotency-key", &second), ("content-type", &second)], 200),
    ] {
        assert_eq!(scene.send("GET", "/v1/campaigns", &headers, "").await.status, status, "{headers:?}");
    }
    for key in [scene.key.as_str(), second.as_str()] {
        misplaced(scene, key).await;
    }
    let rotated = scene.admin(&["rotate-key", "--customer", &scene.customer]);
    for (key, status) in [(scene.key.as_str(), 401), (rotated.as_str(), 200)] {
        assert_eq!(scene.send("GET", "/v1/connections", &[("x-api-key", key)], "").await.status, status);
    }
}

/// A key as a value where none belongs. A caller who makes it the *name* of a field or parameter is told that name.
async fn misplaced(scene: &Scene, key: &str) {
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
        let answer = scene.ask("GET", &path.replace('K', key), &Value::Null).await;
        assert!(answer.status.is_client_error(), "{path}");
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
        let headers = [("x-api-key", scene.key.as_str()), ("content-type", "application/json")];
        for (method, path) in [("POST", "/v1/campaigns"), ("PATCH", "/v1/campaigns/alpha_1_2")] {
            let answer = scene.send(method, path, &headers, &body.replace('K', key)).await;
            assert!(answer.status.is_client_error(), "{method} {body}");
        }
    }
}
