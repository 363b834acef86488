//! Retries under an `Idempotency-Key`: immediately after a throttle, and after the retention of a final response.

use crate::world::{TestResponse, World, campaign, platforms};
use serde_json::{Value, json};
use std::sync::Arc;

const HOUR: i64 = 3_600;

impl World {
    /// Sends a create with a key, which must fail with this status and leave its create `not_created`.
    async fn fails_without_a_trace(&self, body: &Value, status: u16) -> TestResponse {
        let response = self.keyed("k", body).await;
        assert_eq!((response.status.as_u16(), &response.json()["retryable"]), (status, &json!(true)), "{response:?}");
        assert!(response.header("retry-after").parse::<u64>().is_ok_and(|wait| wait >= 1), "{response:?}");
        assert_eq!(self.states(response.header("x-request-id")).await, ["not_created"], "{response:?}");
        response
    }

    /// A create with a key whose campaign exists, although its response and the search for it were lost.
    async fn create_of_unknown_outcome(&self, body: &Value, status: u16) -> TestResponse {
        self.fault("beta_ads", "create", "drop_after", 1).await;
        self.fault("beta_ads", "list", "error", 99).await;
        let doubtful = self.keyed("k", body).await;
        assert_eq!(doubtful.status, status, "{doubtful:?}");
        assert_eq!(self.states(doubtful.header("x-request-id")).await.last().map(String::as_str), Some("unknown"));
        self.no_fault("beta_ads", "list", "error").await;
        doubtful
    }
}

#[tokio::test]
async fn a_throttled_create_retried_at_once_stays_429_and_not_created() {
    for (platform, _) in platforms() {
        let world = World::connected(platform).await;
        let body = campaign(platform, "Throttled");
        world.fault(platform, "create", "throttle", 1).await;
        world.fails_without_a_trace(&body, 429).await;
        for _ in 0..2 {
            let again = world.fails_without_a_trace(&body, 429).await;
            assert_eq!(again.json()["code"], "RATE_LIMITED", "{again:?}");
        }
        world.let_pauses_end().await;
        assert_eq!(world.keyed("k", &body).await.status, 201, "{platform}");
        assert_eq!(world.campaigns_at(platform).await, 1, "{platform}");
    }
}

#[tokio::test]
async fn a_create_behind_an_open_breaker_stays_not_created() {
    let world = World::connected("beta_ads").await;
    world.fault("beta_ads", "list", "error", 99).await;
    for _ in 0..20 {
        world.ask("GET", "/v1/campaigns").expect(502).await;
    }
    let received = world.received("beta_ads").await.len();
    let body = campaign("beta_ads", "Spared");
    for _ in 0..3 {
        world.fails_without_a_trace(&body, 502).await;
    }
    assert_eq!(world.received("beta_ads").await.len(), received, "the breaker is open: the platform is spared");
}

#[tokio::test]
async fn an_unknown_create_is_found_after_its_key_has_expired() {
    for hours in [25, 29 * 24] {
        let world = World::connected("beta_ads").await;
        let body = campaign("beta_ads", "Doubt");
        world.create_of_unknown_outcome(&body, 504).await;
        let (status, made) = world.keyed_at(world.later(hours * HOUR).await, "k", &body).await;
        assert_eq!(status, 201, "{made}");
        assert_eq!(world.campaigns_at("beta_ads").await, 1, "after {hours} hours");
    }
}

#[tokio::test]
async fn a_key_expires_only_after_its_last_unknown_create() {
    let world = World::connected("beta_ads").await;
    let body = campaign("beta_ads", "Doubt");
    world.create_of_unknown_outcome(&body, 504).await;
    // Maintenance searches repeatedly and finds nothing.
    world.fault("beta_ads", "list", "error", 99).await;
    for day in [200, 400, 600] {
        maintenance::run(&world.later(day * 24 * HOUR).await).await.expect("a run to its end");
    }
    world.no_fault("beta_ads", "list", "error").await;
    let later = world.later(800 * 24 * HOUR).await;
    let (status, error) = world.keyed_at(Arc::clone(&later), "k", &campaign("beta_ads", "Other")).await;
    assert_eq!((status, &error["code"]), (422, &json!("CONFLICT")), "the key is not forgotten: {error}");
    let (status, found) = world.keyed_at(later, "k", &body).await;
    assert_eq!((status, &found["name"]), (201, &json!("Doubt")), "{found}");
    assert_eq!(world.campaigns_at("beta_ads").await, 1);
}

/// One target has its campaign; the outcome of the other stays unknown longer than creates are retained.
#[tokio::test]
async fn a_response_after_a_year_has_all_of_its_targets() {
    let world = World::connected("alpha_ads").await;
    world.connect("beta_ads", &[]).await;
    let account =
        async |platform: &str| world.sandbox_accounts(platform).await[0].trim_start_matches("act_").to_owned();
    let targets = json!([
        {"platform": "ALPHA", "organization_id": account("alpha_ads").await},
        {"platform": "BETA", "organization_id": account("beta_ads").await},
    ]);
    let body = json!({"name": "Doubt", "goal": "SALES", "budget_amount": 50, "budget_period": "DAILY",
        "targets": targets});
    let first = world.create_of_unknown_outcome(&body, 207).await;
    assert_eq!(first.json()["summary"], json!({"total": 2, "created": 1, "failed": 0, "unknown": 1}));
    world.fault("beta_ads", "list", "error", 99).await;
    for day in [200, 400] {
        maintenance::run(&world.later(day * 24 * HOUR).await).await.expect("a run to its end");
    }
    world.no_fault("beta_ads", "list", "error").await;
    let (status, response) = world.keyed_at(world.later(401 * 24 * HOUR).await, "k", &body).await;
    assert_eq!(status, 201, "{response}");
    assert_eq!(response["summary"], json!({"total": 2, "created": 2, "failed": 0, "unknown": 0}));
    assert_eq!(response["data"][0]["campaign"]["id"], first.json()["data"][0]["campaign"]["id"]);
    assert_eq!(world.campaigns_at("alpha_ads").await + world.campaigns_at("beta_ads").await, 2);
}

#[tokio::test]
async fn a_create_throttled_for_a_month_is_sent_in_the_end() {
    let world = World::connected("beta_ads").await;
    let body = campaign("beta_ads", "Throttled");
    for day in [0, 29] {
        world.fault("beta_ads", "any", "throttle", 1).await;
        let (status, error) = world.keyed_at(world.later(day * 24 * HOUR).await, "k", &body).await;
        assert_eq!(status, 429, "day {day}: {error}");
        world.let_pauses_end().await;
    }
    let (status, made) = world.keyed_at(world.later(45 * 24 * HOUR).await, "k", &body).await;
    assert_eq!((status, &made["name"]), (201, &json!("Throttled")), "{made}");
    assert_eq!(world.campaigns_at("beta_ads").await, 1);
}

#[tokio::test]
async fn a_final_response_is_replayed_for_30_days() {
    let world = World::connected("beta_ads").await;
    let body = campaign("beta_ads", "Late");
    world.create_of_unknown_outcome(&body, 504).await;
    let (status, made) = world.keyed_at(world.later(23 * HOUR).await, "k", &body).await;
    assert_eq!(status, 201, "{made}");
    let (status, again) = world.keyed_at(world.later(30 * 24 * HOUR).await, "k", &body).await;
    assert_eq!((status, again), (201, made.clone()));
    let (status, anew) = world.keyed_at(world.later(31 * 24 * HOUR).await, "k", &body).await;
    assert_eq!(status, 201, "{anew}");
    assert_ne!(anew["id"], made["id"], "30 days after the response the key is forgotten");
}
