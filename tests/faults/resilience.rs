//! Isolation of a failing platform: retries, the circuit breaker, and pauses after a throttle.

use super::stage::Stage;
use crate::in_process::json_of;
use crate::world::{self, World, campaign, platforms};
use async_trait::async_trait;
use lambda_http::Body;
use lambda_http::http::Request;
use serde_json::{Value, json};
use shared::app::App;
use shared::clock::Clock;
use shared::domain::Platform;
use shared::outbound::{Failure, Outbound, OutboundRequest, OutboundResponse, Transport};
use std::sync::Arc;
use std::time::Duration;
use tokio::time::Instant;

/// Longer than any call takes on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// Lists campaigns through another process.
async fn list(world: &World, app: &Arc<App>, path: &str) -> (u16, Value) {
    let request = Request::builder().method("GET").uri(path).header("x-api-key", &world.gateway.api_key);
    let response = campaigns::handle(Arc::clone(app), request.body(Body::Empty).expect("a request")).await;
    (response.status().as_u16(), serde_json::from_slice(response.body()).expect("JSON"))
}

fn retry_after(response: &world::TestResponse) -> u64 {
    response.header("retry-after").parse().expect("seconds")
}

async fn received(world: &World, platform: &str) -> usize {
    world.received(platform).await.len()
}

#[tokio::test]
async fn a_failed_read_is_retried_and_a_failed_write_is_502() {
    for (platform, _) in platforms() {
        let world = World::connected(platform).await;
        let created = world.create(platform, "Kept").await;
        let path = format!("/v1/campaigns/{}", created["id"].as_str().expect("an id"));
        for fault in ["error", "drop"] {
            world.fault(platform, "list", fault, 1).await;
            let page = world.ask("GET", "/v1/campaigns").expect(200).await.json();
            assert_eq!(page["unified"][0]["name"], "Kept", "{platform} {fault}");
        }
        world.fault(platform, "update", "error", 1).await;
        world.ask("PATCH", &path).json(&json!({"name": "Changed"})).expect(502).await;
        world.fault(platform, "delete", "error", 1).await;
        world.ask("DELETE", &path).expect(502).await;
    }
}

#[tokio::test(start_paused = true)]
async fn an_open_breaker_blocks_one_account_and_not_the_others() {
    const LIST: &str = "/v1/campaigns?platform=alpha_ads";
    let stage = Stage::new(&[Platform::Alpha, Platform::Beta]).await;
    let list = async |status: u16| {
        let (answered, error) = stage.ask(&stage.app, "GET", LIST, &Value::Null).await;
        assert_eq!(answered, status, "{error}");
    };
    stage.fault("alpha_ads", "list", "error", 100, Duration::ZERO).await;
    let (mut before, mut requests) = (0, 0);
    while stage.received("alpha_ads").await.len() > before {
        before = stage.received("alpha_ads").await.len();
        list(502).await;
        requests += 1;
        assert!(requests <= 6, "{requests} requests were sent");
    }
    let draft = campaign("alpha_ads", "Not sent");
    for (method, path, body) in [("GET", LIST, &Value::Null), ("POST", "/v1/campaigns", &draft)] {
        let response = stage.respond(&stage.app, method, path, &[], body).await;
        let error = json_of(response.body());
        assert_eq!(response.status(), 502, "{error}");
        assert_eq!((&error["code"], &error["platform"]), (&json!("PLATFORM_ERROR"), &json!("alpha_ads")));
        assert_eq!(error["retryable"], true, "nothing was sent: {error}");
        let wait: u64 = response.headers()["retry-after"].to_str().expect("text").parse().expect("seconds");
        assert!((1..=60).contains(&wait), "Retry-After is within a minute");
    }
    stage.create("beta_ads", "Made").await;
    let page = stage.ask_ok("GET", "/v1/campaigns", &Value::Null).await;
    assert_eq!((&page["unified"][0]["name"], &page["errors"][0]["platform"]), (&json!("Made"), &json!("alpha_ads")));
    assert_eq!(stage.received("alpha_ads").await.len(), before);
    // The breaker does not apply to token endpoints.
    stage.table().let_access_tokens_run_out().await;
    list(502).await;
    let sent = stage.received("alpha_ads").await.split_off(before);
    assert!(matches!(&sent[..], [one] if one["path"] == "/token"), "{sent:?}");
}

