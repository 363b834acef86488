//! Every request is answered in time, whatever hangs: 28 s as deployed, and with the time for platforms that much
//! shorter here, as much less.

use crate::faults::slow_store;
use crate::world::{World, campaign, platforms};
use futures_util::future::join_all;
use lambda_http::http::Request;
use lambda_http::{Body, Response};
use serde_json::{Value, json};
use shared::app::App;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::timeout;

/// Long enough for a busy machine to have sent everything.
const PLATFORM_TIMEOUT: Duration = Duration::from_secs(4);
/// What a request may take beyond that: three seconds are promised, the rest is for a busy machine. It is less than the
/// eight seconds for which the store's client waits.
const BEYOND: Duration = Duration::from_millis(6_500);
/// How long it would take who waits for what hangs.
const HANGING_MS: u64 = 60_000;
/// They are asked for what a create needs (a group for the campaign, a pixel) before anything is sent.
const ASKED_FIRST: [&str; 2] = ["delta_ads", "zeta_ads"];
const RECEIVERS: [&str; 7] = ["alpha_ads", "beta_ads", "gamma_ads", "delta_ads", "epsilon_ads", "zeta_ads", "stripe"];

/// A request, and what came of it.
#[derive(Debug)]
struct Case {
    method: &'static str,
    path: String,
    key: Option<&'static str>,
    body: Value,
    status: u16,
    request_id: String,
    answer: String,
}

impl Case {
    fn new(method: &'static str, path: impl Into<String>, body: Value) -> Case {
        Case { method, path: path.into(), key: None, body, status: 0, request_id: String::new(), answer: String::new() }
    }

    fn create(key: Option<&'static str>, body: Value) -> Case {
        Case { key, ..Case::new("POST", "/v1/campaigns", body) }
    }

    /// Sends it; there must be an answer in time.
    async fn answered(self, app: &Arc<App>, api_key: &str) -> Case {
        let mut request = Request::builder().method(self.method).uri(&self.path).header("x-api-key", api_key);
        if let Some(key) = self.key {
            request = request.header("idempotency-key", key);
        }
        let body = if self.body.is_null() { Body::Empty } else { Body::Text(self.body.to_string()) };
        let answer = function(&self.path, Arc::clone(app), request.body(body).expect("a request"));
        let Ok(answer) = timeout(app.platform_timeout + BEYOND, answer).await else {
            panic!("no answer in time: {self:?}")
        };
        let text = String::from_utf8_lossy(answer.body()).into_owned();
        let id = answer.headers()["x-request-id"].to_str().expect("an id").to_owned();
        Case { status: answer.status().as_u16(), request_id: id, answer: text, ..self }
    }

