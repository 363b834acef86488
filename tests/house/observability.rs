//! Telemetry of a request: `Server-Timing`, the log line, the trace, metrics.

use crate::world::{self, World, platforms};
use jiff::Timestamp;
use lambda_http::{Body, Context, Request, RequestExt};
use serde_json::{Value, json};
use shared::app::{App, Config};
use shared::clock::Clock;
use shared::log;
use shared::metrics::Metrics;
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::sync::{Arc, Mutex};

const TRACE: &str = "Root=1-5759e988-bd862e3fe1be46a994272793;Parent=53995c3f42cd8ad8;Sampled=1";

/// The parts of `Server-Timing`, in milliseconds.
fn timing(response: &world::TestResponse) -> BTreeMap<String, f64> {
    let parts = response.header("server-timing").split(", ").map(|part| part.split_once(";dur=").expect("a duration"));
    parts.map(|(name, ms)| (name.to_owned(), ms.parse().expect("a number"))).collect()
}

fn names(response: &world::TestResponse) -> Vec<String> {
    timing(response).into_keys().collect()
}

#[tokio::test]
async fn server_timing_names_the_parts_of_a_request() {
    let world = World::connected("alpha_ads").await;
    let list = world.ask("GET", "/v1/campaigns").expect(200).await;
    assert_eq!(names(&list), ["own", "platform", "store", "total"]);
    let connections = world.ask("GET", "/v1/connections").expect(200).await;
    assert_eq!(names(&connections), ["own", "store", "total"]);
    let malformed = world.ask("GET", "/v1/connections").header("x-api-key", "nonsense").expect(401).await;
    assert_eq!(names(&malformed), ["total"]);
    let unknown = world.ask("GET", "/v1/nothing").expect(404).await;
    assert_eq!(names(&unknown), ["own", "store", "total"], "it counts");
    for (status, method, path) in [(200, "GET", "/v1/platforms"), (405, "PUT", "/v1/docs")] {
        assert_eq!(names(&world.ask(method, path).expect(status).await), ["total"], "{method} {path}");
    }
    let status = world.ask("GET", "/v1/billing/status").expect(200).await;
    assert_eq!(names(&status), ["own", "store", "total"]);
    let plan = json!({"plan": "pro"});
    let checkout = world.ask("POST", "/v1/billing/create-checkout-session").json(&plan).expect(200).await;
    assert_eq!(names(&checkout), ["own", "payments", "store", "total"]);
    let callback = world.connect("beta_ads", &[]).await;
    assert_eq!(names(&callback), ["total"], "nobody's key");
    let too_large = "x".repeat(300 * 1024);
    let too_large = world.ask("POST", "/v1/campaigns").text("application/json", too_large).expect(413).await;
    assert_eq!(names(&too_large), ["own", "store", "total"]);
}

#[tokio::test]
async fn the_time_of_a_slow_platform_is_not_counted_as_ours() {
    let world = World::connected("beta_ads").await;
    world.slow_fault("beta_ads", "list", "slow", 1, 400).await;
    let timing = timing(&world.ask("GET", "/v1/campaigns").expect(200).await);
    assert!(timing["platform"] >= 400.0, "{timing:?}");
    assert!(timing["total"] >= timing["platform"] + timing["own"], "{timing:?}");
}

/// The log, line by line.
#[derive(Clone, Default)]
struct Lines(Arc<Mutex<Vec<u8>>>);

impl Write for Lines {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().expect("a lock").write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Lines {
    /// The log line of the response.
    fn answered(&self, request_id: &str) -> Value {
        self.only("answered", request_id)
    }

