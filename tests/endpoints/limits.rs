//! Rate limit and quota: admission, counting, and the response headers.

use crate::faults::fake_store;
use crate::in_process;
use crate::world::{TestResponse, World};
use aws_sdk_dynamodb::config::interceptors::BeforeTransmitInterceptorContextRef;
use aws_sdk_dynamodb::config::{ConfigBag, Intercept, RuntimeComponents};
use aws_sdk_dynamodb::error::BoxError;
use aws_sdk_dynamodb::types::AttributeValue;
use futures_util::future::join_all;
use jiff::SignedDuration;
use lambda_http::http::Request;
use lambda_http::{Body, Response};
use serde_json::{Value, json};
use shared::app::App;
use shared::auth::{ApiKey, Mode, authenticate};
use shared::clock::Clock;
use shared::domain::{Plan, Usage};
use shared::store::{Store, Terms};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use tokio::time::{Instant, sleep};

const PATH: &str = "/v1/connections";

impl World {
    /// The same service in another process.
    async fn another_process(&self) -> Arc<App> {
        Arc::new(App::start(self.gateway.config.clone()).await.expect("an app"))
    }

    async fn with_key(&self, key: &str) -> TestResponse {
        self.ask("GET", PATH).header("x-api-key", key).send().await.expect("a response")
    }
}

/// A request to a process, without the gateway.
async fn knock(app: Arc<App>, key: &str) -> Response<Body> {
    let request = Request::builder().uri(PATH).header("x-api-key", key).body(Body::Empty).expect("a request");
    connections::handle(app, request).await
}

/// The parameters of a policy in one of the two headers.
fn policy(response: &TestResponse, header: &str, name: &str) -> BTreeMap<String, i64> {
    let value = response.header(header);
    let found = value.split(", ").find_map(|policy| policy.strip_prefix(&format!("\"{name}\";")));
    let parameters = found.unwrap_or_else(|| panic!("{header}: {value:?} has no {name}"));
    let pair = |text: &str| {
        let (name, number) = text.split_once('=').expect("a parameter");
        (name.to_owned(), number.parse().expect("a number"))
    };
    parameters.split(';').map(pair).collect()
}

fn now() -> jiff::Timestamp {
    Clock::system().now()
}

#[tokio::test]
async fn two_processes_admit_exactly_the_rate_of_two_hundred_callers() {
    let world = World::start().await;
    let key = world.customer_on(Plan::Starter).await;
    let processes = [world.gateway.app.clone(), world.another_process().await];
    let began = Instant::now();
    let responses = join_all((0..200).map(|n| knock(processes[n % 2].clone(), &key))).await;
    let elapsed = began.elapsed();
    let accepted = responses.iter().filter(|response| response.status() == 200).count();
    let limits = Plan::Starter.limits();
    // One request a second.
    let most = u64::from(limits.burst) + elapsed.as_secs();
    assert!(accepted >= limits.burst as usize, "{accepted} in {elapsed:?}");
    assert!(accepted as u64 <= most, "{accepted} in {elapsed:?}");
    for refused in responses.iter().filter(|response| response.status() != 200) {
        assert_eq!(refused.status(), 429);
        let body: Value = serde_json::from_slice(refused.body()).expect("JSON");
        assert_eq!((&body["code"], &body["retryable"]), (&json!("RATE_LIMITED"), &json!(true)));
        assert_eq!(body.get("platform"), None, "it is ours, not a platform's");
    }
    assert_eq!(world.number(&key, "used").await, i64::try_from(accepted).expect("a number"), "429 does not count");
}

#[tokio::test(start_paused = true)]
async fn a_request_after_retry_after_is_admitted() {
    let world = in_process::World::new(in_process::clock(1), Plan::Starter).await;
    let app = Arc::new(world.straight());
    for _ in 0..Plan::Starter.limits().burst {
        assert_eq!(knock(Arc::clone(&app), &world.api_key).await.status(), 200);
    }
    for _ in 0..2 {
        let refused = knock(Arc::clone(&app), &world.api_key).await;
        assert_eq!(refused.status(), 429);
        let wait: u64 = refused.headers()["retry-after"].to_str().expect("text").parse().expect("whole seconds");
        assert_eq!(wait, 1, "one request a second");
        sleep(Duration::from_secs(wait)).await;
        assert_eq!(knock(Arc::clone(&app), &world.api_key).await.status(), 200);
    }
}

