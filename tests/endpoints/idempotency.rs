//! `Idempotency-Key`, and creates whose response is lost: through HTTP, as a caller sees it.

use crate::faults::stage::Stage;
use crate::in_process::{json_of, respond};
use crate::world::{TestResponse, World, campaign};
use futures_util::future::join_all;
use http::{HeaderName, HeaderValue, Method, Uri};
use jiff::SignedDuration;
use lambda_http::{Body, Request};
use maintenance::RunResult;
use serde_json::{Value, json};
use shared::app::App;
use shared::clock::Clock;
use shared::domain::{ChangeState, CustomerId, Plan, Platform};
use std::sync::Arc;
use tokio::time::{Duration, sleep};
use uuid::Uuid;

const CREATE: &str = "/v1/campaigns";

impl World {
    /// The service after some time.
    pub(crate) async fn later(&self, seconds: i64) -> Arc<App> {
        let mut app = App::start(self.gateway.config.clone()).await.expect("an app");
        app.clock = Clock::from_fn(move || Clock::system().now() + SignedDuration::from_secs(seconds));
        Arc::new(app)
    }

    pub(crate) async fn keyed(&self, key: &str, body: &Value) -> TestResponse {
        self.ask("POST", CREATE).header("idempotency-key", key).json(body).send().await.expect("a response")
    }

    /// The same request to another instance of the service.
    pub(crate) async fn keyed_at(&self, app: Arc<App>, key: &str, body: &Value) -> (u16, Value) {
        let mut request = Request::new(Body::Text(body.to_string()));
        (*request.method_mut(), *request.uri_mut()) = (Method::POST, Uri::from_static(CREATE));
        for (name, value) in [("x-api-key", self.gateway.api_key.as_str()), ("idempotency-key", key)] {
            let name = HeaderName::from_static(name);
            request.headers_mut().insert(name, HeaderValue::from_str(value).expect("a value"));
        }
        let response = campaigns::handle(app, request).await;
        (response.status().as_u16(), serde_json::from_slice(response.body()).expect("JSON"))
    }

    /// The number of campaigns at a platform.
    pub(crate) async fn campaigns_at(&self, platform: &str) -> usize {
        let response = self.control("GET", &format!("campaigns?platform={platform}")).expect(200).await;
        response.json()["campaigns"].as_array().map_or(0, Vec::len)
    }

    pub(crate) async fn states(&self, request_id: &str) -> Vec<String> {
        let response = self.ask("GET", &format!("/v1/campaigns/intents/{request_id}")).expect(200).await.json();
        assert_eq!(response["request_id"], request_id);
        let targets = response["targets"].as_array().expect("a list").clone();
        targets.iter().map(|target| target["state"].as_str().expect("a state").to_owned()).collect()
    }
}

fn request_id(response: &TestResponse) -> Uuid {
    response.header("x-request-id").parse().expect("an id")
}

fn assert_replayed(first: &TestResponse, again: &TestResponse) {
    assert_eq!((first.status, &first.text), (again.status, &again.text));
    assert_eq!(first.header("idempotent-replayed"), "");
    assert_eq!(again.header("idempotent-replayed"), "true");
    for name in ["content-type", "x-api-shape", "vary"] {
        assert_eq!(first.header(name), again.header(name), "{name}");
    }
    assert_ne!(first.header("x-request-id"), again.header("x-request-id"));
}

#[tokio::test]
async fn a_repeated_request_under_a_key_is_replayed_byte_for_byte() {
    let world = World::connected("beta_ads").await;
    let body = campaign("beta_ads", "Once");
    let first = world.keyed("k", &body).await;
    assert_eq!(first.status, 201, "{first:?}");
    assert_replayed(&first, &world.keyed("k", &body).await);
    let path = format!("/v1/campaigns/{}", first.json()["id"].as_str().expect("an id"));
    world.ask("DELETE", &path).expect(204).await;
    assert_replayed(&first, &world.keyed("k", &body).await);
    assert_eq!(world.campaigns_at("beta_ads").await, 1);

    let enveloped = json!({"name": "Two", "goal": "SALES", "budget_amount": 50, "budget_period": "DAILY",
        "platform": "BETA", "organization_id": world.sandbox_accounts("beta_ads").await[0].trim_start_matches("act_")});
    let first = world.keyed("e", &enveloped).await;
    assert_eq!((first.status.as_u16(), first.header("x-api-shape")), (201, "enveloped"), "{first:?}");
    let flat = world.ask("POST", CREATE).header("idempotency-key", "e").header("x-api-shape", "enveloped");
    assert_replayed(&first, &flat.json(&enveloped).expect(201).await);
}