    /// The only line of a request with this message.
    fn only(&self, message: &str, request_id: &str) -> Value {
        let text = String::from_utf8(self.0.lock().expect("a lock").clone()).expect("text");
        let lines = text.lines().map(|line| serde_json::from_str::<Value>(line).expect("a line of JSON"));
        let mut ours = lines.filter(|line| line["message"] == message && line["request_id"] == request_id);
        let line = ours.next().expect("a line");
        assert_eq!(ours.next(), None, "one line a request");
        line
    }
}

/// Calls the campaigns function as Lambda does, and returns the request's id.
async fn ask(app: &Arc<App>, key: &str, method: &str, path: &str, body: Body) -> (u16, String) {
    let request = Request::new(body);
    let (mut parts, body) = request.into_parts();
    parts.method = method.parse().expect("a method");
    parts.uri = path.parse().expect("a path");
    parts.headers.insert("x-api-key", key.parse().expect("a key"));
    let mut context = Context::default();
    context.xray_trace_id = Some(TRACE.to_owned());
    let request = Request::from_parts(parts, body).with_lambda_context(context);
    let response = campaigns::handle(Arc::clone(app), request).await;
    (response.status().as_u16(), response.headers()["x-request-id"].to_str().expect("an id").to_owned())
}

#[tokio::test]
async fn a_request_is_one_json_log_line_with_customer_and_durations() {
    let lines = Lines::default();
    let writer = lines.clone();
    // With one subscriber, a call site that a test without a subscriber reaches first would stay disabled for all.
    let _another = tracing::Dispatch::new(log::to(io::sink));
    let _until_the_end = tracing::subscriber::set_default(log::to(move || writer.clone()));
    let world = World::connected("alpha_ads").await;

    let app = &world.gateway.app;
    let key = &world.gateway.api_key;
    let (status, id) = ask(app, key, "GET", "/v1/campaigns/alpha_1_2?secret=canary", Body::Empty).await;
    assert_eq!(status, 400, "there is no such parameter");
    let line = lines.answered(&id);
    assert!(!line.to_string().contains("canary") && line["error"].is_string(), "{line}");
    assert_eq!(line["customer"], world.gateway.customer_id.to_string());
    let told = ["level", "method", "path", "status", "platform", "trace_id"].map(|name| line[name].clone());
    assert_eq!(
        told,
        [json!("INFO"), json!("GET"), json!("/v1/campaigns/{id}"), json!(400), json!("alpha_ads"), json!(TRACE)]
    );
    for name in ["duration_ms", "store_ms", "own_ms"] {
        assert!(line[name].as_f64().is_some_and(|ms| ms > 0.0), "{name}: {line}");
    }
    assert_eq!(line.get("platform_ms"), None, "no platform was asked");

    let body = world::campaign("alpha_ads", "A").to_string();
    let (status, id) = ask(app, key, "POST", "/v1/campaigns", body.into()).await;
    let line = lines.answered(&id);
    assert_eq!((status, &line["platform"], line.get("error")), (201, &json!("alpha_ads"), None), "{line}");
    assert!(line["platform_ms"].as_f64().is_some_and(|ms| ms > 0.0), "{line}");
}

#[tokio::test]
async fn a_platform_that_refuses_this_service_is_an_error_in_the_log() {
    let lines = Lines::default();
    let writer = lines.clone();
    let _another = tracing::Dispatch::new(log::to(io::sink));
    let _until_the_end = tracing::subscriber::set_default(log::to(move || writer.clone()));
    let world = World::connected("alpha_ads").await;
    world.disable_google_ads().await;
    let app = &world.gateway.app;
    let key = &world.gateway.api_key;
    let (status, id) = ask(app, key, "GET", "/v1/campaigns", Body::Empty).await;
    let line = lines.only("a platform refuses this service itself", &id);
    let told = ["level", "platform", "code"].map(|name| line[name].clone());
    assert_eq!((status, told), (403, [json!("ERROR"), json!("alpha_ads"), json!("SERVICE_DISABLED")]), "{line}");
}

#[tokio::test]
async fn the_trace_goes_to_no_platform() {
    let world = World::start().await;
    for (platform, _) in platforms() {
        world.connect(platform, &[]).await;
    }
    let before = world.received("alpha_ads").await.len();
    let app = &world.gateway.app;
    let key = &world.gateway.api_key;
    assert_eq!(ask(app, key, "GET", "/v1/campaigns", Body::Empty).await.0, 200);
    assert!(world.received("alpha_ads").await.len() > before);
    for (platform, _) in platforms() {
        for request in world.received(platform).await {
            assert!(!request.to_string().contains("5759e988"), "{request}");
        }
    }
}

/// Starts a process, and returns the lines of its metrics.
async fn counted(config: Config) -> (Arc<App>, Arc<Mutex<Vec<Value>>>) {
    let lines: Arc<Mutex<Vec<Value>>> = Arc::default();
    let kept = Arc::clone(&lines);
    let mut app = App::start(config).await.expect("an app");
    app.metrics = Metrics::to("N".to_owned(), move |line| {
        kept.lock().expect("a lock").push(serde_json::from_str(line).expect("a line of JSON"));
    });
    (Arc::new(app), lines)
}

#[tokio::test]
async fn metrics_name_the_time_and_the_failures_of_each_part() {
    let world = World::connected("alpha_ads").await;
    let (app, lines) = counted(world.gateway.config.clone()).await;
    let key = &world.gateway.api_key;
    let take = || std::mem::take(&mut *lines.lock().expect("a lock"));
    let body = || Body::from(world::campaign("alpha_ads", "A").to_string());
    assert_eq!(ask(&app, key, "POST", "/v1/campaigns", body()).await.0, 201);
    let [line] = take().try_into().expect("one line");
    assert_eq!((&line["Function"], &line["Platform"]), (&json!("Campaigns"), &json!("alpha_ads")), "{line}");
    for name in ["OwnTime", "StoreTime", "PlatformTime"] {
        assert!(line[name].as_f64().is_some_and(|ms| ms > 0.0), "{name}: {line}");
    }
    assert_eq!(line["InternalErrors"], 0);

    world.fault("alpha_ads", "get", "error", 5).await;
    assert_eq!(ask(&app, key, "GET", "/v1/campaigns/alpha_1002003001_1", Body::Empty).await.0, 502);
    let [line, failed] = take().try_into().expect("a line for the failure");
    assert_eq!((&line["InternalErrors"], &failed["Platform"]), (&json!(0), &json!("alpha_ads")), "not ours");
    assert_eq!(failed["PlatformFailures"], 1);
}

#[tokio::test]
async fn an_internal_error_is_counted() {
    let world = World::start().await;
    let mut config = world.gateway.config.clone();
    // No test receives a port below 1024, so nothing listens on this one.
    config.aws.dynamodb_endpoint = Some("http://127.0.0.1:9".to_owned());
    let (app, lines) = counted(config).await;
    assert_eq!(ask(&app, &world.gateway.api_key, "GET", "/v1/campaigns", Body::Empty).await.0, 500);
    let [line]: [Value; 1] = lines.lock().expect("a lock").clone().try_into().expect("one line");
    assert_eq!(line["InternalErrors"], 1, "{line}");
}

#[tokio::test]
async fn maintenance_reports_unsettled_changes_and_failed_refreshes() {
    let world = World::connected("alpha_ads").await;
    let (app, lines) = counted(world.gateway.config.clone()).await;
    world.fault("alpha_ads", "refresh", "error", 1).await;
    world.let_access_tokens_run_out().await;
    maintenance::run(&app).await.expect("maintenance runs to its end");
    let [line]: [Value; 1] = lines.lock().expect("a lock").clone().try_into().expect("one line");
    assert_eq!((&line["RefreshFailures"], &line["ChangesUnsettled"]), (&json!(1), &json!(0)), "{line}");
}

#[tokio::test]
async fn maintenance_counts_the_platform_versions_that_end_soon() {
    let world = World::start().await;
    let (app, lines) = counted(world.gateway.config.clone()).await;
    let mut app = Arc::into_inner(app).expect("one owner");
    // LinkedIn promises its version until 2027-07-01; no other version of today ends within the 60 days before.
    for (now, count) in [("2027-05-01T12:00:00Z", 0), ("2027-05-03T12:00:00Z", 1)] {
        let now: Timestamp = now.parse().expect("a time");
        app.clock = Clock::from_fn(move || now);
        let shared = Arc::new(app);
        maintenance::run(&shared).await.expect("maintenance runs to its end");
        let [line]: [Value; 1] = std::mem::take(&mut *lines.lock().expect("a lock")).try_into().expect("one line");
        assert_eq!(line["PlatformVersionsEnding"], count, "{now}: {line}");
        app = Arc::into_inner(shared).expect("one owner");
    }
}
