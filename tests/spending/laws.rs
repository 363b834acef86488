//! The laws of a limit, on every platform.

use super::{Stage, daily};
use rust_decimal::Decimal;
use serde_json::{Value, json};
use shared::domain::Platform;

fn active() -> Value {
    json!({"status": "ACTIVE"})
}

fn paused() -> Value {
    json!({"status": "PAUSED"})
}

#[tokio::test(start_paused = true)]
async fn a_key_runs_no_more_than_its_limit_on_any_platform() {
    let stage = Stage::with_daily(&Platform::ALL, 100).await;
    for platform in Platform::ALL {
        let one = stage.campaign(platform, &format!("One {platform}"), 55).await;
        let two = stage.campaign(platform, &format!("Two {platform}"), 50).await;
        assert_eq!(stage.change(&one, &active()).await, 200, "{platform}");
        assert_eq!(stage.reserved_and_left().await, (55, 45));
        let refused = stage.agent("PATCH", &format!("/v1/campaigns/{two}"), &active()).await;
        assert_eq!((refused.status, &refused.body["code"]), (403, &json!("FORBIDDEN")), "{platform}: {refused:?}");
        let expected = json!({"limit": "daily", "of": "api_key", "currency": "USD", "amount": 100, "reserved": 55, "left": 45,
            "needed": 50});
        assert_eq!(refused.body["spending_limit"], expected, "{platform}");
        assert_eq!(stage.change(&one, &json!({"budget_amount": 101})).await, 403, "{platform}: raised too far");
        assert_eq!(stage.change(&one, &json!({"budget_amount": 100})).await, 200, "{platform}: raised");
        assert_eq!(stage.running().await, Decimal::from(100), "{platform}");
        assert_eq!(stage.change(&one, &paused()).await, 200, "{platform}");
        assert_eq!(stage.running().await, Decimal::ZERO, "{platform}");
        assert_eq!(stage.change(&two, &active()).await, 403, "{platform}: the flip");
        assert_eq!(stage.change(&one, &active()).await, 200, "{platform}: the same again");
        assert_eq!(stage.agent("DELETE", &format!("/v1/campaigns/{one}"), &Value::Null).await.status, 204);
        assert_eq!(stage.reserved_and_left().await, (100, 0), "{platform}: until the day is over");
        stage.hours(36).await;
        assert_eq!(stage.reserved_and_left().await, (0, 100), "{platform}");
    }
}

#[tokio::test(start_paused = true)]
async fn only_what_the_key_adds_counts_against_its_limit() {
    let stage = Stage::with_daily(&[Platform::Beta], 100).await;
    let one = stage.campaign(Platform::Beta, "One", 500).await;
    stage.owner("PATCH", &format!("/v1/campaigns/{one}"), &active()).await;
    assert_eq!(stage.change(&one, &json!({"budget_amount": 601})).await, 403);
    for amount in [530, 560, 600] {
        assert_eq!(stage.change(&one, &json!({"budget_amount": amount})).await, 200, "a hundred small raises");
    }
    assert_eq!(stage.change(&one, &json!({"budget_amount": 601})).await, 403);
    assert_eq!((stage.reserved_and_left().await, stage.running().await), ((100, 0), Decimal::from(600)));
    let connections = stage.owner("GET", "/v1/connections", &Value::Null).await;
    assert_eq!(connections["connections"][0]["status"], "ACTIVE", "a refusal says nothing about the connection");
}

#[tokio::test(start_paused = true)]
async fn a_pause_of_the_key_frees_a_campaign_that_somebody_else_paused() {
    let stage = Stage::with_daily(&[Platform::Beta], 100).await;
    let one = stage.campaign(Platform::Beta, "One", 60).await;
    assert_eq!(stage.change(&one, &active()).await, 200);
    stage.owner("PATCH", &format!("/v1/campaigns/{one}"), &paused()).await;
    stage.hours(36).await;
    assert_eq!(stage.reserved_and_left().await, (60, 40), "the key has not seen it");
    assert_eq!(stage.change(&one, &json!({"name": "One"})).await, 200, "nothing changes");
    assert_eq!(stage.change(&one, &paused()).await, 200);
    assert_eq!(stage.reserved_and_left().await, (60, 40), "until the day is over");
    stage.hours(36).await;
    assert_eq!(stage.reserved_and_left().await, (0, 100));
}