#[tokio::test]
async fn a_key_of_another_request_is_refused() {
    let world = World::connected("beta_ads").await;
    assert_eq!(world.keyed("k", &campaign("beta_ads", "One")).await.status, 201);
    let other = world.keyed("k", &campaign("beta_ads", "Two")).await;
    assert_eq!((other.status.as_u16(), &other.json()["code"]), (422, &json!("CONFLICT")), "{other:?}");
    // A request that would be refused anyway, and one to another path.
    assert_eq!(world.keyed("k", &campaign("alpha_ads", "One")).await.status, 422);
    let portal = world.ask("POST", "/v1/billing/portal").header("idempotency-key", "k").expect(422).await;
    assert_eq!(portal.json()["code"], "CONFLICT");
    assert_eq!(world.campaigns_at("beta_ads").await, 1);
}

#[tokio::test]
async fn idempotency_keys_of_customers_are_separate() {
    let world = World::connected("beta_ads").await;
    let first = world.keyed("k", &campaign("beta_ads", "Once")).await;
    let other = world.customer_on(Plan::Pro).await;
    let ask = world.ask("POST", CREATE).header("x-api-key", &other).header("idempotency-key", "k");
    ask.json(&campaign("beta_ads", "Once")).expect(403).await;
    let path = format!("/v1/campaigns/intents/{}", first.header("x-request-id"));
    world.ask("GET", &path).header("x-api-key", &other).expect(404).await;
    world.ask("GET", &path).expect(200).await;
    for id in ["x", "00000000-0000-0000-0000-000000000000"] {
        world.ask("GET", &format!("/v1/campaigns/intents/{id}")).expect(404).await;
    }
}

#[tokio::test]
async fn a_create_that_was_not_sent_is_not_stored_and_its_key_stays_usable() {
    let world = World::start().await;
    let body = campaign("beta_ads", "Later");
    assert_eq!(world.keyed("k", &body).await.status, 403, "nothing is connected");
    world.connect("beta_ads", &[]).await;
    world.fault("beta_ads", "create", "throttle", 1).await;
    let throttled = world.keyed("k", &body).await;
    assert_eq!(throttled.status, 429);
    assert_eq!(world.states(throttled.header("x-request-id")).await, ["not_created"]);
    world.let_pauses_end().await;
    let made = world.keyed("k", &body).await;
    assert_eq!((made.status.as_u16(), made.header("idempotent-replayed")), (201, ""), "{made:?}");
    assert_replayed(&made, &world.keyed("k", &body).await);
    assert_eq!(world.states(made.header("x-request-id")).await, ["created"], "a retry's own id leads there, too");
}

#[tokio::test]
async fn a_platforms_refusal_is_final() {
    let world = World::connected("alpha_ads").await;
    world.create("alpha_ads", "Taken").await;
    let first = world.keyed("k", &campaign("alpha_ads", "Taken")).await;
    assert_eq!(first.status, 422, "{first:?}");
    assert_replayed(&first, &world.keyed("k", &campaign("alpha_ads", "Taken")).await);
    assert_eq!(world.states(first.header("x-request-id")).await, ["not_created"]);
}

#[tokio::test]
async fn a_hundred_concurrent_requests_under_one_key_create_one_campaign() {
    for platform in ["beta_ads", "gamma_ads"] {
        let world = World::connected(platform).await;
        let body = campaign(platform, "Once");
        let responses = join_all((0..100).map(|_| world.keyed("k", &body))).await;
        let (made, others): (Vec<_>, Vec<_>) = responses.into_iter().partition(|response| response.status == 201);
        assert!(!made.is_empty() && made.iter().all(|response| response.text == made[0].text));
        for other in others {
            assert_eq!((other.status.as_u16(), &other.json()["code"]), (409, &json!("CONFLICT")));
            assert!(other.header("retry-after").parse::<u64>().is_ok_and(|wait| wait >= 1));
        }
        assert_eq!(world.campaigns_at(platform).await, 1);
    }
}

