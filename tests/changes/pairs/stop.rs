//! The stop of a key, with an approval, with dates that the service holds, with a dry run and with a removal.

use crate::changes::held_dates::HELD;
use crate::spending::{Stage, with_approval};
use rust_decimal::Decimal;
use serde_json::{Value, json};
use shared::domain::Platform;
use shared::error::Kind;

/// Why a canceled change was canceled.
pub(super) async fn why_canceled(stage: &Stage, id: &str) -> String {
    let change = stage.owner("GET", &format!("/v1/changes/{id}"), &Value::Null).await;
    assert_eq!(change["state"], "canceled", "{change}");
    change["error"]["message"].as_str().expect("a reason").to_owned()
}

fn active() -> Value {
    json!({"status": "ACTIVE"})
}

/// The number of pauses of a stop.
fn pauses(stopped: &Value) -> usize {
    stopped["changes"].as_array().expect("a list").len()
}

/// A limit with which a person approves every activation, and every create above 80.
fn asking_for_creates(connections: &[String]) -> Value {
    let mut limit = with_approval(connections);
    limit["approval"]["amounts"] = json!([{"currency": "USD", "amount": 80}]);
    limit
}

#[tokio::test(start_paused = true)]
async fn a_stop_ends_changes_awaiting_approval_and_approved_ones() {
    for platform in [Platform::Alpha, Platform::Beta] {
        let stage = Stage::with(&[platform], asking_for_creates).await;
        let runs = stage.campaign(platform, "Runs", 50).await;
        let waits = stage.campaign(platform, "Waits", 60).await;
        let later = stage.campaign(platform, "Later", 70).await;
        let made = stage.ask(&runs, &active()).await;
        stage.approve(&made).await.expect("an approval");
        let asked = stage.ask(&waits, &active()).await;
        let approved = stage.ask(&format!("{later}?apply_at={}", stage.at(5)), &active()).await;
        stage.approve(&approved).await.expect("an approval");
        let create = json!({"platform": platform.as_str(), "name": "New", "goal": "TRAFFIC", "budget_amount": 90,
            "budget_period": "DAILY"});
        let create = stage.agent("POST", "/v1/campaigns", &create).await;
        assert_eq!((create.status, &create.body["state"]), (202, &json!("awaiting_approval")), "{create:?}");
        let create = create.body["id"].as_str().expect("an id").to_owned();
        assert_eq!(stage.running().await, Decimal::from(50), "{platform}");
        let stopped = stage.stop().await;
        assert_eq!(pauses(&stopped), 1, "{platform}: of what runs: {stopped}");
        for id in [&asked, &approved, &create] {
            assert_eq!(why_canceled(&stage, id).await, "The API key was stopped.", "{platform}");
            let late = stage.approve(id).await.expect_err("the key is stopped");
            assert_eq!(late.kind, Kind::Conflict, "{platform}: {}", late.message);
        }
        stage.minutes(3).await;
        assert_eq!((stage.running().await, &stage.stop().await["done"]), (Decimal::ZERO, &json!(true)), "{platform}");
        stage.hours(5).await;
        stage.minutes(2).await;
        assert_eq!(stage.running().await, Decimal::ZERO, "{platform}: nothing follows");
    }
}

/// What the key has asked to run does not; what others run keeps the end that the key has set.
#[tokio::test(start_paused = true)]
async fn a_stop_ends_an_activation_that_waits_for_its_start_but_keeps_the_end() {
    for platform in HELD {
        let stage = Stage::with_daily(&[platform], 500).await;
        let own = stage.campaign(platform, "Own", 50).await;
        let theirs = stage.campaign(platform, "Theirs", 60).await;
        let moved = stage.campaign(platform, "Moved", 70).await;
        stage.owner("PATCH", &format!("/v1/campaigns/{own}"), &json!({"start_at": stage.at(2)})).await;
        let waits = stage.agent("PATCH", &format!("/v1/campaigns/{own}"), &active()).await;
        assert_eq!((waits.status, &waits.body["state"]), (202, &json!("scheduled")), "{platform}: {waits:?}");
        stage.owner("PATCH", &format!("/v1/campaigns/{theirs}"), &active()).await;
        assert_eq!(stage.change(&theirs, &json!({"end_at": stage.at(4)})).await, 200, "{platform}");
        let planned = json!({"status": "ACTIVE", "start_at": stage.at(2)});
        stage.owner("PATCH", &format!("/v1/campaigns/{moved}"), &planned).await;
        assert_eq!(stage.change(&moved, &json!({"start_at": stage.at(3)})).await, 200, "{platform}: later is free");
        let stopped = stage.stop().await;
        assert_eq!(pauses(&stopped), 0, "{platform}: nothing runs because of the key: {stopped}");
        let waits = waits.body["id"].as_str().expect("an id");
        assert_eq!(why_canceled(&stage, waits).await, "The API key was stopped.", "{platform}");
        stage.minutes(3).await;
        assert_eq!(stage.stop().await["done"], true, "{platform}");
        assert_eq!(stage.running().await, Decimal::from(60), "{platform}: before the starts");
        stage.hours(3).await;
        stage.minutes(3).await;
        assert_eq!(stage.running().await, Decimal::from(60 + 70), "{platform}: what others have activated");
        stage.hours(1).await;
        stage.minutes(3).await;
        assert_eq!(stage.running().await, Decimal::from(70), "{platform}: the end holds");
    }
}

