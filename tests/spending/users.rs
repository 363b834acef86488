//! The limit and the pause of a user hold over all keys, people and schedules that act in its connections (D157, D158). The
//! sandbox's books say what runs.

use super::{Answer, Stage, daily, send, send_now};
use crate::in_process::respond;
use futures_util::future::join_all;
use jiff::SignedDuration;
use rust_decimal::Decimal;
use serde_json::{Value, json};
use shared::domain::Platform;

const USER: &str = "/v1/users/shop42";

fn active() -> Value {
    json!({"status": "ACTIVE"})
}

fn paused() -> Value {
    json!({"status": "PAUSED"})
}

/// A limit of a user in US dollars.
fn user_limit(amount: i64) -> Value {
    json!({"spending_limit": {"amounts": [{"currency": "USD", "daily": amount}]}})
}

/// A stage whose connections belong to a user with this limit, and whose limited key may run 1,000 USD a day.
async fn of_user(platforms: &[Platform], amount: i64) -> Stage {
    let stage = Stage::with_daily(platforms, 1_000).await;
    for connection in &stage.connections {
        let update = json!({"external_ref": "shop42"});
        stage.owner("PATCH", &format!("/v1/connections/{connection}"), &update).await;
    }
    stage.owner("PUT", USER, &user_limit(amount)).await;
    stage
}

/// A change by the key without a limit.
async fn by_owner(stage: &Stage, campaign: &str, changes: &Value) -> Answer {
    send(&stage.app, &stage.owner, "PATCH", &format!("/v1/campaigns/{campaign}"), changes).await
}

/// What is reserved of the daily limit of a user.
async fn reserved_of(stage: &Stage, user: &str) -> i64 {
    let read = stage.owner("GET", &format!("/v1/users/{user}"), &Value::Null).await;
    read["limits"]["amounts"][0]["daily"]["reserved"].as_i64().expect("a number")
}

#[tokio::test(start_paused = true)]
async fn the_limit_of_a_user_counts_for_every_key() {
    let stage = of_user(&[Platform::Alpha, Platform::Beta], 100).await;
    let one = stage.campaign(Platform::Alpha, "One", 60).await;
    let two = stage.campaign(Platform::Beta, "Two", 50).await;
    assert_eq!(by_owner(&stage, &one, &active()).await.status, 200, "a key without a limit");
    let refused = stage.agent("PATCH", &format!("/v1/campaigns/{two}"), &active()).await;
    let expected = json!({"limit": "daily", "of": "user", "currency": "USD", "amount": 100, "reserved": 60, "left": 40,
        "needed": 50});
    assert_eq!((refused.status, &refused.body["spending_limit"]), (403, &expected), "{refused:?}");
    assert_eq!(by_owner(&stage, &one, &json!({"budget_amount": 101})).await.status, 403, "raised too far");
    assert_eq!(by_owner(&stage, &one, &json!({"budget_amount": 70})).await.status, 200);
    assert_eq!((reserved_of(&stage, "shop42").await, stage.running().await), (70, Decimal::from(70)));
    assert_eq!(by_owner(&stage, &one, &paused()).await.status, 200);
    assert_eq!(reserved_of(&stage, "shop42").await, 70, "until the day is over");
    stage.hours(48).await;
    assert_eq!(stage.change(&two, &active()).await, 200);
    assert_eq!((reserved_of(&stage, "shop42").await, stage.reserved_and_left().await), (50, (50, 950)));
    assert_eq!(by_owner(&stage, &two, &paused()).await.status, 200);
    stage.hours(48).await;
    assert_eq!((reserved_of(&stage, "shop42").await, stage.reserved_and_left().await.0), (0, 50), "as ever for a key");
}

#[tokio::test(start_paused = true)]
async fn what_is_refused_at_its_time_is_refused_at_once() {
    let stage = of_user(&[Platform::Alpha], 50).await;
    let one = stage.campaign(Platform::Alpha, "One", 60).await;
    let at = stage.app.clock.now() + SignedDuration::from_hours(1);
    let later = format!("{one}?apply_at={at:.0}");
    assert_eq!(by_owner(&stage, &later, &active()).await.status, 403);
    stage.owner("PUT", USER, &user_limit(60)).await;
    assert_eq!(by_owner(&stage, &later, &active()).await.status, 202);
    stage.owner("PUT", USER, &user_limit(59)).await;
    stage.minutes(70).await;
    assert_eq!(stage.running().await, Decimal::ZERO, "the limit holds when it is due");
}

