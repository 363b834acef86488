//! The events of refusals by spending limits: at most once an hour for a key and limit, with a count.

use super::{events, kinds};
use crate::spending::Stage;
use jiff::SignedDuration;
use serde_json::{Value, json};
use shared::domain::spending::{LimitName, Spender};
use shared::domain::{Event, Platform, Subject};

async fn refusals(stage: &Stage) -> Vec<Event> {
    let mut events = events(&stage.app.store, stage.owner.customer, stage.owner.clock.now()).await;
    events.retain(|event| matches!(event.subject, Subject::Limit { .. }));
    events
}

fn counts(events: &[Event]) -> Vec<(LimitName, u64)> {
    let count = |event: &Event| match &event.subject {
        Subject::Limit { refusal, count, .. } => (refusal.limit, *count),
        other => panic!("{other:?}"),
    };
    events.iter().map(count).collect()
}

#[tokio::test(start_paused = true)]
async fn refusals_have_one_event_an_hour_with_their_count() {
    let stage = Stage::with_daily(&[Platform::Alpha], 10).await;
    let campaign = stage.campaign(Platform::Alpha, "Large", 50).await;
    let active = json!({"status": "ACTIVE"});
    assert_eq!(stage.change(&campaign, &active).await, 403);
    let events = refusals(&stage).await;
    assert_eq!((kinds(&events), counts(&events)), (vec!["limit.refused"], vec![(LimitName::Daily, 1)]));
    let Subject::Limit { refusal, .. } = &events[0].subject else { panic!("{events:?}") };
    assert_eq!(refusal.of, Spender::Key(stage.key.clone()));
    assert_eq!(refusal.amounts.map(|amounts| (amounts.amount, amounts.needed)), Some((10.into(), 50.into())));
    assert!(events[0].request.is_some());
    for _ in 0..3 {
        assert_eq!(stage.change(&campaign, &active).await, 403);
    }
    assert_eq!(refusals(&stage).await.len(), 1, "within the hour");
    stage.hours(1).await;
    assert_eq!(stage.change(&campaign, &active).await, 403);
    assert_eq!(stage.change(&campaign, &active).await, 403);
    assert_eq!(
        counts(&refusals(&stage).await),
        [(LimitName::Daily, 1), (LimitName::Daily, 4)],
        "three before, and this"
    );
}

#[tokio::test(start_paused = true)]
async fn only_refusals_of_a_limit_have_an_event() {
    let limit = |all: &[String]| json!({"connections": all, "amounts": [{"currency": "USD", "daily": 10}], "creates_per_day": 1});
    let stage = Stage::with(&[Platform::Alpha], limit).await;
    let campaign = stage.campaign(Platform::Alpha, "Large", 50).await;
    let path = format!("/v1/campaigns/{campaign}");
    stage.agent("PATCH", &format!("{path}?dry_run=true"), &json!({"status": "ACTIVE"})).await;
    assert_eq!(stage.change(&campaign, &json!({"status": "PAUSED"})).await, 200);
    assert_eq!(refusals(&stage).await, [], "a dry run, and a pause");
    assert_eq!(stage.change(&campaign, &json!({"status": "ACTIVE"})).await, 403);
    let create = json!({"platform": "alpha_ads", "name": "New", "goal": "TRAFFIC", "budget_amount": 5,
        "budget_period": "DAILY"});
    assert_eq!(stage.agent("POST", "/v1/campaigns", &create).await.status, 201);
    assert_eq!(stage.agent("POST", "/v1/campaigns", &create).await.status, 403, "one create a day");
    assert_eq!(counts(&refusals(&stage).await), [(LimitName::Daily, 1), (LimitName::CreatesPerDay, 1)],);
}

#[tokio::test(start_paused = true)]
async fn refusals_of_maintenance_have_an_event() {
    let stage = Stage::with_daily(&[Platform::Alpha], 100).await;
    let campaign = stage.campaign(Platform::Alpha, "Later", 50).await;
    let at = stage.owner.clock.now() + SignedDuration::from_mins(30);
    let path = format!("/v1/campaigns/{campaign}?apply_at={at:.0}");
    assert_eq!(stage.agent("PATCH", &path, &json!({"status": "ACTIVE"})).await.status, 202);
    let lower = json!({"spending_limit": {"connections": [], "amounts": [{"currency": "USD", "daily": 1}]}});
    let keys = stage.owner("GET", "/v1/api-keys", &Value::Null).await;
    let key = keys["api_keys"].as_array().expect("a list").iter().find(|key| key["name"] == "Agent").expect("a key");
    let mut limit = key["spending_limit"].clone();
    limit["amounts"][0]["daily"] = lower["spending_limit"]["amounts"][0]["daily"].clone();
    stage.owner("PATCH", &format!("/v1/api-keys/{}", stage.key), &json!({"spending_limit": limit})).await;
    assert_eq!(refusals(&stage).await, []);
    stage.minutes(32).await;
    assert_eq!(counts(&refusals(&stage).await), [(LimitName::Daily, 1)]);
}
