//! The bound on a customer's requests that wait for a platform (D40).

use crate::in_process::engine::TABLE;
use crate::in_process::{self, World, json_of, respond};
use futures_util::future::join_all;
use lambda_http::{Body, Response};
use serde_json::json;
use shared::app::App;
use shared::domain::{Plan, Platform};
use shared::serve::PostResponseWork;
use shared::store::table_keys;
use std::sync::Arc;
use std::time::Duration;
use tokio::task::JoinHandle;
use tokio::time::{advance, sleep};

const LIST: (&str, &str) = ("GET", "/v1/campaigns");
/// Longer than the bursts of any plan take to refill, and than any request holds a slot.
const REST: Duration = Duration::from_secs(60);
/// The latency of a slow platform: shorter than a read's timeout.
const SLOW_MS: u64 = 7_000;
/// The slots of plan pro.
const SLOTS: usize = Plan::Pro.limits().requests_in_flight as usize;

#[derive(Clone)]
struct Stage {
    world: Arc<World>,
    app: Arc<App>,
}

impl Stage {
    async fn new(plan: Plan) -> Stage {
        let world = Arc::new(World::new(in_process::clock(1), plan).await);
        let app = Arc::new(world.straight());
        world.connect(&app, Platform::Alpha, 1).await;
        sleep(REST).await;
        Stage { world, app }
    }

    async fn latency(&self, ms: u64) {
        self.world.control("POST", "settings", &json!({"platform": "alpha_ads", "latency_ms": ms})).await;
    }

    /// A response without the work after it.
    async fn respond(&self, (method, path): (&str, &str)) -> Response<Body> {
        respond(&self.app, self.world.request(method, path, &[], "")).await
    }

    /// A response, and the work after it.
    async fn ask(&self, request: (&str, &str)) -> Response<Body> {
        let mut response = self.respond(request).await;
        if let Some(work) = PostResponseWork::take_from(&mut response) {
            work.run().await;
        }
        response
    }

    async fn status(&self, request: (&str, &str)) -> u16 {
        self.ask(request).await.status().as_u16()
    }

    /// Starts a list in another process, which then waits for the platform.
    async fn start(&self) -> JoinHandle<u16> {
        let stage = Stage { app: Arc::new(self.world.straight()), ..self.clone() };
        let started = tokio::spawn(async move { stage.status(LIST).await });
        // It is admitted by then.
        sleep(Duration::from_millis(10)).await;
        started
    }

    /// Fills all slots with such lists.
    async fn fill(&self) -> Vec<JoinHandle<u16>> {
        self.latency(SLOW_MS).await;
        let mut waiting = Vec::new();
        for _ in 0..SLOTS {
            waiting.push(self.start().await);
        }
        waiting
    }

    /// The slots of the account, as stored.
    fn slots(&self) -> Vec<String> {
        let key = table_keys::account(self.world.customer);
        let request = json!({"TableName": TABLE, "Key": {"pk": {"S": key.pk}, "sk": {"S": key.sk}}});
        let found = self.world.database.get_item(serde_json::from_value(request).expect("a request")).expect("a read");
        let item = serde_json::to_value(found).expect("JSON")["Item"].clone();
        let names = item.as_object().expect("an item").keys().filter(|name| name.starts_with("slot_"));
        names.cloned().collect()
    }
}

fn header<'a>(response: &'a Response<Body>, name: &str) -> &'a str {
    response.headers().get(name).map_or("", |value| value.to_str().expect("text"))
}

