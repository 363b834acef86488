//! Monthly budgets and events at the platform: a budget changed there, failing reports, and held dates.

use super::wire::Wire;
use super::{ENVELOPED, Stage, share};
use rust_decimal::Decimal;
use serde_json::{Value, json};
use shared::domain::Platform;
use tokio::time::{Duration, sleep};

const PLATFORM: Platform = Platform::Beta;

#[tokio::test(start_paused = true)]
async fn a_budget_changed_at_the_platform_ends_the_monthly_budget() {
    let stage = Stage::connected(&[PLATFORM]).await;
    let wire = Wire::of(&stage.world);
    let stage = wire.serves(stage);
    let id = stage.campaign(PLATFORM, "Console").await;
    stage.ask(200, "PATCH", &format!("/v1/campaigns/{id}"), &json!({"budget_amount": 55, "status": "ACTIVE"})).await;
    stage.patch_month(200, &id, &json!({"budget_period": "MONTHLY", "budget_amount": 930})).await;
    stage.minutes(15).await;
    assert_eq!(stage.read_month(&id).await["budget_period"], "MONTHLY");
    wire.at_console("5500", "7700").await;
    sleep(Duration::from_hours(24)).await;
    stage.minutes(4).await;
    let ended = stage.read_month(&id).await;
    assert_eq!((&ended["budget_amount"], &ended["budget_period"]), (&json!(77), &json!("DAILY")), "{ended}");
    assert_eq!((ended.get("pacing"), ended.get("budget_held_by")), (None, None), "{ended}");
    let told = stage.ask(200, "GET", &format!("/v1/changes?campaign_id={id}&limit=100"), &Value::Null).await;
    let told = told["changes"].as_array().expect("a list").clone();
    let reason = &told[0]["error"]["reason"];
    assert_eq!((&told[0]["state"], reason), (&json!("canceled"), &json!("CHANGED_MEANWHILE")), "{}", told[0]);
    sleep(Duration::from_hours(48)).await;
    stage.minutes(4).await;
    let later = stage.ask(200, "GET", &format!("/v1/changes?campaign_id={id}&limit=100"), &Value::Null).await;
    assert_eq!(later["changes"].as_array().map(Vec::len), Some(told.len()), "nothing is fought over: {later}");
    assert_eq!(stage.in_books("Console").await.1, "77.00");
}

#[tokio::test(start_paused = true)]
async fn without_reports_a_budget_is_kept_for_a_day_and_then_lowered() {
    let stage = Stage::connected(&[PLATFORM]).await;
    let wire = Wire::of(&stage.world);
    let stage = wire.serves(stage);
    let monthly = stage.monthly_campaign(PLATFORM, "Blind", 930).await;
    stage.minutes(2).await;
    let first = stage.next_month(&monthly).await;
    stage.minutes(12).await;
    let even = share(930, first);
    assert_eq!(stage.daily_budget(&monthly).await, Some(even), "the month begins");
    wire.lose_reports(true);
    let second = stage.next_day(&monthly).await;
    assert_eq!(second.day(), 2);
    assert_eq!(stage.daily_budget(&monthly).await, Some(even), "the last budget stays");
    stage.next_day(&monthly).await;
    stage.minutes(30).await;
    let lowered = stage.daily_budget(&monthly).await.expect("it runs");
    assert!(lowered < even, "{lowered} after two days without a report");
    let fourth = stage.next_day(&monthly).await;
    let lower = stage.daily_budget(&monthly).await.expect("it runs");
    assert!(lower <= lowered, "{lower} without a report");
    wire.lose_reports(false);
    stage.minutes(45).await;
    let raised = stage.daily_budget(&monthly).await.expect("it runs");
    let left = Decimal::from(930) / Decimal::from(i64::from(fourth.days_in_month() - fourth.day() + 1));
    assert_eq!(raised, left.trunc_with_scale(2).normalize(), "nothing was spent");
}

#[tokio::test(start_paused = true)]
async fn a_month_after_the_end_date_activates_nothing() {
    let stage = Stage::connected(&[PLATFORM]).await;
    let monthly = stage.monthly_campaign(PLATFORM, "Over", 310).await;
    stage.spend_the_month(&[&monthly], PLATFORM).await;
    let end = json!({"end_at": stage.ahead(600)});
    stage.ask(200, "PATCH", &format!("/v1/campaigns/{}", monthly.id), &end).await;
    stage.minutes(15).await;
    stage.next_month(&monthly).await;
    assert_eq!(stage.daily_budget(&monthly).await, None, "it has ended");
    stage.next_day(&monthly).await;
    assert_eq!(stage.daily_budget(&monthly).await, None, "it has ended");
}