#[tokio::test]
async fn the_headers_name_both_policies_and_their_remainder() {
    let world = World::start().await;
    let key = world.another_customer().await;
    let first = world.with_key(&key).await;
    let month = Usage::of_month(now());
    let window = month.period_end.as_second() - month.period_start.as_second();
    assert_eq!(first.header("ratelimit-policy"), format!("\"rate\";q=6;w=6, \"quota\";q=10000;w={window}"));
    assert_eq!(policy(&first, "ratelimit", "rate"), BTreeMap::from([("r".to_owned(), 5), ("t".to_owned(), 1)]));
    let quota = policy(&first, "ratelimit", "quota");
    assert_eq!(quota["r"], 9_999);
    assert!((month.period_end.as_second() - now().as_second() - quota["t"]).abs() <= 60);

    // A minute ahead: no request is admitted.
    world.set_account(&key, &[("tat", now().as_microsecond() + 60_000_000)]).await;
    let refused = world.with_key(&key).await;
    assert_eq!(refused.status, 429);
    assert_eq!(policy(&refused, "ratelimit", "rate")["r"], 0);
    assert_eq!(policy(&refused, "ratelimit", "quota")["r"], 9_999, "it does not count");
    assert!(refused.header("ratelimit-policy").contains("\"rate\""));

    let missing = world.ask("GET", PATH).without("x-api-key").expect(401).await;
    assert_eq!(missing.header("ratelimit"), "", "what is left is nobody else's business");
    let not_found = world.ask("GET", "/v1/campaigns/camp_1").expect(404).await;
    assert_eq!(policy(&not_found, "ratelimit-policy", "rate")["q"], 600);
}

#[tokio::test]
async fn the_quota_is_exact_under_concurrency() {
    let world = World::start().await;
    let key = world.customer_on(Plan::Enterprise).await;
    world.set_account(&key, &[("used", 5_000_000 - 7)]).await;
    let processes = [world.gateway.app.clone(), world.another_process().await];
    let responses = join_all((0..40).map(|n| knock(processes[n % 2].clone(), &key))).await;
    assert_eq!(responses.iter().filter(|response| response.status() == 200).count(), 7);
    assert_eq!(world.number(&key, "used").await, 5_000_000);

    let refused = world.with_key(&key).await;
    assert_eq!((refused.status.as_u16(), refused.json()["code"].as_str()), (429, Some("RATE_LIMIT_EXCEEDED")));
    assert_eq!(refused.json()["retryable"], false);
    let left = Usage::of_month(now()).period_end.as_second() - now().as_second();
    let wait: i64 = refused.header("retry-after").parse().expect("whole seconds");
    assert!((0..=60).contains(&(wait - left)), "{wait} until the end in {left}: never too early");
    let enveloped = world.ask("GET", "/v1/redirect-uris").header("x-api-key", &key).expect(429).await;
    assert_eq!(enveloped.json()["error"]["code"], "RATE_LIMIT_EXCEEDED");
}

#[tokio::test]
async fn an_elapsed_period_restarts_once_with_the_next_request() {
    let world = World::start().await;
    let key = world.customer_on(Plan::Enterprise).await;
    let month = Usage::of_month(now());
    let ended = month.period_start.as_second();
    world.set_account(&key, &[("period_start", 0), ("period_end", ended), ("used", 5_000_000)]).await;
    let responses = join_all((0..20).map(|_| world.with_key(&key))).await;
    let refused = responses.iter().find(|response| response.status != 200);
    assert!(refused.is_none(), "{refused:?}");
    assert_eq!(world.number(&key, "used").await, 20);
    assert_eq!(world.number(&key, "period_start").await, month.period_start.as_second());
    assert_eq!(world.number(&key, "period_end").await, month.period_end.as_second());
    // A period that billing has set stays, and requests are counted in it.
    let end = now().as_second() + 1_000_000;
    world.set_account(&key, &[("period_start", ended), ("period_end", end), ("used", 0)]).await;
    world.with_key(&key).await;
    assert_eq!((world.number(&key, "used").await, world.number(&key, "period_end").await), (1, end));
}

#[tokio::test]
async fn only_throttled_requests_and_our_failures_are_not_counted() {
    let world = World::connected("alpha_ads").await;
    let key = world.gateway.api_key.clone();
    for (fault, status, counts) in [("error", 502, 1), ("throttle", 429, 0)] {
        let before = world.number(&key, "used").await;
        world.fault("alpha_ads", "list", fault, 9).await;
        let response = world.ask("GET", "/v1/campaigns").expect(status).await;
        world.no_fault("alpha_ads", "list", fault).await;
        assert_eq!(world.number(&key, "used").await - before, counts, "{fault}");
        let left = policy(&response, "ratelimit", "quota")["r"];
        assert_eq!(left, 5_000_000 - before - counts, "{fault}: the header knows");
    }
    let before = world.number(&key, "used").await;
    world.ask("GET", "/v1/connections?x=1").expect(400).await;
    world.ask("GET", "/v1/campaigns/camp_1").expect(404).await;
    assert_eq!(world.number(&key, "used").await - before, 2);
}

#[tokio::test]
async fn an_internal_error_is_refunded() {
    let world = World::start().await;
    let key = world.gateway.api_key.clone();
    world.ask("GET", PATH).expect(200).await;
    // A connection whose record cannot be read.
    let account = ApiKey::parse(&key).expect("a key").customer();
    let broken = [("pk", format!("CUSTOMER#{account}")), ("sk", "LINK#CONNECTION#x".to_owned())];
    let broken = broken.map(|(name, value)| (name.to_owned(), AttributeValue::S(value)));
    let client = world.gateway.config.aws.dynamodb_client();
    let put = client.put_item().table_name(&world.gateway.config.table).set_item(Some(broken.into()));
    put.send().await.expect("a write");
    let before = world.number(&key, "used").await;
    world.ask("GET", PATH).expect(500).await;
    assert_eq!(world.number(&key, "used").await, before);
    world.ask("GET", PATH).header("x-api-key", &stranger(&key)).expect(401).await;
}

