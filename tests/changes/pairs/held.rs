//! What the service holds itself, dates and monthly budgets, with a time, with a dry run and with a removal.

use super::why_canceled;
use crate::changes::Stage;
use crate::changes::held_dates::{HELD, id_of};
use crate::changes::monthly::{ENVELOPED, share};
use serde_json::{Value, json};
use shared::domain::Platform;

const PLATFORM: Platform = Platform::Beta;

#[tokio::test(start_paused = true)]
async fn a_monthly_budget_cannot_be_scheduled_but_other_changes_can() {
    let stage = Stage::connected(&[PLATFORM]).await;
    let monthly = stage.monthly_campaign(PLATFORM, "Monthly", 930).await;
    let daily = stage.campaign(PLATFORM, "Daily").await;
    for (id, body) in [
        (&daily, json!({"budget_period": "MONTHLY", "budget_amount": 930})),
        (&monthly.id, json!({"budget_period": "MONTHLY", "budget_amount": 1240})),
        (&monthly.id, json!({"budget_amount": 1240})),
        (&monthly.id, json!({"budget_period": "DAILY", "budget_amount": 12})),
    ] {
        let refused = stage.patch_month(400, &format!("{id}?apply_at={}", stage.ahead(600)), &body).await;
        let words = refused["error"]["message"].as_str().expect("a text");
        assert!(words.starts_with("apply_at must not be sent with a MONTHLY budget"), "{body}: {words}");
    }
    let waiting = stage.ask(200, "GET", "/v1/changes?state=scheduled", &Value::Null).await;
    assert_eq!(waiting["changes"], json!([]), "a refused request leaves nothing");
    let renamed = stage.schedule(&monthly.id, 600, &json!({"name": "Renamed"})).await;
    stage.minutes(15).await;
    assert_eq!(stage.change(&renamed).await["state"], "applied");
    let read = stage.read_month(&monthly.id).await;
    assert_eq!((&read["name"], &read["budget_amount"]), (&json!("Renamed"), &json!(930)), "{read}");
    assert_eq!(stage.read_month(&daily).await["budget_period"], "DAILY");
}

#[tokio::test(start_paused = true)]
async fn a_dry_run_of_a_monthly_budget_changes_nothing() {
    let stage = Stage::connected(&[PLATFORM]).await;
    let monthly = stage.monthly_campaign(PLATFORM, "Monthly", 310).await;
    let daily = stage.campaign(PLATFORM, "Daily").await;
    let seen = async || (stage.read_month(&monthly.id).await, stage.read_month(&daily).await, stage.books().await);
    let before = seen().await;
    for (id, body, verdict) in [
        (&daily, json!({"budget_period": "MONTHLY", "budget_amount": 930}), "would_update"),
        (&monthly.id, json!({"budget_amount": 620}), "would_update"),
        (&monthly.id, json!({"budget_period": "DAILY", "budget_amount": 12}), "would_update"),
        (&monthly.id, json!({"budget_period": "MONTHLY", "budget_amount": 310}), "would_change_nothing"),
    ] {
        let run = stage.patch_month(200, &format!("{id}?dry_run=true"), &body).await;
        assert_eq!(run["data"]["verdict"], verdict, "{body}: {run}");
    }
    for (id, body) in [(&daily, json!({"budget_period": "MONTHLY"})), (&monthly.id, json!({"budget_amount": 30}))] {
        let refused = stage.patch_month(400, &format!("{id}?dry_run=true"), &body).await;
        let words = refused["error"]["message"].as_str().expect("a text");
        assert!(words.contains("budget_amount"), "{body}: {words}");
    }
    assert_eq!(seen().await, before, "nothing has moved");
    assert_eq!(stage.changes_of(&monthly).await.len(), 2, "the create and the activation");
}