#[tokio::test(start_paused = true)]
async fn a_held_start_precedes_the_activation_of_a_month() {
    let stage = Stage::connected(&[PLATFORM]).await;
    let account = stage.ask(200, "GET", "/v1/connections", &Value::Null).await["connections"][0].clone();
    let body = json!({"platform": "BETA", "organization_id": account["remote_account_id"], "name": "Early",
        "goal": "WEBSITE_TRAFFIC", "budget_amount": 930, "budget_period": "MONTHLY", "start_at": stage.ahead(1800)});
    let made = stage.ask(201, "POST", "/v1/campaigns", &body).await;
    let id = made["data"]["id"].as_str().expect("an id").to_owned();
    let waits = stage.send("PATCH", &format!("/v1/campaigns/{id}"), &ENVELOPED, &json!({"status": "ACTIVE"})).await;
    assert_eq!(waits.status, 202, "{}", waits.body);
    stage.minutes(20).await;
    assert!(super::is_paused(&stage.in_books("Early").await.0), "before its start");
    stage.minutes(15).await;
    assert!(!super::is_paused(&stage.in_books("Early").await.0), "after its start");
    let read = stage.read_month(&id).await;
    assert_eq!((&read["budget_amount"], &read["budget_period"]), (&json!(930), &json!("MONTHLY")), "{read}");
    let daily: Decimal = stage.in_books("Early").await.1.parse().expect("an amount");
    assert_eq!(read["pacing"]["daily_now"].to_string(), daily.normalize().to_string(), "{read}");
}

#[tokio::test(start_paused = true)]
async fn the_next_month_does_not_activate_before_a_postponed_start() {
    let stage = Stage::connected(&[PLATFORM]).await;
    let monthly = stage.monthly_campaign(PLATFORM, "Moved", 310).await;
    stage.spend_the_month(&[&monthly], PLATFORM).await;
    let start = json!({"start_at": stage.ahead(40 * 24 * 3600)});
    stage.ask(200, "PATCH", &format!("/v1/campaigns/{}", monthly.id), &start).await;
    stage.next_month(&monthly).await;
    assert_eq!(stage.daily_budget(&monthly).await, None, "before its start");
    stage.next_day(&monthly).await;
    assert_eq!(stage.daily_budget(&monthly).await, None, "before its start");
}

/// The service holds dates and monthly budgets for these platforms, so the platform receives neither.
#[tokio::test(start_paused = true)]
async fn a_monthly_budget_and_dates_change_in_one_request() {
    for platform in [Platform::Beta, Platform::Gamma] {
        let stage = Stage::connected(&[platform]).await;
        let monthly = stage.monthly_campaign(platform, "Dated", 1_860).await;
        let end = stage.ahead(20 * 24 * 3600);
        let amount = json!({"budget_period": "MONTHLY", "budget_amount": 2_480, "end_at": end});
        let changed = stage.patch_month(200, &monthly.id, &amount).await;
        assert_eq!((&changed["data"]["budget_amount"], &changed["data"]["end_at"]), (&json!(2_480), &json!(end)));
        let end = stage.ahead(10 * 24 * 3600);
        let daily = json!({"budget_period": "DAILY", "budget_amount": 66, "end_at": end});
        let changed = stage.patch_month(200, &monthly.id, &daily).await;
        assert_eq!((&changed["data"]["budget_period"], &changed["data"]["end_at"]), (&json!("DAILY"), &json!(end)));
        assert_eq!(stage.daily_budget(&monthly).await, Some(66.into()), "{platform}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_refused_date_does_not_change_the_monthly_budget() {
    for platform in [Platform::Beta, Platform::Gamma] {
        let stage = Stage::connected(&[platform]).await;
        let monthly = stage.monthly_campaign(platform, "Refused", 1_860).await;
        let past = json!({"budget_period": "MONTHLY", "budget_amount": 2_480, "end_at": stage.ahead(-600)});
        let refused = stage.patch_month(400, &monthly.id, &past).await;
        let words = refused["error"]["message"].as_str().expect("a text");
        assert!(words.starts_with("end_at must"), "{platform}: {words}");
        assert_eq!(stage.read_month(&monthly.id).await["budget_amount"], 1_860, "{platform}");
    }
}

#[tokio::test(start_paused = true)]
async fn the_amount_of_a_month_is_checked_when_it_changes() {
    for platform in [Platform::Epsilon, Platform::Zeta] {
        let stage = Stage::connected(&[platform]).await;
        let monthly = stage.monthly_campaign(platform, "Small", 930).await;
        for amount in [0.01, 0.3] {
            let body = json!({"budget_period": "MONTHLY", "budget_amount": amount});
            let refused = stage.patch_month(400, &monthly.id, &body).await;
            let words = refused["error"]["message"].as_str().expect("a text");
            assert!(words.contains("at least 0.31 USD a month"), "{platform}: {words}");
        }
        assert_eq!(stage.read_month(&monthly.id).await["budget_amount"], 930, "{platform}");
    }
}
