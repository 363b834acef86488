//! Scheduled changes at their time: applied once, late when the platform is down, and never lost.

use super::{Stage, is_paused};
use crate::platforms::each_platform;
use maintenance::RunResult;
use serde_json::{Value, json};
use shared::domain::Platform;
use tokio::time::{Duration, sleep};

macro_rules! due {
    ($platform:expr) => {
        #[tokio::test(start_paused = true)]
        async fn a_scheduled_change_is_applied_once_at_its_time() {
            super::is_made_at_its_time($platform).await;
        }

        #[tokio::test(start_paused = true)]
        async fn a_scheduled_removal_is_applied_at_its_time() {
            super::is_removed_at_its_time($platform).await;
        }

        #[tokio::test(start_paused = true)]
        async fn a_platform_outage_delays_a_scheduled_change_and_does_not_lose_it() {
            super::is_late_and_not_lost($platform).await;
        }
    };
}
use due;

each_platform! { due }

async fn is_made_at_its_time(platform: Platform) {
    let stage = Stage::connected(&[platform]).await;
    let id = stage.campaign(platform, "Friday").await;
    let change = stage.schedule(&id, 300, &json!({"status": "ACTIVE", "budget_amount": 60})).await;
    stage.minutes(4).await;
    assert!(is_paused(&stage.in_books("Friday").await.0), "before its time");
    stage.minutes(2).await;
    let (status, budget) = stage.in_books("Friday").await;
    assert!(!is_paused(&status) && budget.parse::<f64>().is_ok_and(|budget| budget == 60.0), "{status} {budget}");
    let change = stage.change(&change).await;
    assert_eq!((&change["state"], &change["executed_by"]), (&json!("applied"), &json!("schedule")), "{change}");
    assert_eq!(change["requested_by"]["type"], "api_key");
    assert_eq!((&change["before"]["status"], &change["after"]["status"]), (&json!("PAUSED"), &json!("ACTIVE")));
    assert_eq!((&change["before"]["budget_amount"], &change["after"]["budget_amount"]), (&json!(50), &json!(60)));
    assert_eq!(change["applied_fields"], json!(["status", "budget_amount"]));
    assert_eq!(stage.maintenance().await, RunResult::default(), "nothing is due any more");
}

async fn is_removed_at_its_time(platform: Platform) {
    let stage = Stage::connected(&[platform]).await;
    let id = stage.campaign(platform, "Ending").await;
    let path = format!("/v1/campaigns/{id}?apply_at={}", stage.ahead(120));
    let removal = stage.ask(202, "DELETE", &path, &Value::Null).await;
    let pause = stage.schedule(&id, 900, &json!({"status": "PAUSED"})).await;
    stage.minutes(3).await;
    stage.ask(404, "DELETE", &format!("/v1/campaigns/{id}"), &Value::Null).await;
    let removal = stage.change(removal["id"].as_str().expect("an id")).await;
    assert_eq!(removal["state"], "applied", "{removal}");
    let pause = stage.change(&pause).await;
    assert_eq!((&pause["state"], &pause["error"]["code"]), (&json!("canceled"), &json!("CONFLICT")), "{pause}");
}

async fn is_late_and_not_lost(platform: Platform) {
    let stage = Stage::connected(&[platform]).await;
    let id = stage.campaign(platform, "Late").await;
    let change = stage.schedule(&id, 120, &json!({"status": "ACTIVE"})).await;
    for (operation, fault) in [("any", "error"), ("get", "throttle"), ("update", "throttle"), ("update", "drop")] {
        stage.fault(platform, operation, fault, 2).await;
    }
    stage.minutes(5).await;
    assert!(is_paused(&stage.in_books("Late").await.0), "the platform is down");
    assert_ne!(stage.change(&change).await["state"], "failed");
    stage.no_faults().await;
    stage.minutes(90).await;
    assert!(!is_paused(&stage.in_books("Late").await.0), "{}", stage.change(&change).await);
    assert_eq!(stage.change(&change).await["state"], "applied");
}

