//! The lists of events and deliveries, test sends and replays.

use super::{Endpoint, Stage};
use crate::in_process::engine::{client_over, operation, serve};
use crate::in_process::network::Network;
use crate::in_process::receivers::Behaviour;
use aws_smithy_runtime_api::client::http::{HttpConnector, HttpConnectorFuture};
use aws_smithy_runtime_api::client::orchestrator::HttpRequest;
use dynoxide::Database;
use serde_json::{Value, json};
use shared::app::App;
use std::sync::Arc;
use tokio::time::{Duration, sleep};

const EVENTS: &str = "/v1/events";

impl Stage {
    async fn get(&self, path: &str) -> Value {
        self.ask("GET", path, &Value::Null).await
    }

    async fn refused(&self, method: &str, path: &str, body: &Value) -> (u16, Value) {
        let (status, body) = self.try_ask(&self.app, method, path, body).await;
        assert!((400..500).contains(&status), "{method} {path}: {status} {body}");
        (status, body)
    }

    async fn replay(&self, endpoint: &Endpoint, body: &Value) -> Value {
        self.ask("POST", &endpoint.path("/replay"), body).await
    }

    async fn deliveries(&self, endpoint: &Endpoint, query: &str) -> Vec<Value> {
        let listed = self.get(&endpoint.path(&format!("/deliveries{query}"))).await;
        listed["deliveries"].as_array().expect("a list").clone()
    }

    async fn disable(&self, endpoint: &Endpoint) {
        self.ask("PATCH", &endpoint.path(""), &json!({"status": "disabled"})).await;
    }
}

impl Endpoint {
    fn path(&self, end: &str) -> String {
        format!("/v1/webhook-endpoints/{}{end}", self.id)
    }
}

fn texts<'a>(list: &'a [Value], field: &str) -> Vec<&'a str> {
    list.iter().map(|one| one[field].as_str().expect("a text")).collect()
}

#[tokio::test(start_paused = true)]
async fn events_are_listed_newest_first_as_an_endpoint_receives_them() {
    let stage = Stage::new().await;
    let endpoint = stage.endpoint("one", &["*"]).await;
    for budget in [60, 70] {
        stage.change(budget).await;
        stage.run().await;
    }
    let all = stage.get(EVENTS).await;
    let received: Vec<Value> = stage.received(&endpoint).iter().rev().map(|one| one.event()).collect();
    assert_eq!(all["events"].as_array().expect("a list")[..2], received[..]);
    // Two of them are of the same moment.
    let mut earlier = texts(&all["events"].as_array().expect("a list")[2..], "type");
    earlier.sort_unstable();
    assert_eq!(earlier, ["api_key.created", "change.applied", "connection.activated"], "before the endpoint");
    let (mut path, mut paged) = (format!("{EVENTS}?limit=1"), Vec::new());
    loop {
        let page = stage.get(&path).await;
        paged.extend(page["events"].as_array().expect("a list").clone());
        let Some(cursor) = page["pagination"]["next_cursor"].as_str() else { break };
        assert_eq!(page["pagination"]["has_more"], true);
        path = format!("{EVENTS}?limit=1&cursor={cursor}");
    }
    assert_eq!(json!(paged), all["events"]);
    let none = stage.get("/v1/events?type=change.failed").await;
    assert_eq!(none, json!({"events": [], "pagination": {"next_cursor": null, "has_more": false}}));
    let other = path.replace("limit=1&", "type=change.applied&");
    for query in ["/v1/events?kind=x", "/v1/events?type=ping", "/v1/events?limit=101", "/v1/events?cursor=x", &other] {
        assert_eq!(stage.refused("GET", query, &Value::Null).await.0, 400, "{query}");
    }
    sleep(Duration::from_hours(24 * 31)).await;
    stage.run().await;
    assert_eq!(stage.get(EVENTS).await["events"], json!([]), "after 30 days");
}

