//! The events of users: another label, a pause, its end, and refusals by the limit of a user (D168).

use super::{events, kinds};
use crate::spending::{Stage, send_now, with_key};
use futures_util::future::join_all;
use serde_json::{Value, json};
use shared::domain::{Event, EventKind, Platform, Subject, UserBefore};
use std::collections::BTreeMap;

const USER: &str = "/v1/users/shop42";

/// A stage whose connection is of the user shop42, with a limit of this many US dollars a day.
async fn of_user(amount: i64) -> Stage {
    let stage = Stage::with_daily(&[Platform::Alpha], 1_000).await;
    let path = format!("/v1/connections/{}", stage.connections[0]);
    stage.owner("PATCH", &path, &json!({"external_ref": "shop42"})).await;
    stage.owner("PUT", USER, &limit(amount)).await;
    stage
}

fn limit(amount: i64) -> Value {
    json!({"label": "Shop", "spending_limit": {"amounts": [{"currency": "USD", "daily": amount}]}})
}

/// The events of users, and those of refusals.
async fn told(stage: &Stage) -> Vec<Event> {
    let mut events = events(&stage.app.store, stage.owner.customer, stage.owner.clock.now()).await;
    events.retain(|event| matches!(event.subject, Subject::User { .. } | Subject::Limit { .. }));
    events
}

/// The same without those of labels.
async fn of_pauses(stage: &Stage) -> Vec<Event> {
    let mut events = told(stage).await;
    events.retain(|event| event.kind != EventKind::UserUpdated);
    events
}

/// The events of a type as a request for a user lists them, oldest first.
async fn listed(stage: &Stage, user: &str, kind: &str) -> Vec<Value> {
    let path = format!("/v1/events?type={kind}&external_ref={user}");
    let mut events = stage.owner("GET", &path, &Value::Null).await["events"].as_array().expect("a list").clone();
    events.reverse();
    events
}

/// Sends a change with the key without a limit; the status of the response.
async fn change(stage: &Stage, path: &str, body: &Value) -> u16 {
    send_now(&stage.app, &stage.owner, "PATCH", path, body).await.status
}

#[tokio::test(start_paused = true)]
async fn a_pause_of_a_user_and_its_end_have_exactly_one_event_each() {
    let stage = of_user(100).await;
    let pause = format!("{USER}/pause");
    stage.owner("PUT", USER, &limit(95)).await;
    assert_eq!(kinds(&told(&stage).await), ["user.updated"], "the label; a limit has none");
    stage.owner("POST", &pause, &Value::Null).await;
    stage.owner("POST", &pause, &Value::Null).await;
    assert_eq!(kinds(&of_pauses(&stage).await), ["user.paused"], "a second request is the same pause");
    stage.owner("PUT", USER, &limit(90)).await;
    stage.minutes(4).await;
    let resume = format!("{USER}/resume");
    stage.owner("POST", &resume, &Value::Null).await;
    stage.owner("POST", &resume, &Value::Null).await;
    assert_eq!(kinds(&of_pauses(&stage).await), ["user.paused", "user.resumed"]);
    let paused = listed(&stage, "shop42", "user.paused").await;
    assert_eq!(paused[0]["data"], json!({"user": {"external_ref": "shop42", "label": "Shop", "is_paused": true}}));
    assert_eq!(paused[0]["previous"], json!({"user": {"is_paused": false}}));
    assert!(paused[0]["request_id"].is_string(), "{paused:?}");
    let resumed = listed(&stage, "shop42", "user.resumed").await;
    assert_eq!(
        (&resumed[0]["data"]["user"]["is_paused"], &resumed[0]["previous"]),
        (&json!(false), &json!({"user": {"is_paused": true}}))
    );
    assert_eq!(listed(&stage, "shop43", "user.paused").await, [Value::Null; 0], "another user sees none");
}

#[tokio::test(start_paused = true)]
async fn each_other_label_of_a_user_has_exactly_one_event() {
    let stage = Stage::with_daily(&[Platform::Alpha], 1_000).await;
    for (label, more) in [
        (json!("Corner shop"), 1),
        (json!("Corner shop"), 0),
        (json!("Corner shop & café"), 1),
        (Value::Null, 1),
        (Value::Null, 0),
    ] {
        let before = told(&stage).await.len();
        stage.owner("PUT", USER, &json!({ "label": label })).await;
        assert_eq!(told(&stage).await.len(), before + more, "{label}");
        stage.owner("PUT", USER, &json!({})).await;
        assert_eq!(told(&stage).await.len(), before + more, "nothing is named");
        stage.hours(1).await;
    }
    let events = listed(&stage, "shop42", "user.updated").await;
    let seen: Vec<Value> = events.iter().map(|event| json!([event["data"], event["previous"]])).collect();
    let of = |label: Value, before: Value| {
        let user = json!({"external_ref": "shop42", "label": label, "is_paused": false});
        json!([{ "user": user }, { "user": { "label": before } }])
    };
    let (first, second) = (json!("Corner shop"), json!("Corner shop & café"));
    let expected = [of(first.clone(), Value::Null), of(second.clone(), first), of(Value::Null, second)];
    assert_eq!(seen, expected);
    assert!(events.iter().all(|event| event["request_id"].is_string()), "{events:?}");
    assert_eq!(listed(&stage, "shop43", "user.updated").await, [Value::Null; 0], "another user sees none");
}