/// A key of the same customer with a valid checksum that was never issued.
fn stranger(key: &str) -> String {
    let customer = ApiKey::parse(key).expect("a key").customer();
    ApiKey::generate(customer, Mode::Test).expect("a key").reveal().to_owned()
}

#[tokio::test]
async fn a_wrong_key_is_401_and_changes_no_count() {
    let world = World::start().await;
    let key = world.another_customer().await;
    world.with_key(&key).await;
    let far_ahead = now().as_microsecond() + 60_000_000;
    for changes in [("used", 3), ("used", 10_000), ("tat", far_ahead)] {
        world.set_account(&key, &[changes]).await;
        let before = world.account(&key).await;
        let unknown = ApiKey::generate(shared::domain::CustomerId(uuid::Uuid::new_v4()), Mode::Test).expect("a key");
        for wrong in [stranger(&key), unknown.reveal().to_owned()] {
            let response = world.with_key(&wrong).await;
            assert_eq!((response.status.as_u16(), response.header("ratelimit")), (401, ""));
        }
        assert_eq!(world.account(&key).await, before);
    }
}

/// The store's response for an account that does not exist.
const NOBODY: (&str, &str) = (
    "400 Bad Request",
    r#"{"__type":"com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException","message":"The conditional request failed"}"#,
);

#[tokio::test]
async fn a_key_with_a_bad_checksum_costs_no_call_to_the_store() {
    let world = World::start().await;
    let is_update = |operation: &str| operation == "UpdateItem";
    let (endpoint, asked) = fake_store::start(move |operation| {
        Some(if is_update(operation) { NOBODY } else { ("200 OK", r#"{"Items":[],"Count":0,"ScannedCount":0}"#) })
    });
    let mut config = world.gateway.config.clone();
    config.aws.dynamodb_endpoint = Some(endpoint);
    let app = Arc::new(App::start(config).await.expect("an app"));
    let key = world.gateway.api_key.clone();
    let last = if key.ends_with('0') { '1' } else { '0' };
    let damaged = format!("{}{last}", &key[..key.len() - 1]);
    for wrong in [damaged.as_str(), "uac_test_", "sk_live_1"] {
        assert_eq!(knock(app.clone(), wrong).await.status(), 401);
    }
    assert_eq!(asked.try_iter().count(), 0);
    assert_eq!(knock(app, &stranger(&key)).await.status(), 401);
    let mut operations: Vec<String> = asked.try_iter().collect();
    operations.sort_unstable();
    assert_eq!(operations, ["UpdateItem"], "a wrong key costs one item");
}

/// Counts the requests of a store client.
#[derive(Clone, Debug, Default)]
struct Sent(Arc<AtomicUsize>);

impl Intercept for Sent {
    fn name(&self) -> &'static str {
        "Sent"
    }

    fn read_before_transmit(
        &self,
        _: &BeforeTransmitInterceptorContextRef<'_>,
        _: &RuntimeComponents,
        _: &mut ConfigBag,
    ) -> Result<(), BoxError> {
        self.0.fetch_add(1, Ordering::Relaxed);
        Ok(())
    }
}

#[tokio::test]
async fn admission_takes_one_update_and_two_after_the_account_changed() {
    let world = World::start().await;
    let key = world.customer_on(Plan::Enterprise).await;
    let sent = Sent::default();
    let client = world.gateway.config.aws.dynamodb_client().config().to_builder().interceptor(sent.clone()).build();
    let store = Store::new(aws_sdk_dynamodb::Client::from_conf(client), world.gateway.config.table.clone());
    let customer = ApiKey::parse(&key).expect("a key").customer();
    let updates = async |at: jiff::Timestamp| {
        let before = sent.0.load(Ordering::Relaxed);
        let entry = authenticate(&store, &(&ApiKey::parse(&key).expect("a key")).into(), at, Terms::COUNTED)
            .await
            .expect("an entry");
        assert!(entry.rejection.is_none());
        sent.0.load(Ordering::Relaxed) - before
    };
    let start = now();
    assert_eq!(updates(start).await, 2, "a plan that nobody here knows yet");
    assert_eq!(updates(start).await, 1, "right after another");
    assert_eq!(updates(start + SignedDuration::from_secs(9)).await, 1, "after a quiet time");
    world.gateway.app.store.set_plan(customer, Plan::Pro, Clock::system().now()).await.expect("a write");
    assert_eq!(updates(start + SignedDuration::from_secs(9)).await, 2, "the plan has changed");
    assert_eq!(updates(start + SignedDuration::from_secs(10)).await, 1);
    assert_eq!(updates(start + SignedDuration::from_hours(24 * 40)).await, 2, "the period is over");
    assert_eq!(updates(start + SignedDuration::from_hours(24 * 40)).await, 1);
}
