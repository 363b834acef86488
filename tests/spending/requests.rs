//! Keys with a limit through the API: valid limits, and the requests that such a key may make.

use super::{Stage, daily};
use serde_json::{Value, json};
use shared::domain::Platform;

const KEYS: &str = "/v1/api-keys";

#[tokio::test(start_paused = true)]
async fn a_limit_reads_back_as_it_was_set() {
    let limit = |all: &[String]| {
        json!({"connections": all, "amounts": [{"currency": "USD", "daily": 500, "lifetime": 2000, "per_change": 100.5},
            {"currency": "EUR", "daily": 50, "lifetime": 0, "per_change": null}], "creates_per_day": 3, "approval":
            {"activation": true, "amounts": [{"currency": "EUR", "amount": 10.5}]}})
    };
    let stage = Stage::with(&[Platform::Alpha], limit).await;
    let keys = stage.owner("GET", KEYS, &Value::Null).await;
    let told = keys["api_keys"].as_array().expect("a list").iter().find(|key| key["name"] == "Agent").expect("a key");
    assert_eq!(told["spending_limit"], limit(&stage.connections));
    let path = format!("{KEYS}/{}", stage.key);
    let again = stage.owner("PATCH", &path, &json!({"spending_limit": told["spending_limit"]})).await;
    assert_eq!(again["spending_limit"], told["spending_limit"], "what is read can be sent back");
    assert!(keys["api_keys"].as_array().expect("a list").iter().any(|key| key["spending_limit"].is_null()));
    let limits = stage.agent("GET", "/v1/limits", &Value::Null).await.body;
    let sum = |amount: i64| json!({"limit": amount, "reserved": 0, "left": amount});
    let expected = json!({"limited": true, "connections": stage.connections, "creates": {"limit": 3, "used": 0},
        "amounts": [{"currency": "USD", "daily": sum(500), "lifetime": sum(2000), "per_change": 100.5},
            {"currency": "EUR", "daily": sum(50), "lifetime": sum(0), "per_change": null}],
        "approval": {"activation": true, "amounts": [{"currency": "EUR", "amount": 10.5}]}});
    assert_eq!(limits, expected);
    assert_eq!(stage.owner("GET", "/v1/limits", &Value::Null).await, json!({"limited": false}));
}