#[tokio::test]
async fn a_retry_creates_only_the_missing_targets() {
    let world = World::start().await;
    let accounts = world.sandbox_accounts("beta_ads").await;
    let accounts: Vec<&str> = accounts.iter().take(3).map(String::as_str).collect();
    world.connect("beta_ads", &accounts).await;
    let targets: Vec<Value> = accounts
        .iter()
        .map(|account| {
            json!({"platform": "BETA", "organization_id": account.trim_start_matches("act_"), "budget_amount": 50})
        })
        .collect();
    let body = json!({"name": "Thrice", "goal": "SALES", "budget_amount": 50, "budget_period": "DAILY",
        "targets": targets});
    world.fault("beta_ads", "create", "throttle", 1).await;
    world.fault("beta_ads", "create", "drop_after", 1).await;
    let first = world.keyed("k", &body).await;
    assert_eq!(first.status, 207, "{first:?}");
    assert_eq!(first.json()["summary"], json!({"total": 3, "created": 2, "failed": 1, "unknown": 0}));
    assert_eq!(world.campaigns_at("beta_ads").await, 2);
    world.let_pauses_end().await;
    let second = world.keyed("k", &body).await;
    assert_eq!((second.status.as_u16(), second.header("idempotent-replayed")), (201, ""), "{second:?}");
    assert_eq!(world.campaigns_at("beta_ads").await, 3);
    let ids = |response: &TestResponse| -> Vec<Value> {
        let data = response.json()["data"].as_array().expect("a list").clone();
        data.iter().map(|result| result["campaign"]["id"].clone()).collect()
    };
    let (before, after) = (ids(&first), ids(&second));
    assert!(before.iter().zip(&after).all(|(before, after)| before.is_null() || before == after), "{after:?}");
    assert_replayed(&second, &world.keyed("k", &body).await);
    assert_eq!(world.states(first.header("x-request-id")).await, ["created"; 3]);
}

#[tokio::test]
async fn a_create_of_unknown_outcome_is_resent_only_once_it_is_certain() {
    let world = World::connected("beta_ads").await;
    let body = campaign("beta_ads", "Doubt");
    world.fault("beta_ads", "create", "drop", 1).await;
    let first = world.keyed("k", &body).await;
    assert_eq!((first.status.as_u16(), &first.json()["retryable"]), (504, &json!(true)), "{first:?}");
    assert!(first.header("retry-after").parse::<u64>().is_ok_and(|wait| (1..=60).contains(&wait)));
    let again = world.keyed("k", &body).await;
    assert_eq!(again.status, 504, "it may still come: {again:?}");
    assert_eq!(world.states(again.header("x-request-id")).await, ["unknown"]);
    assert_eq!(world.campaigns_at("beta_ads").await, 0);

    let later = world.later(61).await;
    let (status, made) = world.keyed_at(Arc::clone(&later), "k", &body).await;
    assert_eq!(status, 201, "{made}");
    assert_eq!(world.campaigns_at("beta_ads").await, 1);
    assert_eq!(world.keyed_at(Arc::clone(&later), "k", &body).await, (201, made));
    let customer = CustomerId(world.gateway.customer_id.parse().expect("an id"));
    // Requests of now are long before the rate limit's time then.
    let now = later.clock.now();
    let creates = later.store.creates_of_request(customer, request_id(&first), now).await.expect("the table");
    assert_eq!(creates[0].state, ChangeState::Applied, "{creates:?}");
}

