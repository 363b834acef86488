//! The bound on creates of one name in one ad account whose outcome is unknown.

use crate::in_process::{self, World, json_of, respond};
use crate::world::campaign;
use futures_util::future::join_all;
use lambda_http::{Body, Response};
use serde_json::{Value, json};
use shared::app::App;
use shared::domain::{Plan, Platform};
use shared::store::MAX_OPEN_CREATES;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::{advance, sleep};

const NAME: &str = "The same";

struct Stage {
    world: World,
    app: Arc<App>,
}

impl Stage {
    async fn new() -> Stage {
        let world = World::new(in_process::clock(1), Plan::Enterprise).await;
        let app = Arc::new(world.straight());
        world.connect(&app, Platform::Beta, 1).await;
        Stage { world, app }
    }

    /// From now on creates fail in this way; `times` of them.
    async fn fault(&self, fault: &str, times: u32) {
        let fault = json!({"platform": "beta_ads", "operation": "create", "fault": fault, "times": times});
        self.world.control("POST", "faults", &fault).await;
    }

    /// Sends a create to a process of its own, so that no circuit breaker is open.
    async fn create(&self, name: &str, key: Option<&str>) -> Response<Body> {
        let headers: Vec<_> = key.iter().map(|key| ("idempotency-key", *key)).collect();
        let body = campaign("beta_ads", name).to_string();
        let app = Arc::new(self.world.straight());
        respond(&app, self.world.request("POST", "/v1/campaigns", &headers, &body)).await
    }

    async fn status(&self, name: &str, key: Option<&str>) -> u16 {
        self.create(name, key).await.status().as_u16()
    }

    /// Sends so many creates at once, and counts those with an unknown outcome, and the refused ones.
    async fn statuses(&self, count: usize, name: &str) -> (usize, usize) {
        let statuses = join_all((0..count).map(|_| self.status(name, None))).await;
        // The slots of requests in flight are free again.
        sleep(Duration::from_secs(60)).await;
        let of = |wanted| statuses.iter().filter(|status| **status == wanted).count();
        assert_eq!(of(504) + of(409), count, "{statuses:?}");
        (of(504), of(409))
    }

    async fn creates_received(&self) -> usize {
        let received = self.world.control("GET", "requests?platform=beta_ads", &Value::Null).await;
        let is_create = |request: &&Value| {
            request["method"] == "POST" && request["path"].as_str().is_some_and(|path| path.ends_with("/campaigns"))
        };
        received["requests"].as_array().expect("a list").iter().filter(is_create).count()
    }

    /// Lets the searches become conclusive, and reconciles.
    async fn reconcile(&self) {
        self.fault("drop", 0).await;
        for _ in 0..3 {
            advance(Duration::from_secs(90)).await;
            maintenance::run(&self.app).await.expect("maintenance");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn more_than_a_hundred_unknown_creates_of_a_name_are_refused_unsent() {
    let stage = Stage::new().await;
    stage.fault("drop", 10_000).await;
    assert_eq!(stage.statuses(80, NAME).await, (80, 0));
    assert_eq!(stage.statuses(80, NAME).await, (MAX_OPEN_CREATES - 80, 160 - MAX_OPEN_CREATES), "exactly");
    let sent = stage.creates_received().await;
    let refused = stage.create(NAME, None).await;
    let error = json_of(refused.body());
    assert_eq!(
        (refused.status().as_u16(), &error["code"], &error["retryable"]),
        (409, &json!("CONFLICT"), &json!(false))
    );
    let message = error["error"].as_str().expect("a message");
    assert!(message.contains("Nothing was sent") && message.contains(NAME), "{message}");
    assert_eq!(stage.creates_received().await, sent, "nothing was sent");
    let intents = format!("/v1/campaigns/intents/{}", error["request_id"].as_str().expect("an id"));
    let shown = respond(&stage.app, stage.world.request("GET", &intents, &[], "")).await;
    assert!(String::from_utf8_lossy(shown.body()).contains("not_created"), "{shown:?}");
    assert_eq!(stage.status("Another", None).await, 504, "another name is sent");

    stage.reconcile().await;
    assert_eq!(stage.status(NAME, None).await, 201, "the outcomes are known");
}

#[tokio::test(start_paused = true)]
async fn a_key_refused_by_the_bound_may_be_used_again() {
    let stage = Stage::new().await;
    // A create with a key that the platform throttles is not created, and may be sent again.
    stage.fault("throttle", 1).await;
    assert_eq!(stage.status(NAME, Some("earlier")).await, 429);
    advance(Duration::from_secs(3_600)).await;
    stage.fault("drop", 10_000).await;
    for half in [MAX_OPEN_CREATES / 2, MAX_OPEN_CREATES - MAX_OPEN_CREATES / 2] {
        assert_eq!(stage.statuses(half, NAME).await, (half, 0));
    }
    let sent = stage.creates_received().await;
    for key in ["new", "earlier", "new", "earlier"] {
        assert_eq!(stage.status(NAME, Some(key)).await, 409, "{key}");
    }
    assert_eq!(stage.creates_received().await, sent, "nothing was sent");

    stage.reconcile().await;
    for key in ["new", "earlier"] {
        let made = stage.create(NAME, Some(key)).await;
        assert_eq!(made.status().as_u16(), 201, "{key}: {:?}", made.body());
        assert_eq!(json_of(stage.create(NAME, Some(key)).await.body()), json_of(made.body()), "{key}");
    }
}