#[tokio::test(start_paused = true)]
async fn a_test_send_reaches_a_disabled_endpoint_once_and_is_no_event() {
    let stage = Stage::new().await;
    let endpoint = stage.endpoint("one", &["change.failed"]).await;
    stage.disable(&endpoint).await;
    let sent = stage.ask("POST", &endpoint.path("/test"), &Value::Null).await;
    let received = stage.received(&endpoint);
    assert_eq!(received.len(), 1);
    let ping = received[0].event();
    assert_eq!((&ping["type"], &ping["data"], &ping["id"]), (&json!("ping"), &json!({}), &sent["event_id"]));
    assert_eq!(
        (&sent["type"], &sent["status"], &sent["next_attempt_at"]),
        (&ping["type"], &json!("delivered"), &Value::Null)
    );
    let attempt = &sent["attempts"][0];
    assert_eq!(
        (&attempt["status_code"], &attempt["error"], &attempt["answer"]),
        (&json!(204), &Value::Null, &json!("thanks"))
    );
    assert_eq!(sent["id"], sent["event_id"].as_str().expect("an id").replace("evt_", "dlv_"));
    stage.world.receivers.set(&endpoint.url, Behaviour::Answers(410, None));
    let gone = stage.ask("POST", &endpoint.path("/test"), &Value::Null).await;
    assert_eq!((&gone["status"], &gone["attempts"][0]["status_code"]), (&json!("failed"), &json!(410)));
    stage.world.receivers.set(&endpoint.url, Behaviour::Hangs);
    let silent = stage.ask("POST", &endpoint.path("/test"), &Value::Null).await;
    assert_eq!((&silent["status"], &silent["attempts"][0]["status_code"]), (&json!("failed"), &Value::Null));
    assert_eq!(stage.deliveries(&endpoint, "").await, [silent, gone, sent.clone()]);
    assert_eq!(stage.deliveries(&endpoint, "?status=delivered").await, std::slice::from_ref(&sent));
    stage.minutes(10).await;
    assert_eq!(stage.received(&endpoint).len(), 3, "one attempt each");
    assert!(!stage.get(EVENTS).await.to_string().contains("ping"));
    let refused = stage.refused("POST", &endpoint.path("/replay"), &json!({"event_id": sent["event_id"]})).await;
    assert_eq!(refused.0, 409, "disabled");
}

#[tokio::test(start_paused = true)]
async fn a_failed_test_send_does_not_disable_or_pause_an_endpoint() {
    let stage = Stage::new().await;
    let endpoint = stage.endpoint("one", &["*"]).await;
    stage.world.receivers.set(&endpoint.url, Behaviour::Answers(410, None));
    stage.ask("POST", &endpoint.path("/test"), &Value::Null).await;
    stage.world.receivers.set(&endpoint.url, Behaviour::Down);
    stage.ask("POST", &endpoint.path("/test"), &Value::Null).await;
    stage.world.receivers.set(&endpoint.url, Behaviour::Answers(204, None));
    stage.change(60).await;
    stage.run().await;
    assert_eq!(
        (stage.budgets(&endpoint), &stage.read_endpoint(&endpoint).await["status"]),
        (vec![60], &json!("enabled"))
    );
}

#[tokio::test(start_paused = true)]
async fn deliveries_are_listed_by_status_in_pages() {
    let stage = Stage::new().await;
    let endpoint = stage.endpoint("one", &["*"]).await;
    stage.change(60).await;
    stage.run().await;
    stage.world.receivers.set(&endpoint.url, Behaviour::Answers(500, None));
    stage.change(70).await;
    stage.run().await;
    let all = stage.deliveries(&endpoint, "").await;
    assert_eq!((texts(&all, "status"), texts(&all, "type")), (vec!["pending", "delivered"], vec!["change.applied"; 2]));
    assert_eq!(all[0]["attempts"].as_array().map(Vec::len), Some(2));
    assert_eq!(all[0]["attempts"][0]["error"], "The endpoint answered 500.");
    assert!(all[0]["next_attempt_at"].is_string() && all[1]["next_attempt_at"].is_null());
    for (status, expected) in [("pending", &all[..1]), ("delivered", &all[1..]), ("failed", &[])] {
        assert_eq!(stage.deliveries(&endpoint, &format!("?status={status}")).await, expected, "{status}");
    }
    let first = stage.get(&endpoint.path("/deliveries?limit=1")).await;
    let cursor = first["pagination"]["next_cursor"].as_str().expect("a cursor");
    assert_eq!(stage.deliveries(&endpoint, &format!("?cursor={cursor}")).await, all[1..]);
    let other = stage.endpoint("two", &["*"]).await;
    for path in [
        other.path(&format!("/deliveries?cursor={cursor}")),
        endpoint.path(&format!("/deliveries?status=pending&cursor={cursor}")),
        endpoint.path("/deliveries?status=done"),
        endpoint.path("/deliveries?type=ping"),
    ] {
        assert_eq!(stage.refused("GET", &path, &Value::Null).await.0, 400, "{path}");
    }
    stage.ask("DELETE", &endpoint.path(""), &Value::Null).await;
    assert_eq!(stage.refused("GET", &endpoint.path("/deliveries"), &Value::Null).await.0, 404);
}