#[tokio::test(start_paused = true)]
async fn a_stop_ignores_dry_runs() {
    for platform in [Platform::Alpha, Platform::Beta] {
        let (stage, one) = Stage::with_running(platform).await;
        let two = stage.campaign(platform, "Two", 30).await;
        let dry = |campaign: &str| format!("/v1/campaigns/{campaign}?dry_run=true");
        let run = stage.agent("PATCH", &dry(&two), &active()).await;
        assert_eq!((run.status, &run.body["activates"]), (200, &json!(true)), "{platform}: {run:?}");
        let stopped = stage.stop().await;
        assert_eq!(pauses(&stopped), 1, "{platform}: of the campaign that runs: {stopped}");
        let refused = stage.agent("PATCH", &dry(&two), &active()).await;
        assert_eq!(refused.status, 401, "{platform}: {refused:?}");
        let raised = json!({"status": "ACTIVE", "budget_amount": 70});
        let run = stage.owner("PATCH", &dry(&one), &raised).await;
        assert_eq!(run["verdict"], "would_update", "{platform}: {run}");
        stage.minutes(3).await;
        assert_eq!((stage.running().await, &stage.stop().await["done"]), (Decimal::ZERO, &json!(true)), "{platform}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_removal_ends_the_pending_pause_of_a_stop() {
    let (stage, one) = Stage::with_running(Platform::Delta).await;
    stage.fault(Platform::Delta, "any", "error", 200).await;
    let stopped = stage.stop().await;
    stage.minutes(3).await;
    stage.end_faults().await;
    assert_eq!((stage.running().await, &stage.stop().await["done"]), (Decimal::from(60), &json!(false)));
    stage.owner("DELETE", &format!("/v1/campaigns/{one}"), &Value::Null).await;
    let pause = stopped["changes"][0].as_str().expect("an id");
    assert_eq!(why_canceled(&stage, pause).await, "The campaign was removed.");
    let told = stage.stop().await;
    assert_eq!((&told["done"], &told["stopped_at"]), (&json!(true), &stopped["stopped_at"]), "the same stop: {told}");
    stage.minutes(5).await;
    assert_eq!((stage.running().await, &stage.stop().await["done"]), (Decimal::ZERO, &json!(true)));
}

#[tokio::test(start_paused = true)]
async fn a_stop_cancels_a_scheduled_removal_and_pauses_the_campaign() {
    for platform in [Platform::Alpha, Platform::Beta] {
        let (stage, one) = Stage::with_running(platform).await;
        let path = format!("/v1/campaigns/{one}");
        let removal = stage.agent("DELETE", &format!("{path}?apply_at={}", stage.at(2)), &Value::Null).await;
        assert_eq!((removal.status, &removal.body["state"]), (202, &json!("scheduled")), "{platform}: {removal:?}");
        stage.stop().await;
        let removal = removal.body["id"].as_str().expect("an id");
        assert_eq!(why_canceled(&stage, removal).await, "The API key was stopped.", "{platform}");
        assert_eq!(stage.agent("DELETE", &path, &Value::Null).await.status, 401, "{platform}");
        stage.hours(2).await;
        stage.minutes(3).await;
        let read = stage.owner("GET", &path, &Value::Null).await;
        assert_eq!(read["status"], "PAUSED", "{platform}: {read}");
        assert_eq!((stage.running().await, &stage.stop().await["done"]), (Decimal::ZERO, &json!(true)), "{platform}");
    }
}