#[tokio::test(start_paused = true)]
async fn an_invalid_limit_names_its_field() {
    let stage = Stage::with_daily(&[Platform::Alpha], 100).await;
    let usd =
        |daily: Value| json!({"connections": stage.connections, "amounts": [{"currency": "USD", "daily": daily}]});
    let deep = |name: &str, value: Value| {
        let mut limit = usd(json!(1));
        limit["amounts"][0][name] = value;
        limit
    };
    let approval = |rule: Value| {
        let mut limit = usd(json!(1));
        limit["approval"] = rule;
        limit
    };
    for (field, limit) in [
        ("spending_limit", json!(7)),
        ("spending_limit.connections", json!({"amounts": [{"currency": "USD", "daily": 1}]})),
        (
            "spending_limit.connections",
            json!({"connections": ["conn_x"], "amounts": [{"currency": "USD", "daily": 1}]}),
        ),
        ("spending_limit.amounts", json!({"connections": stage.connections})),
        ("spending_limit.amounts", json!({"connections": stage.connections, "amounts": []})),
        ("spending_limit.amounts[0].daily", usd(json!(-1))),
        ("spending_limit.amounts[0].daily", usd(json!(1.001))),
        ("spending_limit.amounts[0].daily", usd(json!("NaN"))),
        ("spending_limit.amounts[0].daily", usd(json!(1e30))),
        ("spending_limit.amounts[0].daily", usd(Value::Null)),
        ("spending_limit.amounts[0].currency", deep("currency", json!("usd"))),
        ("spending_limit.amounts[0].weekly", deep("weekly", json!(1))),
        ("spending_limit.amounts[0].lifetime", deep("lifetime", json!(-1))),
        ("spending_limit.approval", approval(json!(true))),
        ("spending_limit.approval.activation", approval(json!({}))),
        ("spending_limit.approval.activation", approval(json!({"activation": false, "amounts": []}))),
        ("spending_limit.approval.activation", approval(json!({"activation": "yes"}))),
        ("spending_limit.approval.removal", approval(json!({"activation": true, "removal": true}))),
        ("spending_limit.approval.amounts", approval(json!({"amounts": [{"currency": "EUR", "amount": 1}]}))),
        ("spending_limit.approval.amounts[0].amount", approval(json!({"amounts": [{"currency": "USD"}]}))),
        (
            "spending_limit.approval.amounts[0].amount",
            approval(json!({"amounts": [{"currency": "USD", "amount": -1}]})),
        ),
        (
            "spending_limit.creates_per_day",
            json!({"connections": stage.connections, "amounts": [{"currency": "USD",
            "daily": 1}], "creates_per_day": 1.5}),
        ),
    ] {
        let body = json!({"name": "A", "scopes": ["campaigns"], "spending_limit": limit});
        let refused = super::send(&stage.app, &stage.owner, "POST", KEYS, &body).await;
        let details = refused.body["details"].as_array().cloned().unwrap_or_default();
        assert!(refused.status == 400 && details.len() == 1, "{field} alone: {refused:?}");
        assert_eq!(details[0]["field"], field, "{refused:?}");
    }
    for scopes in [json!(["write"]), json!(["campaigns", "read"])] {
        let body = json!({"name": "A", "scopes": scopes, "spending_limit": daily(&stage.connections, 1)});
        let refused = super::send(&stage.app, &stage.owner, "POST", KEYS, &body).await;
        assert_eq!((refused.status, &refused.body["details"][0]["field"]), (400, &json!("scopes")), "{refused:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn an_invalid_amount_is_the_only_error_of_a_limit_with_a_rule() {
    let stage = Stage::with_daily(&[Platform::Alpha], 100).await;
    let rule = json!({"amounts": [{"currency": "USD", "amount": 1}]});
    let amounts = json!([{"currency": "USD", "daily": "NaN"}]);
    let limit = json!({"connections": stage.connections, "amounts": amounts, "approval": rule});
    let body = json!({"name": "A", "scopes": ["campaigns"], "spending_limit": limit});
    let refused = super::send(&stage.app, &stage.owner, "POST", KEYS, &body).await;
    let expected = json!([{"field": "spending_limit.amounts[0].daily", "message": "must be a number"}]);
    assert_eq!((refused.status, &refused.body["details"]), (400, &expected), "{refused:?}");
}

#[tokio::test(start_paused = true)]
async fn a_key_with_a_limit_can_neither_create_nor_change_keys() {
    let stage = Stage::with_daily(&[Platform::Alpha], 100).await;
    let own = format!("{KEYS}/{}", stage.key);
    let free = json!({"spending_limit": null});
    for (method, path, body) in [
        ("POST", KEYS, json!({"name": "A", "scopes": ["campaigns"]})),
        ("PATCH", own.as_str(), free.clone()),
        ("DELETE", own.as_str(), Value::Null),
        ("POST", "/v1/api-keys/rotate", Value::Null),
        ("GET", KEYS, Value::Null),
        ("POST", "/v1/connections/sync", Value::Null),
        ("GET", "/v1/usage-logs", Value::Null),
    ] {
        assert_eq!(stage.agent(method, path, &body).await.status, 403, "{method} {path}");
    }
    let own = json!({"spending_limit": daily(&stage.connections, 1)});
    let refused = super::send(&stage.app, &stage.owner, "PATCH", &format!("{KEYS}/key_default"), &own).await;
    assert_eq!(refused.status, 403, "never its own: {refused:?}");
    let wider = json!({"scopes": ["write"]});
    let refused = super::send(&stage.app, &stage.owner, "PATCH", &format!("{KEYS}/{}", stage.key), &wider).await;
    assert_eq!(refused.status, 400, "{refused:?}");
}

#[tokio::test(start_paused = true)]
async fn a_limit_can_be_changed_removed_and_set_again() {
    let stage = Stage::with_daily(&[Platform::Beta], 100).await;
    let path = format!("{KEYS}/{}", stage.key);
    let one = stage.campaign(Platform::Beta, "One", 60).await;
    assert_eq!(stage.change(&one, &json!({"status": "ACTIVE"})).await, 200);
    let changed = stage.owner("PATCH", &path, &json!({"spending_limit": daily(&stage.connections, 70)})).await;
    assert_eq!(changed["spending_limit"]["amounts"][0]["daily"], 70, "{changed}");
    assert_eq!(stage.reserved_and_left().await, (60, 10), "what runs counts still");
    let freed = stage.owner("PATCH", &path, &json!({"spending_limit": null, "name": "Free"})).await;
    assert_eq!((&freed["spending_limit"], &freed["name"]), (&Value::Null, &json!("Free")));
    assert_eq!(stage.change(&one, &json!({"budget_amount": 500})).await, 200);
    stage.owner("PATCH", &path, &json!({"spending_limit": daily(&stage.connections, 70)})).await;
    assert_eq!(stage.change(&one, &json!({"budget_amount": 600})).await, 403);
    for _ in 0..2 {
        assert_eq!(stage.agent("GET", "/v1/limits", &Value::Null).await.body["limited"], true);
    }
}

#[tokio::test(start_paused = true)]
async fn a_retried_create_counts_once() {
    let limit = |all: &[String]| json!({"connections": all, "amounts": [{"currency": "USD", "daily": 0, "per_change": 50}], "creates_per_day": 2});
    let stage = Stage::with(&[Platform::Alpha], limit).await;
    let create = |name: &str, amount: i64| {
        json!({"platform": "alpha_ads", "name": name, "goal": "TRAFFIC", "budget_amount": amount,
            "budget_period": "DAILY"})
    };
    let keyed = |name: &str| {
        let request =
            stage.limited.request("POST", "/v1/campaigns", &[("idempotency-key", name)], &create(name, 5).to_string());
        crate::in_process::respond(&stage.app, request)
    };
    for _ in 0..3 {
        tokio::time::sleep(std::time::Duration::from_millis(200)).await;
        assert_eq!(keyed("One").await.status(), 201);
    }
    let large = stage.agent("POST", "/v1/campaigns", &create("Large", 51)).await;
    assert_eq!((large.status, &large.body["spending_limit"]["limit"]), (403, &json!("per_change")));
    assert_eq!(stage.agent("POST", "/v1/campaigns", &create("Two", 50)).await.status, 201);
    let third = stage.agent("POST", "/v1/campaigns", &create("Three", 5)).await;
    assert_eq!((third.status, &third.body["spending_limit"]["limit"]), (403, &json!("creates_per_day")), "{third:?}");
    assert_eq!(keyed("One").await.status(), 201, "a replay needs nothing");
    assert_eq!(stage.running().await, rust_decimal::Decimal::ZERO);
    stage.hours(24).await;
    assert_eq!(stage.agent("POST", "/v1/campaigns", &create("Three", 5)).await.status, 201);
    let changes = stage.agent("GET", "/v1/changes", &Value::Null).await.body;
    assert_eq!(changes["changes"].as_array().expect("a list").len(), 3, "a refusal leaves none");
}

#[tokio::test(start_paused = true)]
async fn no_spelling_of_an_amount_bypasses_the_limit() {
    let stage = Stage::with_daily(&[Platform::Beta], 100).await;
    let one = stage.campaign(Platform::Beta, "One", 60).await;
    assert_eq!(stage.change(&one, &json!({"status": "ACTIVE"})).await, 200);
    let path = format!("/v1/campaigns/{one}");
    for (status, body) in [
        (400, r#"{"budget_amount":1e400}"#),
        (400, r#"{"budget_amount":NaN}"#),
        (400, r#"{"budget_amount":"1000"}"#),
        (400, r#"{"budget_amount":70,"budget_amount":1000}"#),
        (400, r#"{"budget_amount":-1000}"#),
        (400, r#"{"spending_limit":null,"budget_amount":70}"#),
        (403, r#"{"budget_amount":1e3}"#),
        (403, r#"{"budget_amount":100.01}"#),
        (403, r#"{"budget_amount":79228162514264337593543950335}"#),
        (200, r#"{"budget_amount":1.0e2}"#),
    ] {
        tokio::time::sleep(std::time::Duration::from_millis(200)).await;
        let request = stage.limited.request("PATCH", &path, &[], body);
        let response = crate::in_process::respond(&stage.app, request).await;
        assert_eq!(response.status(), status, "{body}: {:?}", response.body());
    }
    assert_eq!(stage.running().await, rust_decimal::Decimal::from(100));
}

#[tokio::test(start_paused = true)]
async fn each_target_of_a_create_counts() {
    let limit = |all: &[String]| json!({"connections": all, "amounts": [{"currency": "USD", "daily": 0}], "creates_per_day": 5});
    let stage = Stage::with(&Platform::ALL, limit).await;
    let connections = stage.owner("GET", "/v1/connections", &Value::Null).await;
    let target = |one: &Value| {
        let platform = Platform::parse(one["platform"].as_str().expect("a platform")).expect("a platform");
        json!({"platform": platform.as_upper(), "organization_id": one["remote_account_id"]})
    };
    let targets: Vec<Value> = connections["connections"].as_array().expect("a list").iter().map(target).collect();
    let create = |targets: &[Value]| {
        json!({"name": "Everywhere", "goal": "WEBSITE_TRAFFIC", "budget_amount": 50, "budget_period": "DAILY",
            "targets": targets})
    };
    let refused = stage.agent("POST", "/v1/campaigns", &create(&targets)).await;
    assert_eq!(refused.status, 403, "{refused:?}");
    assert_eq!(refused.body["error"]["spendingLimit"]["limit"], "creates_per_day", "{refused:?}");
    for (asked, verdict) in [(6, "would_fail"), (5, "would_create")] {
        let dry = stage.agent("POST", "/v1/campaigns?dry_run=true", &create(&targets[..asked])).await;
        let told: Vec<&Value> =
            dry.body["data"].as_array().expect("a list").iter().map(|one| &one["verdict"]).collect();
        assert_eq!(told, vec![verdict; asked], "as the request: {dry:?}");
    }
    let made = stage.agent("POST", "/v1/campaigns", &create(&targets[..5])).await;
    assert_eq!(made.status, 201, "{made:?}");
    let limits = stage.agent("GET", "/v1/limits", &Value::Null).await.body;
    assert_eq!(limits["creates"], json!({"limit": 5, "used": 5}));
    let lowered = json!({"spending_limit": {"connections": stage.connections, "creates_per_day": 1,
        "amounts": [{"currency": "USD", "daily": 0}]}});
    stage.owner("PATCH", &format!("/v1/api-keys/{}", stage.key), &lowered).await;
    let id = made.body["data"][0]["campaign"]["id"].as_str().expect("an id");
    assert_eq!(stage.change(id, &json!({"status": "PAUSED"})).await, 200, "a change is no create");
}

/// TikTok takes the status in a request of its own. A budget that it has confirmed and not set would run.
#[tokio::test(start_paused = true)]
async fn an_activation_fails_when_its_lowered_budget_is_not_read_back() {
    let stage = Stage::with(&[Platform::Gamma], |connections| daily(connections, 76)).await;
    let id = stage.campaign(Platform::Gamma, "Lower", 108).await;
    let lower = json!({"status": "ACTIVE", "budget_amount": 59});
    stage.fault(Platform::Gamma, "update", "ignored", 1).await;
    assert_eq!(stage.change(&id, &lower).await, 502);
    assert_eq!(stage.running().await, 0.into());
    let books = stage.owner("GET", &format!("/v1/campaigns/{id}"), &Value::Null).await;
    assert_eq!((&books["status"], &books["budget_amount"]), (&json!("PAUSED"), &json!(108)));
}