#[tokio::test(start_paused = true)]
async fn a_paused_campaign_reserves_its_budget_only_when_activated() {
    let stage = Stage::with_daily(&[Platform::Gamma], 100).await;
    let one = stage.campaign(Platform::Gamma, "One", 60).await;
    assert_eq!(stage.change(&one, &json!({"budget_amount": 400})).await, 200);
    assert_eq!(stage.reserved_and_left().await, (0, 100));
    assert_eq!(stage.change(&one, &active()).await, 403);
    let both = json!({"budget_amount": 90, "status": "ACTIVE"});
    assert_eq!(stage.change(&one, &both).await, 200, "lowered and activated at once");
    assert_eq!((stage.reserved_and_left().await, stage.running().await), ((90, 10), Decimal::from(90)));
    let dry = |amount: i64| (format!("/v1/campaigns/{one}?dry_run=true"), json!({"budget_amount": amount}));
    for (amount, status) in [(100, 200), (101, 403)] {
        let (path, body) = dry(amount);
        assert_eq!(stage.agent("PATCH", &path, &body).await.status, status, "a dry run of {amount}");
    }
    assert_eq!(stage.reserved_and_left().await, (90, 10), "a dry run reserves nothing");
}

#[tokio::test(start_paused = true)]
async fn other_connections_and_currencies_are_refused() {
    let stage = Stage::with(&[Platform::Alpha, Platform::Beta], |all| daily(&all[..1], 100)).await;
    let hidden = stage.campaign(Platform::Beta, "Hidden", 5).await;
    let path = format!("/v1/campaigns/{hidden}");
    for (method, body) in [("PATCH", active()), ("DELETE", Value::Null), ("GET", Value::Null)] {
        assert_eq!(stage.agent(method, &path, &body).await.status, 404, "{method}");
    }
    assert_eq!(stage.agent("GET", &format!("{path}/insights"), &Value::Null).await.status, 404);
    let listed = stage.agent("GET", "/v1/campaigns", &Value::Null).await.body;
    assert!(!listed.to_string().contains("Hidden"), "{listed}");
    let create = |platform: &str| json!({"platform": platform, "name": "New", "goal": "TRAFFIC", "budget_amount": 5, "budget_period": "DAILY"});
    assert_eq!(stage.agent("POST", "/v1/campaigns", &create("beta_ads")).await.status, 403);
    assert_eq!(stage.agent("POST", "/v1/campaigns", &create("alpha_ads")).await.status, 201);
    let history = stage.agent("GET", "/v1/changes", &Value::Null).await.body;
    assert_eq!(history["changes"].as_array().expect("a list").len(), 1, "{history}");
    let monthly = json!({"currency": "EUR", "daily": 1});
    let limit = json!({"connections": stage.connections, "amounts": [monthly]});
    let key = format!("/v1/api-keys/{}", stage.key);
    stage.owner("PATCH", &key, &json!({"spending_limit": limit})).await;
    let refused = stage.agent("PATCH", &path, &active()).await;
    assert_eq!(refused.body["spending_limit"]["limit"], "currency", "{refused:?}");
    assert_eq!(stage.change(&hidden, &json!({"name": "Shown"})).await, 200);
}