#[tokio::test]
async fn every_process_honors_the_throttle_of_an_account() {
    for (platform, _) in platforms() {
        let world = World::connected(platform).await;
        let path = format!("/v1/campaigns?platform={platform}");
        world.fault(platform, "list", "throttle", 1).await;
        let throttled = world.ask("GET", &path).expect(429).await;
        let wait = retry_after(&throttled);
        let before = received(&world, platform).await;

        let paused = world.ask("GET", &path).expect(429).await;
        let error = paused.json();
        assert_eq!((&error["code"], &error["platform"]), (&json!("RATE_LIMITED"), &json!(platform)));
        assert_eq!(error["retryable"], true);
        assert!((1..=wait).contains(&retry_after(&paused)), "{platform}: {wait}, then {}", retry_after(&paused));
        world.ask("POST", "/v1/campaigns").json(&campaign(platform, "Not sent")).expect(429).await;

        let mut another = world.another(|_| ()).await;
        assert_eq!(list(&world, &another, &path).await.0, 429, "{platform}");
        assert_eq!(received(&world, platform).await, before, "{platform}: nothing was sent");

        // A wait longer than an hour is probed by one request an hour.
        Arc::get_mut(&mut another).expect("the only reference").clock = clock_ahead(wait.min(3_600));
        assert_eq!(list(&world, &another, &path).await.0, 200, "{platform}");
        assert!(received(&world, platform).await > before);
    }
}

/// A clock that is ahead of the system clock.
fn clock_ahead(seconds: u64) -> Clock {
    let ahead = jiff::SignedDuration::from_secs(i64::try_from(seconds).expect("a wait"));
    Clock::from_fn(move || Clock::system().now() + ahead)
}

#[tokio::test]
async fn a_throttle_pauses_one_account_and_the_list_shows_the_others() {
    let world = World::start().await;
    let accounts = world.sandbox_accounts("alpha_ads").await;
    world.connect("alpha_ads", &[&accounts[0], &accounts[3]]).await;
    world.connect("beta_ads", &[]).await;
    let create = |account: &str, name: &str| {
        let body = json!({"name": name, "goal": "WEBSITE_TRAFFIC", "budget_amount": 50, "budget_period": "DAILY",
            "platform": "ALPHA", "organization_id": account});
        world.ask("POST", "/v1/campaigns").json(&body)
    };
    create(&accounts[3], "Free").expect(201).await;
    world.fault("alpha_ads", "create", "throttle", 1).await;
    create(&accounts[0], "Throttled").expect(429).await;
    create(&accounts[3], "Free too").expect(201).await;
    let page = world.ask("GET", "/v1/campaigns").expect(200).await.json();
    assert_eq!(page["unified"].as_array().map(Vec::len), Some(2), "{page}");
    assert_eq!(
        (&page["errors"][0]["platform"], &page["errors"][0]["code"]),
        (&json!("alpha_ads"), &json!("RATE_LIMITED"))
    );
    assert_eq!(page["errors"].as_array().map(Vec::len), Some(1));
}

#[tokio::test]
async fn a_token_endpoint_that_throttles_pauses_no_account() {
    let world = World::connected("alpha_ads").await;
    world.let_access_tokens_run_out().await;
    world.fault("alpha_ads", "refresh", "throttle", 1).await;
    world.ask("GET", "/v1/campaigns").expect(429).await;
    world.ask("GET", "/v1/campaigns").expect(200).await;
}

/// Transport to the sandbox that adds Reddit's header of an exhausted rate limit to every response.
#[derive(Debug)]
struct ExhaustedRateLimit(Outbound);

#[async_trait]
impl Transport for ExhaustedRateLimit {
    async fn send(&self, request: OutboundRequest) -> Result<OutboundResponse, Failure> {
        let mut response = self.0.send(request, Instant::now() + PATIENCE).await?;
        let limit = "\"ads-campaign-management-read\";r=0;t=41".parse().expect("a header");
        response.headers.insert("ratelimit", limit);
        Ok(response)
    }
}

#[tokio::test]
async fn a_success_that_exhausts_the_rate_limit_pauses_the_account() {
    let world = World::connected("zeta_ads").await;
    world.create("zeta_ads", "Shown").await;
    let mut app = world.another(|_| ()).await;
    let changed = Arc::get_mut(&mut app).expect("the only reference");
    changed.outbound = Outbound::with_transport(Arc::new(ExhaustedRateLimit(changed.outbound.clone())));
    let (status, page) = list(&world, &app, "/v1/campaigns").await;
    assert_eq!((status, &page["unified"][0]["name"]), (200, &json!("Shown")));
    let before = received(&world, "zeta_ads").await;
    let paused = world.ask("GET", "/v1/campaigns").expect(429).await;
    assert!((1..=41).contains(&retry_after(&paused)), "{}", retry_after(&paused));
    assert_eq!(received(&world, "zeta_ads").await, before);
}