/// Each names the label that it has replaced: a copy that follows the events ends with the label that is stored.
#[tokio::test(start_paused = true)]
async fn labels_that_are_set_at_one_time_are_told_one_after_another() {
    let stage = Stage::with_daily(&[Platform::Alpha], 1_000).await;
    let names: Vec<String> = (0..8).map(|number| format!("Shop {number}")).collect();
    let set = names.iter().map(|name| {
        let body = json!({ "label": name });
        let stage = &stage;
        async move { send_now(&stage.app, &stage.owner, "PUT", USER, &body).await.status }
    });
    assert_eq!(join_all(set).await, [200; 8]);
    let mut steps: BTreeMap<Option<String>, String> = BTreeMap::new();
    for event in told(&stage).await {
        let Subject::User { user, previous: UserBefore::Label(before) } = event.subject else { continue };
        let known = steps.insert(before, user.label.expect("a label"));
        assert_eq!(known, None, "two events replace one label");
    }
    let mut label = None;
    while let Some(next) = steps.remove(&label) {
        label = Some(next);
    }
    let read = stage.owner("GET", USER, &Value::Null).await;
    assert_eq!((json!(label), steps.len()), (read["label"].clone(), 0));
}

#[tokio::test(start_paused = true)]
async fn refusals_by_the_limit_of_a_user_have_one_event_an_hour() {
    let stage = of_user(10).await;
    let campaign = stage.campaign(Platform::Alpha, "Large", 50).await;
    let path = format!("/v1/campaigns/{campaign}");
    let active = json!({"status": "ACTIVE"});
    assert_eq!(change(&stage, &format!("{path}?dry_run=true"), &active).await, 403);
    assert_eq!(kinds(&of_pauses(&stage).await), [""; 0], "a dry run");
    assert_eq!(change(&stage, &path, &active).await, 403, "by a key without a limit");
    assert_eq!(stage.change(&campaign, &active).await, 403, "by a key with a limit of its own");
    assert_eq!(kinds(&of_pauses(&stage).await), ["limit.refused"], "within the hour");
    stage.hours(1).await;
    assert_eq!(change(&stage, &path, &active).await, 403);
    let refused = listed(&stage, "shop42", "limit.refused").await;
    let counts: Vec<&Value> = refused.iter().map(|event| &event["data"]["count"]).collect();
    assert_eq!(counts, [&json!(1), &json!(2)], "one before, and this");
    let data = &refused[0]["data"];
    assert_eq!((&data["user"], data.get("api_key")), (&json!({"external_ref": "shop42"}), None), "{data}");
    assert_eq!((&data["spending_limit"]["of"], &data["spending_limit"]["needed"]), (&json!("user"), &json!(50)));
    assert_eq!(listed(&stage, "shop43", "limit.refused").await, [Value::Null; 0], "another user sees none");
    stage.owner("PUT", USER, &json!({"spending_limit": null})).await;
    stage.owner("POST", &format!("{USER}/pause"), &Value::Null).await;
    stage.hours(1).await;
    assert_eq!(change(&stage, &path, &active).await, 403, "paused");
    assert_eq!(
        kinds(&of_pauses(&stage).await),
        ["limit.refused", "limit.refused", "user.paused"],
        "a pause is no limit"
    );
}

#[tokio::test(start_paused = true)]
async fn a_refused_approval_of_a_product_is_counted_once() {
    let stage = of_user(100).await;
    let mut asks = limit(100);
    asks["spending_limit"]["approval"] = json!({"activation": true});
    stage.owner("PUT", USER, &asks).await;
    let campaign = stage.campaign(Platform::Alpha, "Large", 50).await;
    let path = format!("/v1/campaigns/{campaign}");
    let asked = send_now(&stage.app, &stage.owner, "PATCH", &path, &json!({"status": "ACTIVE"})).await;
    assert_eq!(asked.status, 202, "{asked:?}");
    let change = format!("/v1/changes/{}", asked.body["id"].as_str().expect("an id"));
    let made = stage.owner("POST", "/v1/api-keys", &json!({"name": "Product", "scopes": ["approve"]})).await;
    let product = with_key(&stage.owner, made["api_key"].as_str().expect("a key"));
    stage.owner("PUT", USER, &limit(10)).await;
    let review = send_now(&stage.app, &product, "GET", &format!("{change}/review"), &Value::Null).await;
    let decision = json!({"version": review.body["version"], "approved_by": "ada"});
    for _ in 0..2 {
        let refused = send_now(&stage.app, &product, "POST", &format!("{change}/approve"), &decision).await;
        assert_eq!((refused.status, &refused.body["spending_limit"]["of"]), (403, &json!("user")), "{refused:?}");
    }
    stage.hours(1).await;
    let refused = send_now(&stage.app, &product, "POST", &format!("{change}/approve"), &decision).await;
    assert_eq!(refused.status, 403, "{refused:?}");
    let counts: Vec<Value> =
        listed(&stage, "shop42", "limit.refused").await.iter().map(|event| event["data"]["count"].clone()).collect();
    assert_eq!(counts, [json!(1), json!(2)], "the first, then the second and the third");
}
