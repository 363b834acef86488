//! Scheduling a change through the API, and canceling it.

use super::{Stage, is_paused};
use serde_json::{Value, json};
use shared::domain::{Change, ChangeId, ChangeState, MAX_SCHEDULED, Platform};
use uuid::Uuid;

#[tokio::test(start_paused = true)]
async fn a_scheduled_change_answers_202_and_waits() {
    let stage = Stage::connected(&[Platform::Alpha]).await;
    let id = stage.campaign(Platform::Alpha, "Later").await;
    let path = format!("/v1/campaigns/{id}?apply_at={}", stage.ahead(3600));
    let answer = stage.send("PATCH", &path, &[], &json!({"budget_amount": 75})).await;
    assert_eq!(answer.status, 202, "{}", answer.body);
    let change = answer.body;
    assert_eq!(change["id"], answer.change_ids);
    assert_eq!((&change["state"], &change["kind"]), (&json!("scheduled"), &json!("update")));
    assert_eq!((&change["campaign_id"], &change["requested"]), (&json!(id), &json!({"budget_amount": 75})));
    assert_eq!(
        (&change["before"], &change["executed_by"], &change["sent_at"]),
        (&Value::Null, &Value::Null, &Value::Null)
    );
    assert_eq!(change["requested_by"]["type"], "api_key");
    stage.minutes(30).await;
    assert_eq!(stage.in_books("Later").await.1, "50.00");
    let listed = stage.ask(200, "GET", "/v1/changes?state=scheduled", &Value::Null).await;
    assert_eq!(listed["changes"], json!([change]));
}

#[tokio::test(start_paused = true)]
async fn a_change_is_scheduled_in_the_enveloped_shape_too() {
    let stage = Stage::connected(&[Platform::Beta]).await;
    let id = stage.campaign(Platform::Beta, "Later").await;
    let path = format!("/v1/campaigns/{id}?apply_at={}", stage.ahead(3600));
    let answer = stage.send("DELETE", &path, &[("x-api-shape", "enveloped")], &Value::Null).await;
    assert_eq!(answer.status, 202, "{}", answer.body);
    assert_eq!((&answer.body["data"]["platform"], &answer.body["data"]["kind"]), (&json!("BETA"), &json!("delete")));
}

#[tokio::test(start_paused = true)]
async fn an_invalid_apply_at_is_refused() {
    let stage = Stage::connected(&[Platform::Alpha]).await;
    let id = stage.campaign(Platform::Alpha, "Never").await;
    let body = json!({"status": "ACTIVE"});
    let year = 365 * 24 * 3600;
    for at in [stage.ahead(-60), stage.ahead(59), stage.ahead(year + 60), "tomorrow".into(), "2026-12-01".into()] {
        let refused = stage.ask(400, "PATCH", &format!("/v1/campaigns/{id}?apply_at={at}"), &body).await;
        assert_eq!(refused["details"][0]["field"], "apply_at", "{at}: {refused}");
    }
    let both = format!("/v1/campaigns/{id}?dry_run=true&apply_at={}", stage.ahead(3600));
    stage.ask(400, "PATCH", &both, &body).await;
    assert_eq!(stage.ask(200, "GET", "/v1/changes?state=scheduled", &Value::Null).await["changes"], json!([]));
}