#[tokio::test(start_paused = true)]
async fn a_concurrent_retry_is_409_and_a_key_expires_after_30_days() {
    let stage = Stage::new(&[Platform::Beta]).await;
    let body = campaign("beta_ads", "Slow");
    stage.fault("beta_ads", "create", "slow", 1, Duration::from_secs(5)).await;
    let keyed = || stage.respond(&stage.app, "POST", CREATE, &[("idempotency-key", "k")], &body);
    let early = async {
        sleep(Duration::from_secs(1)).await;
        assert_eq!(stage.campaigns().await, 1, "the platform has the create");
        keyed().await
    };
    let (first, early) = tokio::join!(keyed(), early);
    assert_eq!((first.status().as_u16(), early.status().as_u16()), (201, 409), "{early:?}");
    assert_eq!(early.headers()["retry-after"], "2");
    assert_eq!(json_of(early.body())["retryable"], true);
    let again = keyed().await;
    assert_eq!((first.status(), first.body()), (again.status(), again.body()));
    assert_eq!(again.headers()["idempotent-replayed"], "true");
    sleep(Duration::from_secs(30 * 24 * 3_600 + 60)).await;
    let second = keyed().await;
    assert_eq!(second.status(), 201, "{second:?}");
    assert_ne!(json_of(second.body())["id"], json_of(first.body())["id"]);
}

#[tokio::test(start_paused = true)]
async fn maintenance_reconciles_a_create_without_a_response() {
    let stage = Stage::new(&[Platform::Beta]).await;
    let app = stage.with_platform_timeout(Duration::from_secs(2));
    stage.fault("beta_ads", "create", "late", 1, Duration::from_millis(2_500)).await;
    let late = stage.respond(&app, "POST", CREATE, &[("idempotency-key", "late")], &campaign("beta_ads", "Late")).await;
    assert_eq!(late.status(), 504, "{late:?}");
    stage.fault("beta_ads", "create", "drop", 1, Duration::ZERO).await;
    let (status, never) = stage.ask(&stage.app, "POST", CREATE, &campaign("beta_ads", "Never")).await;
    assert_eq!(status, 504, "{never}");
    sleep(Duration::from_secs(60)).await;
    assert_eq!(stage.campaigns().await, 1);
    let report = maintenance::run(&stage.app).await.expect("maintenance runs to its end");
    assert_eq!(report, RunResult { changes: 2, ..RunResult::default() });
    assert_eq!(maintenance::run(&stage.app).await.expect("again"), RunResult::default());

    let intent = |error: &Value| format!("/v1/campaigns/intents/{}", error["request_id"].as_str().expect("an id"));
    let late = intent(&json_of(late.body()));
    let target = stage.ask_ok("GET", &late, &Value::Null).await["targets"][0].clone();
    assert_eq!(target["state"], "created");
    let id = target["campaign_id"].as_str().expect("an id");
    let found = stage.ask_ok("GET", &format!("/v1/campaigns/{id}"), &Value::Null).await;
    assert_eq!((&found["name"], &found["goal"]), (&json!("Late"), &json!("TRAFFIC")));
    assert_eq!(stage.ask_ok("GET", &intent(&never), &Value::Null).await["targets"][0]["state"], "not_created");
    let enveloped = stage.world.request("GET", &late, &[("x-api-shape", "enveloped")], "");
    let enveloped = json_of(respond(&stage.app, enveloped).await.body());
    assert_eq!(enveloped["data"]["targets"][0]["platform"], "BETA");
}

#[tokio::test]
async fn one_key_creates_one_billing_session() {
    let world = World::start().await;
    for (path, body) in
        [("/v1/billing/create-checkout-session", json!({"plan": "pro"})), ("/v1/billing/portal", json!({}))]
    {
        let ask = || world.ask("POST", path).header("idempotency-key", path).json(&body);
        let first = ask().expect(200).await;
        assert_replayed(&first, &ask().expect(200).await);
        let many = join_all(
            (0..10).map(|_| world.ask("POST", path).header("idempotency-key", &format!("{path}-k")).json(&body).send()),
        );
        let many: Vec<TestResponse> = many.await.into_iter().map(|response| response.expect("a response")).collect();
        let texts: Vec<&str> =
            many.iter().filter(|response| response.status == 200).map(|response| response.text.as_str()).collect();
        assert!(!texts.is_empty() && texts.iter().all(|text| *text == texts[0]), "{texts:?}");
        assert!(many.iter().all(|response| [200, 409].contains(&response.status.as_u16())));
        assert_ne!(texts[0], first.text);
    }
}
