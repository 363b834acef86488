//! An endpoint that keeps failing: it is paused, and finally disabled.

use super::{Endpoint, Stage};
use crate::in_process::engine::{client_over, operation, response, serve};
use crate::in_process::network::Network;
use crate::in_process::receivers::Behaviour;
use aws_smithy_runtime_api::client::http::{HttpConnector, HttpConnectorFuture};
use aws_smithy_runtime_api::client::orchestrator::HttpRequest;
use dynoxide::Database;
use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};
use std::sync::Arc;
use tokio::time::{Duration, Instant, sleep};

#[tokio::test(start_paused = true)]
async fn an_endpoint_that_answers_410_is_disabled_at_once() {
    let stage = Stage::new().await;
    let endpoint = stage.endpoint("one", &["*"]).await;
    let other = stage.endpoint("two", &["webhook_endpoint.disabled"]).await;
    stage.world.receivers.set(&endpoint.url, Behaviour::Answers(410, None));
    stage.change(60).await;
    stage.run().await;
    let told = stage.read_endpoint(&endpoint).await;
    assert_eq!((&told["status"], &told["disabled_reason"]), (&json!("disabled"), &json!("The endpoint answered 410.")));
    stage.change(70).await;
    stage.run().await;
    assert_eq!(stage.received(&endpoint).len(), 1);
    let heard = stage.received(&other);
    assert_eq!(heard.len(), 1, "{heard:?}");
    let event = heard[0].event();
    assert_eq!(event["data"]["webhook_endpoint"], told);
    assert_eq!(event["previous"], json!({"webhook_endpoint": {"status": "enabled"}}));
    let path = format!("/v1/webhook-endpoints/{}", endpoint.id);
    stage.ask("PATCH", &path, &json!({"status": "enabled"})).await;
    stage.world.receivers.set(&endpoint.url, Behaviour::Answers(204, None));
    stage.change(80).await;
    stage.run().await;
    assert_eq!(stage.budgets(&endpoint), [60, 80]);
}

#[tokio::test(start_paused = true)]
async fn an_endpoint_that_fails_for_five_days_is_disabled() {
    let stage = Stage::new().await;
    let endpoint = stage.endpoint("one", &["*"]).await;
    stage.world.receivers.set(&endpoint.url, Behaviour::Answers(500, None));
    for day in 0..5 {
        stage.change(60 + day).await;
        stage.run().await;
        assert_eq!(stage.read_endpoint(&endpoint).await["status"], "enabled", "day {day}");
        stage.hours(24).await;
    }
    stage.change(90).await;
    stage.run().await;
    assert_eq!(stage.read_endpoint(&endpoint).await["status"], "disabled");
}

#[tokio::test(start_paused = true)]
async fn an_overloaded_endpoint_pauses_all_of_its_deliveries() {
    let stage = Stage::new().await;
    let endpoint = stage.endpoint("one", &["*"]).await;
    stage.world.receivers.set(&endpoint.url, Behaviour::Answers(503, Some("600")));
    stage.change(60).await;
    stage.run().await;
    stage.change(70).await;
    stage.run().await;
    stage.minutes(9).await;
    assert_eq!(stage.received(&endpoint).len(), 1, "the second event waits as well");
    stage.world.receivers.set(&endpoint.url, Behaviour::Answers(204, None));
    stage.minutes(10).await;
    let mut heard = stage.budgets(&endpoint);
    heard.sort_unstable();
    assert_eq!(heard, [60, 60, 70]);
}

/// An endpoint that is left alone for an hour, with an event that waits.
async fn paused(stage: &Stage) -> Endpoint {
    let endpoint = stage.endpoint("one", &["*"]).await;
    stage.world.receivers.set(&endpoint.url, Behaviour::Answers(503, Some("3600")));
    stage.change(60).await;
    stage.run().await;
    stage.change(70).await;
    stage.run().await;
    let told = stage.read_endpoint(&endpoint).await;
    let until: Timestamp = told["paused_until"].as_str().expect("a pause").parse().expect("a time");
    assert!(until > stage.app.clock.now() + SignedDuration::from_mins(59), "{told}");
    assert_eq!(stage.ask("GET", "/v1/webhook-endpoints", &Value::Null).await["webhook_endpoints"][0], told);
    stage.world.receivers.set(&endpoint.url, Behaviour::Answers(204, None));
    endpoint
}

#[tokio::test(start_paused = true)]
async fn an_accepted_test_send_ends_the_pause_and_delivers_pending_events() {
    let stage = Stage::new().await;
    let endpoint = paused(&stage).await;
    let path = format!("/v1/webhook-endpoints/{}/test", endpoint.id);
    stage.world.receivers.set(&endpoint.url, Behaviour::Answers(500, None));
    stage.ask("POST", &path, &Value::Null).await;
    assert!(stage.read_endpoint(&endpoint).await["paused_until"].is_string(), "a test that it refuses changes nothing");
    stage.world.receivers.set(&endpoint.url, Behaviour::Answers(204, None));
    stage.ask("POST", &path, &Value::Null).await;
    assert_eq!(stage.read_endpoint(&endpoint).await["paused_until"], Value::Null);
    stage.run().await;
    let mut heard = stage.budgets(&endpoint);
    heard.sort_unstable();
    assert_eq!(heard, [60, 60, 70]);
}