    fn json(&self) -> Value {
        serde_json::from_str(&self.answer).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    /// The error, in either shape.
    fn error(&self) -> Value {
        let body = self.json();
        if body["error"].is_object() { body["error"].clone() } else { body }
    }

    /// It was sent, and nobody knows what became of it: only with a key is it safe to send it again.
    fn is_in_doubt(&self) {
        self.is_given_up(self.key.is_some());
    }

    fn is_given_up(&self, is_retryable: bool) {
        let error = self.error();
        let said = (self.status, &error["code"], &error["retryable"]);
        assert_eq!(said, (504, &json!("PLATFORM_ERROR"), &json!(is_retryable)), "{self:?}");
    }

    /// What became of each target, as it is said now, with the target's platform.
    async fn found(&self, world: &World) -> Vec<(String, String)> {
        let path = format!("/v1/campaigns/intents/{}", self.request_id);
        let found = world.ask("GET", &path).header("x-api-shape", "flat").expect(200).await.json();
        let targets = found["targets"].as_array().expect("a list");
        assert_eq!(targets.len(), self.body["targets"].as_array().map_or(1, Vec::len), "{found}");
        let word = |target: &Value, name: &str| target[name].as_str().expect("a word").to_owned();
        targets.iter().map(|target| (word(target, "platform"), word(target, "state"))).collect()
    }
}

async fn function(path: &str, app: Arc<App>, request: lambda_http::Request) -> Response<Body> {
    match path.split(['/', '?']).nth(2).unwrap_or_default() {
        "campaigns" => campaigns::answer(app, request).await,
        "connections" | "oauth" => connections::answer(app, request).await,
        "billing" | "customer" => billing::answer(app, request).await,
        "api-keys" => api_keys::answer(app, request).await,
        "redirect-uris" => redirect_uris::answer(app, request).await,
        "usage-logs" => usage_logs::answer(app, request).await,
        other => panic!("no function for {other}"),
    }
}

/// All at the same time.
async fn answered(app: &Arc<App>, api_key: &str, cases: Vec<Case>) -> Vec<Case> {
    join_all(cases.into_iter().map(|case| case.answered(app, api_key))).await
}

async fn with_all_platforms() -> World {
    let world = World::start().await;
    for (word, _) in platforms() {
        world.connect(word, &[]).await;
    }
    world
}

async fn everywhere(world: &World, name: &str) -> Value {
    let connections = world.connections().await;
    let target = |connection: &Value| {
        let platform = connection["platform"].as_str().expect("a platform").trim_end_matches("_ads").to_uppercase();
        json!({"platform": platform, "organization_id": connection["remote_account_id"]})
    };
    let targets: Vec<Value> = connections.iter().map(target).collect();
    assert_eq!(targets.len(), 6);
    json!({"name": name, "goal": "SALES", "budget_amount": 50, "budget_period": "DAILY", "targets": targets})
}

/// A path and query below the service's address.
fn path_of(url: &str) -> String {
    let at = url.find("/v1/").unwrap_or_else(|| panic!("not ours: {url}"));
    url[at..].to_owned()
}

/// Creates, with and without a key, in one account and in all.
async fn creates(world: &World) -> Vec<Case> {
    let mut cases: Vec<Case> =
        platforms().map(|(word, _)| Case::create(None, campaign(word, "Single"))).into_iter().collect();
    cases.push(Case::create(Some("one"), campaign("beta_ads", "Keyed")));
    cases.push(Case::create(None, everywhere(world, "Everywhere").await));
    cases.push(Case::create(Some("all"), everywhere(world, "Keyed everywhere").await));
    cases
}

/// Everything else that waits for platforms or for the payment provider.
async fn others(world: &World) -> Vec<Case> {
    let mut cases = vec![
        Case::new("GET", "/v1/campaigns", Value::Null),
        Case::new("POST", "/v1/connections/sync", Value::Null),
        Case::new("POST", "/v1/billing/create-checkout-session", json!({"plan": "pro"})),
        Case::new("POST", "/v1/billing/portal", json!({})),
    ];
    for (word, _) in platforms() {
        let made = world.create(word, "There already").await;
        let path = format!("/v1/campaigns/{}", made["id"].as_str().expect("an id"));
        cases.push(Case::new("GET", path.as_str(), Value::Null));
        cases.push(Case::new("PATCH", path.as_str(), json!({"name": "Renamed"})));
        cases.push(Case::new("DELETE", path, Value::Null));
        let url = world.authorize(word).await;
        cases.push(Case::new("GET", path_of(&world.consent(&url, "approve", &[]).await), Value::Null));
    }
    cases
}

async fn hanging(fault: &str) {
    let world = with_all_platforms().await;
    let app = world.another(|config| config.platform_timeout = PLATFORM_TIMEOUT).await;
    let (creates, others) = (creates(&world).await, others(&world).await);
    for receiver in RECEIVERS {
        world.slow_fault(receiver, "any", fault, 10_000, HANGING_MS).await;
    }
    let api_key = &world.gateway.api_key;
    let (creates, others) = tokio::join!(answered(&app, api_key, creates), answered(&app, api_key, others));
    for case in &creates {
        match case.body["platform"].as_str() {
            Some(platform) if ASKED_FIRST.contains(&platform) => case.is_given_up(true),
            _ => case.is_in_doubt(),
        }
        for (platform, state) in case.found(&world).await {
            let expected = if ASKED_FIRST.contains(&platform.as_str()) { "not_created" } else { "unknown" };
            assert_eq!(state, expected, "{platform}: {case:?}");
        }
    }
    for case in &others {
        match case.path.as_str() {
            // Each connection is told of by itself.
            "/v1/connections/sync" => assert!([200, 502, 503, 504].contains(&case.status), "{case:?}"),
            path if path.starts_with("/v1/oauth/") => {
                assert!([502, 504].contains(&case.status) && case.answer.contains("<html"), "{case:?}");
            }
            _ => {
                assert!([502, 503, 504].contains(&case.status), "{case:?}");
                assert_eq!(case.error()["code"], "PLATFORM_ERROR", "{case:?}");
            }
        }
    }
}

#[tokio::test]
async fn platforms_that_act_and_never_answer_delay_no_caller() {
    hanging("slow").await;
}

#[tokio::test]
async fn platforms_that_never_begin_keep_nobody_waiting() {
    hanging("late").await;
}

#[tokio::test]
async fn a_store_that_hangs_at_authentication_delays_no_caller() {
    let world = with_all_platforms().await;
    let mut cases = creates(&world).await;
    cases.extend(others(&world).await);
    for (method, path) in [
        ("GET", "/v1/connections"),
        ("GET", "/v1/connections/alpha_ads/authorize"),
        ("GET", "/v1/customer/me"),
        ("GET", "/v1/billing/status"),
        ("GET", "/v1/usage-logs"),
        ("GET", "/v1/redirect-uris"),
        ("POST", "/v1/api-keys/rotate"),
    ] {
        cases.push(Case::new(method, path, Value::Null));
    }
    world.control("POST", "reset").expect(200).await;
    // Connections are made, and nobody takes them.
    let silent = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let endpoint = format!("http://{}", silent.local_addr().expect("an address"));
    let app = world
        .another(|config| {
            config.platform_timeout = Duration::from_secs(1);
            config.aws.dynamodb_endpoint = Some(endpoint);
        })
        .await;
    for case in answered(&app, &world.gateway.api_key, cases).await {
        assert!([500, 502, 504].contains(&case.status), "{case:?}");
        if !case.path.starts_with("/v1/oauth/") {
            let code = case.error()["code"].clone();
            assert!([json!("INTERNAL_ERROR"), json!("PLATFORM_ERROR")].contains(&code), "{case:?}");
        }
    }
    for receiver in RECEIVERS {
        assert_eq!(world.received(receiver).await.len(), 0, "{receiver}");
    }
}

#[tokio::test]
async fn a_store_that_hangs_after_the_create_delays_no_caller() {
    let world = with_all_platforms().await;
    let cases = creates(&world).await;
    // What is written once a campaign is there, and at the end of a request with a key.
    let endpoint = slow_store::before(world.gateway.engine_endpoint(), &["campaign_id = :id", ":over"]);
    let app = world
        .another(|config| {
            config.platform_timeout = PLATFORM_TIMEOUT;
            config.aws.dynamodb_endpoint = Some(endpoint);
        })
        .await;
    let cases = answered(&app, &world.gateway.api_key, cases).await;
    let wanted: usize = cases.iter().map(|case| case.body["targets"].as_array().map_or(1, Vec::len)).sum();
    for case in &cases {
        // That it was made may be said all the same: only for ourselves it is not kept yet.
        if case.status != 201 {
            case.is_in_doubt();
        }
        assert!(case.found(&world).await.iter().all(|(_, state)| state == "unknown"), "{case:?}");
    }
    let mut made = 0;
    for (word, _) in platforms() {
        made += world.campaigns_at(word).await;
    }
    assert_eq!(made, wanted, "all were made, each once");
    let report = maintenance::run(&world.later(120).await).await.expect("maintenance runs to its end");
    assert_eq!((report.intents, report.failed), (wanted, 0));
    for case in &cases {
        assert!(case.found(&world).await.iter().all(|(_, state)| state == "created"), "{case:?}");
    }
}

#[tokio::test]
async fn a_store_that_hangs_after_a_hanging_platform_delays_no_caller() {
    let world = with_all_platforms().await;
    let cases = creates(&world).await;
    for (word, _) in platforms() {
        world.slow_fault(word, "create", "late", 10_000, HANGING_MS).await;
    }
    // What is written once it is not known what became of a create, and at the end of a request with a key.
    let endpoint = slow_store::before(world.gateway.engine_endpoint(), &["#state = :unknown", ":over"]);
    let app = world
        .another(|config| {
            config.platform_timeout = PLATFORM_TIMEOUT;
            config.aws.dynamodb_endpoint = Some(endpoint);
        })
        .await;
    for case in answered(&app, &world.gateway.api_key, cases).await {
        case.is_in_doubt();
        assert!(case.found(&world).await.iter().all(|(_, state)| state == "unknown"), "{case:?}");
    }
}