#[tokio::test(start_paused = true)]
async fn a_replay_delivers_events_that_a_disabled_endpoint_missed() {
    let stage = Stage::new().await;
    let endpoint = stage.endpoint("one", &["change.applied"]).await;
    let event = |place: usize, list: &Value| list["events"][place].clone();
    stage.disable(&endpoint).await;
    for budget in [60, 70, 80] {
        stage.change(budget).await;
        stage.run().await;
    }
    let listed = stage.get(EVENTS).await;
    let since = json!({"since": event(1, &listed)["timestamp"]});
    let (status, _) = stage.refused("POST", &endpoint.path("/replay"), &since).await;
    assert_eq!(status, 409);
    stage.ask("PATCH", &endpoint.path(""), &json!({"status": "enabled"})).await;
    for _ in 0..2 {
        assert_eq!(stage.replay(&endpoint, &since).await, json!({"replayed": 2}), "the time itself is included");
        stage.run().await;
    }
    let mut heard = stage.budgets(&endpoint);
    heard.sort_unstable();
    assert_eq!(heard, [70, 70, 80, 80], "each time");
    assert_eq!(stage.deliveries(&endpoint, "").await[0]["attempts"].as_array().map(Vec::len), Some(2));
    let one = json!({"event_id": event(2, &listed)["id"]});
    assert_eq!(stage.replay(&endpoint, &one).await, json!({"replayed": 1}));
    stage.run().await;
    assert_eq!(stage.budgets(&endpoint).last(), Some(&60));
    stage.ask("PATCH", &endpoint.path(""), &json!({"types": ["change.failed"]})).await;
    assert_eq!(stage.refused("POST", &endpoint.path("/replay"), &one).await.0, 409, "a type that it has no more");
    assert_eq!(stage.replay(&endpoint, &since).await, json!({"replayed": 0}));
}

#[tokio::test(start_paused = true)]
async fn a_replay_requires_a_retained_time_or_event() {
    let stage = Stage::new().await;
    let endpoint = stage.endpoint("one", &["*"]).await;
    let path = endpoint.path("/replay");
    let ago = |hours: i64| (stage.app.clock.now() - jiff::SignedDuration::from_hours(hours)).to_string();
    let none = "evt_00000000000000000000000000000000";
    for (body, field) in [
        (json!({}), "body"),
        (json!({"since": ago(1), "event_id": none}), "body"),
        (json!({"since": "yesterday"}), "since"),
        (json!({"since": null}), "since"),
        (json!({"since": ago(24 * 30 + 1)}), "since"),
        (json!({"event_id": "chg_1"}), "event_id"),
        (json!({"since": ago(1), "types": []}), "types"),
    ] {
        let (status, error) = stage.refused("POST", &path, &body).await;
        assert_eq!((status, &error["details"][0]["field"]), (400, &json!(field)), "{body}");
    }
    assert_eq!(stage.refused("POST", &path, &json!({"event_id": none})).await.0, 404);
    assert_eq!(stage.replay(&endpoint, &json!({"since": ago(24 * 30 - 1)})).await, json!({"replayed": 3}));
}

/// A table whose conditional writes of items take seconds.
#[derive(Clone)]
struct SlowWrites(Database);

impl std::fmt::Debug for SlowWrites {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("SlowWrites")
    }
}

impl HttpConnector for SlowWrites {
    fn call(&self, request: HttpRequest) -> HttpConnectorFuture {
        let database = self.0.clone();
        HttpConnectorFuture::new(async move {
            let body = request.body().bytes().unwrap_or_default();
            if operation(&request) == "PutItem" && String::from_utf8_lossy(body).contains("DELIVERY#") {
                sleep(Duration::from_secs(10)).await;
            }
            Ok(serve(&database, &request))
        })
    }
}

#[tokio::test(start_paused = true)]
async fn a_partial_replay_says_how_to_continue() {
    let stage = Stage::new().await;
    let endpoint = stage.endpoint("one", &["*"]).await;
    stage.disable(&endpoint).await;
    let budgets: Vec<i64> = (100..180).collect();
    for budget in &budgets {
        stage.change(*budget).await;
    }
    stage.run().await;
    stage.ask("PATCH", &endpoint.path(""), &json!({"status": "enabled"})).await;
    let network = Arc::new(Network(stage.world.sandbox.clone()));
    let slow: Arc<App> = Arc::new(stage.world.app(client_over(SlowWrites(stage.world.database.clone())), network));
    let mut since = json!((stage.app.clock.now() - jiff::SignedDuration::from_hours(1)).to_string());
    let mut requests = 0;
    loop {
        requests += 1;
        let (status, body) = stage.try_ask(&slow, "POST", &endpoint.path("/replay"), &json!({"since": since})).await;
        if status == 202 {
            break;
        }
        assert_eq!((status, &body["retryable"]), (504, &json!(true)), "{body}");
        let message = body["error"].as_str().expect("a message");
        since = json!(message.split('"').nth(3).expect("a time"));
    }
    assert!(requests > 1 && requests < 6, "{requests}");
    stage.minutes(2).await;
    let mut heard = stage.budgets(&endpoint);
    heard.sort_unstable();
    heard.dedup();
    assert_eq!(heard[1..], budgets, "the creation's 50, and each change");
}