#[tokio::test(start_paused = true)]
async fn a_dry_run_of_a_create_shows_the_daily_budget_of_its_month() {
    let stage = Stage::connected(&[PLATFORM]).await;
    let connections = stage.ask(200, "GET", "/v1/connections", &Value::Null).await;
    let body = json!({"platform": PLATFORM.as_upper(), "name": "New", "goal": "WEBSITE_TRAFFIC", "budget_amount": 930,
        "organization_id": connections["connections"][0]["remote_account_id"], "budget_period": "MONTHLY"});
    let run = stage.send("POST", "/v1/campaigns?dry_run=true", &ENVELOPED, &body).await;
    assert_eq!((run.status, &run.body["data"]["verdict"]), (200, &json!("would_create")), "{}", run.body);
    assert!(stage.books().await.is_empty(), "nothing is created");
    let made = stage.send("POST", "/v1/campaigns", &ENVELOPED, &body).await;
    assert_eq!(made.status, 201, "{}", made.body);
    // Meta has cents, and the books have units.
    let cents = stage.in_books("New").await.1.replace('.', "");
    let shown = run.body["data"]["request"]["body"].as_str().expect("a body");
    assert!(shown.contains(&format!("\"daily_budget\":{cents}")), "{cents}: {shown}");
}

#[tokio::test(start_paused = true)]
async fn a_dry_run_in_a_spent_month_keeps_the_activation_of_the_next_month() {
    let stage = Stage::connected(&[PLATFORM]).await;
    let monthly = stage.monthly_campaign(PLATFORM, "Spent", 310).await;
    stage.spend_the_month(&[&monthly], PLATFORM).await;
    let dry = format!("{}?dry_run=true", monthly.id);
    let refused = stage.patch_month(409, &dry, &json!({"status": "ACTIVE"})).await;
    assert!(refused["error"]["message"].as_str().is_some_and(|text| text.contains("monthly budget")), "{refused}");
    for body in [json!({"status": "PAUSED"}), json!({"budget_period": "DAILY", "budget_amount": 12})] {
        let run = stage.patch_month(200, &dry, &body).await;
        assert_eq!(run["data"]["verdict"], "would_update", "{body}: it would end the activation: {run}");
    }
    let first = stage.next_month(&monthly).await;
    assert_eq!(stage.daily_budget(&monthly).await, Some(share(310, first)), "nobody has paused it");
}

#[tokio::test(start_paused = true)]
async fn a_removal_ends_the_changes_that_wait_for_dates_of_the_campaign() {
    for platform in HELD {
        let stage = Stage::connected(&[platform]).await;
        let made = stage.dated(platform, "Removed", Some(stage.ahead(1800)), Some(stage.ahead(7200))).await;
        let id = id_of(&made);
        stage.patch(202, &id, &json!({"status": "ACTIVE"})).await;
        let waiting = stage.waiting().await;
        assert_eq!(waiting.len(), 2, "{platform}: the start and the end");
        stage.ask(204, "DELETE", &format!("/v1/campaigns/{id}"), &Value::Null).await;
        for change in &waiting {
            assert_eq!(why_canceled(&stage, &change["id"]).await, "The campaign was removed.", "{platform}");
        }
        let removed = stage.in_books("Removed").await;
        stage.patch(409, &id, &json!({"end_at": stage.ahead(3600)})).await;
        stage.patch(409, &id, &json!({"start_at": null})).await;
        stage.minutes(125).await;
        assert_eq!(stage.in_books("Removed").await, removed, "{platform}: it neither starts nor ends");
        assert!(stage.waiting().await.is_empty(), "{platform}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_removal_ends_the_monthly_budget() {
    for platform in [Platform::Alpha, Platform::Beta] {
        let stage = Stage::connected(&[platform]).await;
        let spent = stage.monthly_campaign(platform, "Spent", 310).await;
        let running = stage.monthly_campaign(platform, "Running", 930).await;
        stage.spend_the_month(&[&spent], platform).await;
        let waits = |change: &Value| change["state"] == "scheduled" && change["requested"]["status"] == "ACTIVE";
        let resume = stage.changes_of(&spent).await.into_iter().find(waits).expect("the activation of the next month");
        for monthly in [&spent, &running] {
            stage.ask(204, "DELETE", &format!("/v1/campaigns/{}", monthly.id), &Value::Null).await;
        }
        assert_eq!(why_canceled(&stage, &resume["id"]).await, "The campaign was removed.", "{platform}");
        let seen = async || {
            let (spent, running) = (stage.changes_of(&spent).await.len(), stage.changes_of(&running).await.len());
            (stage.books().await, spent, running)
        };
        let before = seen().await;
        stage.minutes(15).await;
        stage.next_month(&spent).await;
        stage.next_day(&spent).await;
        assert_eq!(seen().await, before, "{platform}: nothing is moved and nothing is sent");
        stage.patch_month(409, &spent.id, &json!({"budget_amount": 6200})).await;
    }
}