#[tokio::test(start_paused = true)]
async fn many_requests_of_several_keys_never_exceed_the_limit_of_a_user() {
    let stage = of_user(&[Platform::Alpha], 100).await;
    let mut campaigns = Vec::new();
    for number in 0..6 {
        campaigns.push(stage.campaign(Platform::Alpha, &format!("Number {number}"), 30).await);
    }
    let body = &active();
    let asked = campaigns.iter().enumerate().map(|(number, campaign)| {
        let world = if number % 2 == 0 { &stage.owner } else { &stage.limited };
        let (app, path) = (&stage.app, format!("/v1/campaigns/{campaign}"));
        async move { send_now(app, world, "PATCH", &path, body).await.status }
    });
    let statuses = join_all(asked).await;
    let made = statuses.iter().filter(|status| **status == 200).count();
    assert!(made <= 3, "{statuses:?}");
    assert_eq!(stage.running().await, Decimal::from(30 * made), "{statuses:?}");
    assert_eq!(reserved_of(&stage, "shop42").await, 30 * i64::try_from(made).expect("a number"));
}

#[tokio::test(start_paused = true)]
async fn a_connection_takes_what_runs_to_its_new_user() {
    let stage = of_user(&[Platform::Alpha], 100).await;
    let (one, two) =
        (stage.campaign(Platform::Alpha, "One", 60).await, stage.campaign(Platform::Alpha, "Two", 10).await);
    assert_eq!(by_owner(&stage, &one, &active()).await.status, 200);
    stage.owner("PUT", "/v1/users/shop43", &user_limit(50)).await;
    let path = format!("/v1/connections/{}", stage.connections[0]);
    stage.owner("PATCH", &path, &json!({"external_ref": "shop43"})).await;
    assert_eq!((reserved_of(&stage, "shop42").await, reserved_of(&stage, "shop43").await), (60, 60));
    assert_eq!(by_owner(&stage, &two, &active()).await.status, 403, "more than the limit runs already");
    stage.hours(48).await;
    assert_eq!((reserved_of(&stage, "shop42").await, reserved_of(&stage, "shop43").await), (0, 60));
    assert_eq!(by_owner(&stage, &one, &paused()).await.status, 200);
    stage.hours(48).await;
    assert_eq!(by_owner(&stage, &two, &active()).await.status, 200);
    assert_eq!((reserved_of(&stage, "shop43").await, stage.running().await), (10, Decimal::from(10)));
}

/// A consent of a user to the ad account of a campaign on Google Ads.
async fn consent_of(stage: &Stage, user: &str, campaign: &str) {
    let path = format!("/v1/connections/alpha_ads/authorize?external_ref={user}");
    let begun = stage.owner("GET", &path, &Value::Null).await;
    let account = campaign.split('_').nth(1).expect("an ad account").to_owned();
    let back = stage.owner.consent(begun["authorize_url"].as_str().expect("an address"), &[account]).await;
    let page = respond(&stage.app, stage.owner.request("GET", &back, &[], "")).await;
    assert_eq!(page.status(), 200, "{:?}", page.body());
}

#[tokio::test(start_paused = true)]
async fn what_runs_counts_again_once_its_connection_comes_back() {
    let stage = of_user(&[Platform::Alpha], 100).await;
    let (one, two) =
        (stage.campaign(Platform::Alpha, "One", 60).await, stage.campaign(Platform::Alpha, "Two", 41).await);
    assert_eq!(by_owner(&stage, &one, &active()).await.status, 200);
    let path = format!("/v1/connections/{}", stage.connections[0]);
    for by_consent in [false, true] {
        stage.owner("PATCH", &path, &json!({"external_ref": null})).await;
        stage.hours(48).await;
        assert_eq!(reserved_of(&stage, "shop42").await, 0, "it is nobody's");
        if by_consent {
            consent_of(&stage, "shop42", &one).await;
        } else {
            stage.owner("PATCH", &path, &json!({"external_ref": "shop42"})).await;
        }
        assert_eq!(reserved_of(&stage, "shop42").await, 60, "by a consent: {by_consent}");
        assert_eq!(by_owner(&stage, &two, &active()).await.status, 403, "by a consent: {by_consent}");
    }
    assert_eq!(stage.running().await, Decimal::from(60));
}