/// A pause without an answer, then an activation, then maintenance finds that the pause was made.
#[tokio::test(start_paused = true)]
async fn an_event_of_a_settled_change_has_the_newest_read_of_its_campaign() {
    let stage = Stage::connected(&[Platform::Beta]).await;
    let id = stage.campaign(Platform::Beta, "One").await;
    let path = format!("/v1/campaigns/{id}");
    stage.ask(200, "PATCH", &path, &json!({"status": "ACTIVE"})).await;
    let slow = json!({"platform": "beta_ads", "operation": "update", "fault": "slow", "ms": 60_000, "times": 1});
    stage.world.control("POST", "faults", &slow).await;
    let pause = json!({"status": "PAUSED"});
    // The campaign is read before the pause, and not after it.
    let fails = async {
        sleep(Duration::from_secs(2)).await;
        stage.fault(Platform::Beta, "get", "error", 50).await;
    };
    let (lost, ()) = tokio::join!(stage.send("PATCH", &path, &[], &pause), fails);
    assert!(lost.status >= 500, "{} {}", lost.status, lost.body);
    stage.no_faults().await;
    assert_eq!(stage.in_books("One").await.0, "PAUSED");
    // Its ad account was left alone for a moment.
    sleep(Duration::from_mins(2)).await;
    stage.ask(200, "PATCH", &path, &json!({"status": "ACTIVE"})).await;
    stage.minutes(3).await;
    let pause = stage.change(&lost.change_ids).await;
    assert_eq!((&pause["state"], &pause["after"]["status"]), (&json!("applied"), &json!("PAUSED")), "{pause}");
    let listed = stage.ask(200, "GET", "/v1/events?limit=100", &Value::Null).await;
    let events = listed["events"].as_array().expect("a list");
    let told = |event: &Value| event["data"]["campaign"].clone();
    let newest = &events[0];
    assert_eq!((&newest["data"]["change"]["id"], &newest["type"]), (&pause["id"], &json!("change.applied")));
    assert_eq!(told(newest)["status"], "ACTIVE", "{newest}");
    let reads = events.iter().map(told).filter(Value::is_object);
    let last = reads.max_by_key(|campaign| campaign["read_at"].as_str().map(str::to_owned)).expect("a read");
    assert_eq!((&last["status"], stage.in_books("One").await.0.as_str()), (&json!("ACTIVE"), "ACTIVE"));
    assert!(told(newest)["read_at"].as_str() <= newest["timestamp"].as_str(), "{newest}");
}

#[tokio::test(start_paused = true)]
async fn a_scheduled_change_already_in_effect_is_applied_without_a_call() {
    let stage = Stage::connected(&[Platform::Alpha]).await;
    let id = stage.campaign(Platform::Alpha, "Held").await;
    let change = stage.schedule(&id, 120, &json!({"status": "ACTIVE"})).await;
    stage.ask(200, "PATCH", &format!("/v1/campaigns/{id}"), &json!({"status": "ACTIVE"})).await;
    let sent = stage.world.control("GET", "requests?platform=alpha_ads", &Value::Null).await;
    let mutates = |all: &Value| all["requests"].to_string().matches("campaigns:mutate").count();
    let before = mutates(&sent);
    stage.minutes(3).await;
    let change = stage.change(&change).await;
    assert_eq!((&change["state"], &change["before"]), (&json!("applied"), &change["after"]), "{change}");
    assert_eq!(mutates(&stage.world.control("GET", "requests?platform=alpha_ads", &Value::Null).await), before);
}

#[tokio::test(start_paused = true)]
async fn a_change_that_is_refused_at_its_time_fails_with_the_reason() {
    let stage = Stage::connected(&[Platform::Alpha]).await;
    let id = stage.campaign(Platform::Alpha, "Refused").await;
    let change = stage.schedule(&id, 120, &json!({"name": "New"})).await;
    stage.campaign(Platform::Alpha, "New").await;
    stage.minutes(3).await;
    let change = stage.change(&change).await;
    assert_eq!((&change["state"], &change["not_applied_fields"]), (&json!("failed"), &json!(["name"])), "{change}");
    assert!(change["error"]["message"].as_str().is_some_and(|message| message.contains("Google Ads")), "{change}");
    assert_eq!(stage.in_books("Refused").await.1, "50.00");
}

#[tokio::test(start_paused = true)]
async fn a_broken_connection_delays_a_scheduled_change_for_a_week_then_fails_it() {
    let stage = Stage::connected(&[Platform::Alpha]).await;
    let id = stage.campaign(Platform::Alpha, "Week").await;
    let change = stage.schedule(&id, 120, &json!({"status": "ACTIVE"})).await;
    stage.fault(Platform::Alpha, "any", "error", 1_000_000).await;
    stage.minutes(60).await;
    assert_eq!(stage.change(&change).await["state"], "scheduled");
    for _ in 0..(8 * 24) {
        tokio::time::sleep(tokio::time::Duration::from_hours(1)).await;
        stage.maintenance().await;
    }
    let change = stage.change(&change).await;
    assert_eq!((&change["state"], &change["error"]["code"]), (&json!("failed"), &json!("PLATFORM_ERROR")), "{change}");
}