#[tokio::test(start_paused = true)]
async fn a_change_that_would_be_refused_now_is_not_scheduled() {
    for platform in Platform::ALL {
        let stage = Stage::connected(&[platform]).await;
        let id = stage.campaign(platform, "Known").await;
        let at = stage.ahead(3600);
        let too_small = json!({"budget_amount": 50.001});
        let refused = stage.ask(400, "PATCH", &format!("/v1/campaigns/{id}?apply_at={at}"), &too_small).await;
        assert_eq!(refused["details"][0]["field"], "budget_amount", "{platform}: {refused}");
        let unknown = format!("{}9", id);
        stage.ask(404, "PATCH", &format!("/v1/campaigns/{unknown}?apply_at={at}"), &json!({"name": "X"})).await;
        stage.ask(404, "DELETE", &format!("/v1/campaigns/{unknown}?apply_at={at}"), &Value::Null).await;
        stage.ask(204, "DELETE", &format!("/v1/campaigns/{id}"), &Value::Null).await;
        stage.ask(409, "PATCH", &format!("/v1/campaigns/{id}?apply_at={at}"), &json!({"name": "X"})).await;
        stage.ask(404, "DELETE", &format!("/v1/campaigns/{id}?apply_at={at}"), &Value::Null).await;
        let waiting = stage.ask(200, "GET", "/v1/changes?state=scheduled", &Value::Null).await;
        assert_eq!(waiting["changes"], json!([]), "{platform}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_canceled_change_is_never_applied() {
    let stage = Stage::connected(&[Platform::Alpha]).await;
    let id = stage.campaign(Platform::Alpha, "Spared").await;
    let change = stage.schedule(&id, 600, &json!({"status": "ACTIVE"})).await;
    let cancel = format!("/v1/changes/{change}/cancel");
    let canceled = stage.ask(200, "POST", &cancel, &Value::Null).await;
    assert_eq!((&canceled["id"], &canceled["state"]), (&json!(change), &json!("canceled")));
    assert!(canceled["settled_at"].is_string(), "{canceled}");
    let again = stage.ask(409, "POST", &cancel, &Value::Null).await;
    assert!(again["error"].as_str().is_some_and(|error| error.contains("is canceled")), "{again}");
    stage.minutes(12).await;
    assert!(is_paused(&stage.in_books("Spared").await.0));
    stage.ask(404, "POST", "/v1/changes/chg_00000000000000000000000000000000/cancel", &Value::Null).await;
    stage.ask(404, "POST", "/v1/changes/none/cancel", &Value::Null).await;
}

#[tokio::test(start_paused = true)]
async fn one_idempotency_key_schedules_one_change() {
    let stage = Stage::connected(&[Platform::Alpha]).await;
    let id = stage.campaign(Platform::Alpha, "Once").await;
    let path = format!("/v1/campaigns/{id}?apply_at={}", stage.ahead(600));
    let body = json!({"budget_amount": 60});
    let key = [("idempotency-key", "k")];
    let first = stage.send("PATCH", &path, &key, &body).await;
    let again = stage.send("PATCH", &path, &key, &body).await;
    assert_eq!((first.status, again.status), (202, 202));
    assert_eq!((&again.body, &again.change_ids), (&first.body, &first.change_ids));
    let other = stage.send("PATCH", &path, &key, &json!({"budget_amount": 61})).await;
    assert_eq!(other.status, 422, "{}", other.body);
    let waiting = stage.ask(200, "GET", "/v1/changes?state=scheduled", &Value::Null).await;
    assert_eq!(waiting["changes"].as_array().map(Vec::len), Some(1), "{waiting}");
}

#[tokio::test(start_paused = true)]
async fn removing_a_campaign_or_connection_cancels_its_scheduled_changes() {
    let stage = Stage::connected(&[Platform::Alpha, Platform::Beta]).await;
    let removed = stage.campaign(Platform::Alpha, "Removed").await;
    let other = stage.campaign(Platform::Alpha, "Other").await;
    let of_connection = stage.campaign(Platform::Beta, "Disconnected").await;
    let status = json!({"status": "ACTIVE"});
    let first = stage.schedule(&removed, 600, &status).await;
    let second = stage.schedule(&other, 600, &status).await;
    let third = stage.schedule(&of_connection, 600, &status).await;
    stage.ask(204, "DELETE", &format!("/v1/campaigns/{removed}"), &Value::Null).await;
    let connections = stage.ask(200, "GET", "/v1/connections", &Value::Null).await;
    let connections = connections["connections"].as_array().expect("a list");
    let beta = connections.iter().find(|one| one["platform"] == "beta_ads").expect("a connection")["id"].clone();
    let beta = beta.as_str().expect("an id");
    stage.ask(204, "DELETE", &format!("/v1/connections/{beta}"), &Value::Null).await;
    let (first, second, third) = (stage.change(&first).await, stage.change(&second).await, stage.change(&third).await);
    assert_eq!(
        (&first["state"], &first["error"]["message"]),
        (&json!("canceled"), &json!("The campaign was removed."))
    );
    assert_eq!(second["state"], "scheduled", "{second}");
    assert_eq!(
        (&third["state"], &third["error"]["message"]),
        (&json!("canceled"), &json!("The connection was removed."))
    );
}

#[tokio::test(start_paused = true)]
async fn a_customer_has_a_thousand_scheduled_changes_at_most() {
    let stage = Stage::connected(&[Platform::Alpha]).await;
    let id = stage.campaign(Platform::Alpha, "Busy").await;
    let first = stage.schedule(&id, 3600, &json!({"name": "0"})).await;
    let (store, customer) = (&stage.app.store, stage.world.customer);
    let first = ChangeId::parse(&first).expect("an id");
    let change = store.change(customer, first).await.expect("the table").expect("a change");
    for number in 1..MAX_SCHEDULED - 1 {
        let id = ChangeId::new(stage.world.clock.now(), Uuid::from_u128(1), number);
        let waiting = Change { id, ..change.clone() };
        assert_eq!(waiting.state, ChangeState::Scheduled);
        store.schedule_change(&waiting, None, stage.world.clock.now()).await.expect("the table");
    }
    let last = stage.schedule(&id, 3600, &json!({"name": "last"})).await;
    let path = format!("/v1/campaigns/{id}?apply_at={}", stage.ahead(3600));
    let refused = stage.ask(409, "PATCH", &path, &json!({"name": "too many"})).await;
    let says = |words: &str| refused["error"].as_str().is_some_and(|error| error.contains(words));
    assert!(says("1000 changes wait") && says("1000 of them are of the API key") && says("key_default"), "{refused}");
    stage.ask(200, "POST", &format!("/v1/changes/{last}/cancel"), &Value::Null).await;
    stage.ask(202, "PATCH", &path, &json!({"name": "room again"})).await;
}

/// A change of another customer is none.
#[tokio::test(start_paused = true)]
async fn a_customer_cannot_cancel_another_customers_change() {
    let stage = Stage::connected(&[Platform::Alpha]).await;
    let id = stage.campaign(Platform::Alpha, "Mine").await;
    let change = stage.schedule(&id, 600, &json!({"status": "ACTIVE"})).await;
    let other = Stage::connected(&[]).await;
    other.ask(404, "POST", &format!("/v1/changes/{change}/cancel"), &Value::Null).await;
    assert_eq!(stage.change(&change).await["state"], "scheduled");
}