/// A table that refuses to make a delivery due.
#[derive(Clone)]
struct RefusesDueWrites(Database);

impl std::fmt::Debug for RefusesDueWrites {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("RefusesDueWrites")
    }
}

impl HttpConnector for RefusesDueWrites {
    fn call(&self, request: HttpRequest) -> HttpConnectorFuture {
        let body = String::from_utf8_lossy(request.body().bytes().unwrap_or_default());
        let makes_due = operation(&request) == "UpdateItem" && body.contains("due_at = :seen");
        let refusal = r#"{"__type": "com.amazon.coral.validate#ValidationException", "message": "Not now"}"#;
        let answer = if makes_due { response(400, refusal.to_owned()) } else { serve(&self.0, &request) };
        HttpConnectorFuture::ready(Ok(answer))
    }
}

#[tokio::test(start_paused = true)]
async fn a_partly_failed_end_of_a_pause_completes_when_repeated() {
    let (test, enabled) = (("POST", "/test", Value::Null), ("PATCH", "", json!({"status": "enabled"})));
    for (method, below, body) in [test, enabled] {
        let stage = Stage::new().await;
        let endpoint = paused(&stage).await;
        let path = format!("/v1/webhook-endpoints/{}{below}", endpoint.id);
        let (table, network) = (RefusesDueWrites(stage.world.database.clone()), Network(stage.world.sandbox.clone()));
        let failing = Arc::new(stage.world.app(client_over(table), Arc::new(network)));
        let (status, answer) = stage.try_ask(&failing, method, &path, &body).await;
        assert!(status >= 500, "{method}: {status} {answer}");
        stage.run().await;
        stage.ask(method, &path, &body).await;
        stage.run().await;
        let mut heard = stage.budgets(&endpoint);
        heard.sort_unstable();
        assert_eq!(heard, [60, 60, 70], "{method}: nothing waits for the end of the pause");
    }
}

#[tokio::test(start_paused = true)]
async fn a_changed_url_ends_the_pause_of_an_endpoint() {
    let stage = Stage::new().await;
    let endpoint = paused(&stage).await;
    let url = "https://other.example.com/hooks";
    let path = format!("/v1/webhook-endpoints/{}", endpoint.id);
    let noted = stage.ask("PATCH", &path, &json!({"description": "Log"})).await;
    assert!(noted["paused_until"].is_string(), "a note is no repair: {noted}");
    assert_eq!(stage.ask("PATCH", &path, &json!({"url": url})).await["paused_until"], Value::Null);
    stage.run().await;
    assert_eq!(stage.world.receivers.received(url).len(), 2);
}

#[tokio::test(start_paused = true)]
async fn a_replay_is_sent_at_once_to_a_paused_endpoint() {
    let stage = Stage::new().await;
    let endpoint = paused(&stage).await;
    let newest = stage.ask("GET", "/v1/events", &Value::Null).await["events"][0]["id"].clone();
    let path = format!("/v1/webhook-endpoints/{}/replay", endpoint.id);
    assert_eq!(stage.ask("POST", &path, &json!({"event_id": newest})).await, json!({"replayed": 1}));
    stage.run().await;
    assert_eq!(stage.budgets(&endpoint), [60, 70]);
}

#[tokio::test(start_paused = true)]
async fn occasional_broken_connections_do_not_stop_other_deliveries() {
    let stage = Stage::new().await;
    let endpoint = stage.endpoint("one", &["*"]).await;
    stage.world.receivers.set(&endpoint.url, Behaviour::Breaks(10));
    for budget in 100..160 {
        stage.change(budget).await;
    }
    let began = Instant::now();
    stage.run().await;
    assert!(began.elapsed() < Duration::from_secs(20), "{:?}", began.elapsed());
    let at_once = stage.budgets(&endpoint).len();
    assert!(at_once >= 54, "{at_once} of 60 did not wait for the others");
    sleep(Duration::from_mins(1)).await;
    stage.run().await;
    let mut heard = stage.budgets(&endpoint);
    heard.sort_unstable();
    assert_eq!(heard, (100..160).collect::<Vec<i64>>(), "the second attempts, too");
}

#[tokio::test(start_paused = true)]
async fn a_deleted_endpoint_receives_nothing() {
    let stage = Stage::new().await;
    let endpoint = stage.endpoint("one", &["*"]).await;
    stage.world.receivers.set(&endpoint.url, Behaviour::Down);
    stage.change(60).await;
    stage.run().await;
    stage.ask("DELETE", &format!("/v1/webhook-endpoints/{}", endpoint.id), &Value::Null).await;
    stage.world.receivers.set(&endpoint.url, Behaviour::Answers(204, None));
    stage.minutes(60).await;
    assert!(stage.received(&endpoint).is_empty());
}