#[tokio::test(start_paused = true)]
async fn an_unknown_outcome_stays_reserved_until_maintenance_settles_it() {
    for platform in [Platform::Beta, Platform::Gamma] {
        let stage = Stage::with_daily(&[platform], 100).await;
        let one = stage.campaign(platform, "One", 60).await;
        let two = stage.campaign(platform, "Two", 60).await;
        stage.fault(platform, "update", "slow", 1).await;
        let (path, body) = (format!("/v1/campaigns/{one}"), active());
        // The campaign cannot be read back.
        let no_reads = async {
            tokio::time::sleep(std::time::Duration::from_secs(1)).await;
            stage.fault(platform, "get", "error", 99).await;
        };
        let (answer, ()) = tokio::join!(stage.agent("PATCH", &path, &body), no_reads);
        assert!(answer.status >= 500, "{platform}: {answer:?}");
        stage.owner.control("POST", "reset", &json!({})).await;
        assert_eq!(stage.change(&two, &active()).await, 403, "{platform}");
        assert_eq!(stage.reserved_and_left().await.0, 60, "{platform}");
        stage.minutes(5).await;
        let spending = stage.spending().await;
        assert!(spending.contributions.values().all(|one| one.pending.is_none()), "{platform}: {spending:?}");
        assert_eq!(Decimal::from(stage.reserved_and_left().await.0), stage.running().await, "{platform}");
        assert_eq!(stage.change(&one, &paused()).await, 200, "{platform}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_failed_change_frees_its_reservation() {
    let stage = Stage::with_daily(&[Platform::Beta], 100).await;
    let one = stage.campaign(Platform::Beta, "One", 60).await;
    stage.owner("DELETE", &format!("/v1/campaigns/{one}"), &Value::Null).await;
    assert!(stage.change(&one, &active()).await >= 400);
    assert_eq!(stage.reserved_and_left().await, (0, 100));
}

#[tokio::test(start_paused = true)]
async fn scheduled_and_bulk_changes_are_checked_when_they_are_due() {
    let stage = Stage::with_daily(&[Platform::Beta], 100).await;
    let one = stage.campaign(Platform::Beta, "One", 60).await;
    let two = stage.campaign(Platform::Beta, "Two", 60).await;
    let at = stage.owner.clock.now() + jiff::SignedDuration::from_mins(10);
    let later = |id: &str| format!("/v1/campaigns/{id}?apply_at={at:.0}");
    assert_eq!(stage.agent("PATCH", &later(&one), &active()).await.status, 202);
    assert_eq!(stage.agent("PATCH", &later(&two), &active()).await.status, 202, "nothing is reserved while it waits");
    assert_eq!(
        stage.agent("PATCH", &later(&two), &json!({"status": "ACTIVE", "budget_amount": 101})).await.status,
        403
    );
    stage.minutes(13).await;
    assert_eq!((stage.running().await, stage.reserved_and_left().await), (Decimal::from(60), (60, 40)));
    let failed = stage.agent("GET", "/v1/changes?state=failed", &Value::Null).await.body;
    assert_eq!(failed["changes"][0]["error"]["code"], "FORBIDDEN", "{failed}");
    let all = json!({"status": "ACTIVE", "all": true});
    assert_eq!(stage.agent("POST", "/v1/campaigns/status", &all).await.status, 202);
    stage.minutes(3).await;
    assert_eq!(stage.running().await, Decimal::from(60));
    let none = json!({"status": "PAUSED", "all": true});
    assert_eq!(stage.agent("POST", "/v1/campaigns/status", &none).await.status, 202);
    assert_eq!(stage.running().await, Decimal::ZERO);
}

#[tokio::test(start_paused = true)]
async fn a_change_of_a_deleted_key_is_not_applied() {
    let stage = Stage::with_daily(&[Platform::Beta], 100).await;
    let one = stage.campaign(Platform::Beta, "One", 60).await;
    let at = stage.owner.clock.now() + jiff::SignedDuration::from_mins(10);
    let path = format!("/v1/campaigns/{one}?apply_at={at:.0}");
    assert_eq!(stage.agent("PATCH", &path, &active()).await.status, 202);
    stage.owner("DELETE", &format!("/v1/api-keys/{}", stage.key), &Value::Null).await;
    let canceled = stage.owner("GET", "/v1/changes?state=canceled", &Value::Null).await;
    assert_eq!(canceled["changes"][0]["error"]["message"], "The API key was deleted.", "{canceled}");
    stage.minutes(13).await;
    assert_eq!(stage.running().await, Decimal::ZERO);
    assert_eq!(stage.agent("GET", "/v1/limits", &Value::Null).await.status, 401);
}