#[tokio::test(start_paused = true)]
async fn a_connection_that_a_consent_brings_back_can_be_changed_at_once() {
    let stage = of_user(&[Platform::Alpha], 100).await;
    let one = stage.campaign(Platform::Alpha, "One", 60).await;
    let path = format!("/v1/connections/{}", stage.connections[0]);
    stage.owner("PATCH", &path, &json!({"external_ref": null})).await;
    consent_of(&stage, "shop42", &one).await;
    for changes in [active(), paused()] {
        let answer = by_owner(&stage, &one, &changes).await;
        assert_eq!(answer.status, 200, "{changes}: {answer:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_pause_frees_what_its_platform_does_not_have_any_more() {
    let unknown = json!({"error": {"code": 404, "message": "Not Found"}});
    let unseen = json!({"error": {"message": "Unsupported get request.", "type": "GraphMethodException", "code": 100,
        "error_subcode": 33}});
    let no_account = json!({"code": 2, "message": "AdAccount not found."});
    for (platform, status, body, counts) in
        [(Platform::Zeta, 404, unknown, 0), (Platform::Beta, 400, unseen, 60), (Platform::Epsilon, 404, no_account, 60)]
    {
        let stage = of_user(&[platform], 100).await;
        let one = stage.campaign(platform, "One", 60).await;
        assert_eq!(stage.change(&one, &active()).await, 200, "{platform}");
        let fault = json!({"platform": platform.as_str(), "operation": "get", "fault": "answer", "times": 1,
            "status": status, "body": body.to_string()});
        stage.owner.control("POST", "faults", &fault).await;
        assert_eq!(stage.change(&one, &paused()).await, 404, "{platform}");
        stage.hours(48).await;
        let reserved = (reserved_of(&stage, "shop42").await, stage.reserved_and_left().await.0);
        assert_eq!(reserved, (counts, counts), "{platform}: of the user and of the key");
    }
}

#[tokio::test(start_paused = true)]
async fn approval_is_asked_for_by_the_limit_of_a_user_too() {
    let stage = of_user(&[Platform::Alpha], 100).await;
    let mut limit = user_limit(100);
    limit["spending_limit"]["approval"] = json!({"amounts": [{"currency": "USD", "amount": 20}]});
    stage.owner("PUT", USER, &limit).await;
    let one = stage.campaign(Platform::Alpha, "One", 20).await;
    assert_eq!(by_owner(&stage, &one, &active()).await.status, 200, "no more than the amount");
    let asked = by_owner(&stage, &one, &json!({"budget_amount": 30})).await;
    assert_eq!((asked.status, &asked.body["state"]), (202, &json!("awaiting_approval")), "{asked:?}");
    let again = by_owner(&stage, &one, &json!({"budget_amount": 30})).await;
    assert_eq!(asked.body["id"], again.body["id"], "the same change is asked for once");
    stage.approve(asked.body["id"].as_str().expect("an id")).await.expect("an approval");
    assert_eq!((reserved_of(&stage, "shop42").await, stage.running().await), (30, Decimal::from(30)));
}

#[tokio::test(start_paused = true)]
async fn a_pause_of_a_user_stops_what_runs_until_it_is_resumed() {
    let stage = of_user(&[Platform::Alpha, Platform::Beta], 1_000).await;
    let one = stage.campaign(Platform::Alpha, "One", 60).await;
    let two = stage.campaign(Platform::Beta, "Two", 50).await;
    assert_eq!(by_owner(&stage, &one, &active()).await.status, 200);
    assert_eq!(stage.change(&two, &active()).await, 200);
    let told = stage.owner("POST", "/v1/users/shop42/pause", &Value::Null).await;
    assert_eq!((&told["is_paused"], &told["pause"]["done"]), (&json!(true), &json!(false)), "{told}");
    let refused = by_owner(&stage, &one, &json!({"budget_amount": 61})).await;
    assert_eq!((refused.status, &refused.body["reason"]), (403, &json!("USER_PAUSED")), "{refused:?}");
    let early = send(&stage.app, &stage.owner, "POST", "/v1/users/shop42/resume", &Value::Null).await;
    assert_eq!(early.status, 409, "{early:?}");
    stage.minutes(4).await;
    assert_eq!(stage.running().await, Decimal::ZERO);
    let again = stage.owner("POST", "/v1/users/shop42/pause", &Value::Null).await;
    assert_eq!((&again["pause"]["done"], &again["pause"]["paused_at"]), (&json!(true), &told["pause"]["paused_at"]));
    assert_eq!(stage.change(&two, &active()).await, 403, "with a limit too");
    let resumed = stage.owner("POST", "/v1/users/shop42/resume", &Value::Null).await;
    assert_eq!((&resumed["is_paused"], &resumed["pause"]), (&json!(false), &Value::Null), "{resumed}");
    assert_eq!(stage.running().await, Decimal::ZERO, "what is paused stays paused");
    assert_eq!(by_owner(&stage, &one, &active()).await.status, 200);
    assert_eq!(stage.running().await, Decimal::from(60));
}

/// An ad account that cannot be read is tried again: the pause is not done until its campaigns are paused.
#[tokio::test(start_paused = true)]
async fn a_pause_of_a_user_goes_on_while_a_platform_fails() {
    let stage = of_user(&[Platform::Beta], 1_000).await;
    let one = stage.campaign(Platform::Beta, "One", 60).await;
    assert_eq!(by_owner(&stage, &one, &active()).await.status, 200);
    stage.fault(Platform::Beta, "list", "error", 3).await;
    stage.owner("POST", "/v1/users/shop42/pause", &Value::Null).await;
    stage.minutes(15).await;
    let told = stage.owner("GET", USER, &Value::Null).await;
    assert_eq!((&told["pause"]["done"], stage.running().await), (&json!(true), Decimal::ZERO), "{told}");
}

/// Only its end ends a pause: a pause that waits for its platform is canceled by nobody, and outlives the key that asked.
#[tokio::test(start_paused = true)]
async fn a_pause_of_a_user_is_canceled_by_nobody_and_outlives_its_key() {
    let stage = of_user(&[Platform::Beta], 1_000).await;
    let one = stage.campaign(Platform::Beta, "One", 60).await;
    assert_eq!(by_owner(&stage, &one, &active()).await.status, 200);
    let made = stage.owner("POST", "/v1/api-keys", &json!({"name": "Second", "scopes": ["read", "write"]})).await;
    let second = super::with_key(&stage.owner, made["api_key"].as_str().expect("a key"));
    stage.fault(Platform::Beta, "update", "error", 12).await;
    let told = send(&stage.app, &second, "POST", "/v1/users/shop42/pause", &Value::Null).await;
    assert_eq!(told.body["is_paused"], true, "{told:?}");
    stage.minutes(1).await;
    let waiting = stage.owner("GET", "/v1/changes?state=scheduled", &Value::Null).await["changes"][0].clone();
    let id = waiting["id"].as_str().expect("a pause that waits").to_owned();
    let bulk = format!("blk_{}", waiting["request_id"].as_str().expect("a request").replace('-', ""));
    for path in
        [format!("/v1/changes/{id}/cancel"), format!("/v1/changes/{id}/undo"), format!("/v1/changes/{bulk}/undo")]
    {
        let refused = send(&stage.app, &stage.owner, "POST", &path, &Value::Null).await;
        assert_eq!((refused.status, &refused.body["reason"]), (403, &json!("USER_PAUSED")), "{path}: {refused:?}");
    }
    let key = made["id"].as_str().expect("an id");
    let stopped = send(&stage.app, &stage.owner, "POST", &format!("/v1/api-keys/{key}/stop"), &Value::Null).await;
    assert!(stopped.status < 300, "{stopped:?}");
    stage.minutes(90).await;
    let told = stage.owner("GET", USER, &Value::Null).await;
    let changes = stage.owner("GET", "/v1/changes", &Value::Null).await["changes"].clone();
    assert_eq!((&told["pause"]["done"], stage.running().await), (&json!(true), Decimal::ZERO), "{told} {changes}");
}

/// A connection that leaves a paused user before its campaigns are read keeps them running for its new user.
#[tokio::test(start_paused = true)]
async fn a_pause_of_a_user_ends_where_a_connection_has_left() {
    let stage = of_user(&[Platform::Beta], 1_000).await;
    let one = stage.campaign(Platform::Beta, "One", 60).await;
    assert_eq!(by_owner(&stage, &one, &active()).await.status, 200);
    stage.fault(Platform::Beta, "list", "error", 3).await;
    stage.owner("POST", "/v1/users/shop42/pause", &Value::Null).await;
    stage.minutes(1).await;
    let path = format!("/v1/connections/{}", stage.connections[0]);
    stage.owner("PATCH", &path, &json!({"external_ref": "shop43"})).await;
    stage.minutes(15).await;
    assert_eq!(stage.running().await, Decimal::from(60), "it is of a user that is not paused");
}

#[tokio::test(start_paused = true)]
async fn a_user_is_there_once_a_connection_or_a_put_names_it() {
    let stage = Stage::with_daily(&[Platform::Alpha], 100).await;
    let get = async |path: &str| send(&stage.app, &stage.owner, "GET", path, &Value::Null).await;
    assert_eq!(get(USER).await.status, 404);
    let update = json!({"external_ref": "shop42"});
    stage.owner("PATCH", &format!("/v1/connections/{}", stage.connections[0]), &update).await;
    let read = get(USER).await.body;
    assert_eq!(
        (&read["label"], &read["spending_limit"], &read["is_paused"]),
        (&Value::Null, &Value::Null, &json!(false))
    );
    assert_eq!((&read["connections"][0]["id"], &read["connections_count"]), (&json!(stage.connections[0]), &json!(1)));
    for name in ["a", "shop5", "shop41"] {
        stage.owner("PUT", &format!("/v1/users/{name}"), &json!({"label": name})).await;
    }
    let (mut listed, mut cursor) = (Vec::new(), String::new());
    loop {
        let page = get(&format!("/v1/users?limit=1&cursor={cursor}")).await.body;
        let users = page["users"].as_array().expect("users").iter();
        listed.extend(users.map(|user| user["external_ref"].as_str().expect("a name").to_owned()));
        let Some(next) = page["pagination"]["next_cursor"].as_str() else { break };
        next.clone_into(&mut cursor);
    }
    assert_eq!(listed, ["a", "shop41", "shop42", "shop5"]);
    for (path, body, field) in [
        ("/v1/users/shop%2042", json!({}), "external_ref"),
        (USER, json!({"spending_limit": {"connections": [], "amounts": []}}), "spending_limit.connections"),
        (USER, json!({"name": "x"}), "name"),
    ] {
        let refused = send(&stage.app, &stage.owner, "PUT", path, &body).await;
        assert_eq!(refused.status, 400, "{path} {body}: {refused:?}");
        let named = refused.body["details"].as_array().expect("details").iter().any(|detail| detail["field"] == field);
        assert!(named, "{field}: {refused:?}");
    }
    let agent = stage.agent("PUT", USER, &json!({"label": "x"})).await;
    assert_eq!(agent.status, 403, "a key with a limit sets none: {agent:?}");
    let limits = stage.owner("GET", "/v1/limits?external_ref=shop42", &Value::Null).await;
    assert_eq!((&limits["limited"], &limits["user"]["limited"]), (&json!(false), &json!(false)), "{limits}");
    let limit = daily(&stage.connections, 5);
    let named = send(&stage.app, &stage.owner, "PUT", USER, &json!({"spending_limit": limit})).await;
    assert_eq!(named.status, 400, "{named:?}");
}