#[tokio::test(start_paused = true)]
async fn beyond_its_slots_only_requests_that_call_platforms_are_refused() {
    let stage = Stage::new(Plan::Pro).await;
    let mut waiting = stage.fill().await;
    for request in
        [LIST, ("GET", "/v1/campaigns/alpha_1_2"), ("POST", "/v1/connections/sync"), ("DELETE", "/v1/connections/x")]
    {
        let refused = stage.ask(request).await;
        let error = json_of(refused.body());
        assert_eq!((refused.status().as_u16(), header(&refused, "retry-after")), (429, "1"), "{request:?}: {error}");
        assert_eq!((&error["code"], &error["retryable"]), (&json!("RATE_LIMITED"), &json!(true)), "{error}");
        let message = error["error"].as_str().unwrap_or_default();
        assert!(message.contains("25 requests at a time"), "{message}");
        assert_eq!(error.get("platform"), None, "it is ours, not a platform's");
        assert!(header(&refused, "ratelimit").contains("quota"), "{refused:?}");
    }
    // Requests that call no platform are answered.
    for path in ["/v1/connections", "/v1/campaigns/intents/00000000-0000-4000-8000-000000000001"] {
        assert_ne!(stage.status(("GET", path)).await, 429, "{path}");
    }
    assert_eq!(waiting.remove(0).await.expect("a response"), 200);
    assert_eq!(stage.start().await.await.expect("a response"), 200, "a slot is free again");
    for one in waiting {
        assert_eq!(one.await.expect("a response"), 200);
    }
    assert_eq!(stage.slots(), Vec::<String>::new(), "every slot is freed after its response");
}

#[tokio::test(start_paused = true)]
async fn the_bound_is_exact_for_requests_at_the_same_time() {
    for plan in [Plan::Pro, Plan::Enterprise] {
        let stage = Stage::new(plan).await;
        let slots = plan.limits().requests_in_flight as usize;
        stage.latency(5_000).await;
        let count = slots + 20;
        let statuses = join_all((0..count).map(|_| stage.status(LIST))).await;
        let of = |wanted| statuses.iter().filter(|status| **status == wanted).count();
        assert_eq!((of(200), of(429)), (slots, count - slots), "{plan:?}: {statuses:?}");
        stage.latency(0).await;
        assert_eq!(stage.status(LIST).await, 200);
        assert_eq!(stage.slots(), Vec::<String>::new());
    }
}

#[tokio::test(start_paused = true)]
async fn slots_of_dead_processes_are_free_after_the_longest_request() {
    let stage = Stage::new(Plan::Pro).await;
    for one in stage.fill().await {
        one.abort();
    }
    assert_eq!(stage.slots().len(), SLOTS);
    advance(Duration::from_secs(27)).await;
    assert_eq!(stage.status(LIST).await, 429);
    advance(Duration::from_secs(1)).await;
    for one in stage.fill().await {
        assert_eq!(one.await.expect("a response"), 200);
    }
}

#[tokio::test(start_paused = true)]
async fn a_resumed_process_does_not_free_the_slot_of_another() {
    let stage = Stage::new(Plan::Pro).await;
    let mut late = stage.respond(LIST).await;
    let late = PostResponseWork::take_from(&mut late).expect("work");
    assert_eq!(stage.slots().len(), 1);
    sleep(REST).await;
    // All slots are taken again, this one too.
    let waiting = stage.fill().await;
    late.run().await;
    assert_eq!((stage.slots().len(), stage.status(LIST).await), (SLOTS, 429));
    for one in waiting {
        assert_eq!(one.await.expect("a response"), 200);
    }
}

#[tokio::test(start_paused = true)]
async fn an_error_frees_its_slot_too() {
    let stage = Stage::new(Plan::Starter).await;
    for (request, status) in [
        (("GET", "/v1/campaigns?limit=0"), 400),
        (("GET", "/v1/campaigns/alpha_1_2"), 404),
        (("PATCH", "/v1/campaigns/x"), 400),
        (("DELETE", "/v1/connections/x"), 404),
    ] {
        assert_eq!(stage.status(request).await, status, "{request:?}");
        assert_eq!(stage.slots(), Vec::<String>::new(), "{request:?}");
        sleep(Duration::from_secs(2)).await;
    }
}
