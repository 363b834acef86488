//! The effects of a call on its connection are stored, even if the request has its response without that call.

use crate::in_process::engine::{Straight, client_over};
use crate::in_process::network::Network;
use crate::in_process::{self, World, json_of, respond};
use async_trait::async_trait;
use http::header::RETRY_AFTER;
use http::{HeaderMap, HeaderValue, StatusCode};
use lambda_http::{Body, Response};
use serde_json::json;
use shared::app::App;
use shared::domain::{Plan, Platform};
use shared::outbound::{Failure, OutboundRequest, OutboundResponse, Transport};
use std::sync::Arc;
use tokio::time::{Duration, advance, sleep};

/// The response to a call.
#[derive(Clone, Copy, Debug)]
enum Reaction {
    /// The sandbox answers.
    Real,
    /// Refused at once.
    Refused,
    /// Throttled for a minute, after a while.
    SlowThrottle,
}

/// The reaction to a call by its address and its body.
type Script = dyn Fn(&str, &str) -> Reaction + Send + Sync;

/// The sandbox, except for some calls.
struct Scripted {
    network: Network,
    reaction: Box<Script>,
}

impl std::fmt::Debug for Scripted {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Scripted")
    }
}

impl Scripted {
    /// A process whose calls get these reactions.
    fn app(world: &World, reaction: impl Fn(&str, &str) -> Reaction + Send + Sync + 'static) -> Arc<App> {
        let network = Network(world.sandbox.clone());
        let reaction = Box::new(reaction);
        Arc::new(world.app(client_over(Straight(world.database.clone())), Arc::new(Scripted { network, reaction })))
    }
}

#[async_trait]
impl Transport for Scripted {
    async fn send(&self, request: OutboundRequest) -> Result<OutboundResponse, Failure> {
        let path = request.url.split('?').next().unwrap_or_default();
        let (status, wait) = match (self.reaction)(path, &String::from_utf8_lossy(&request.body)) {
            Reaction::Real => return self.network.send(request).await,
            Reaction::Refused => (StatusCode::BAD_REQUEST, None),
            Reaction::SlowThrottle => {
                sleep(Duration::from_millis(300)).await;
                (StatusCode::TOO_MANY_REQUESTS, Some((RETRY_AFTER, HeaderValue::from(60))))
            }
        };
        Ok(OutboundResponse { status, headers: HeaderMap::from_iter(wait), body: "{}".into() })
    }
}

async fn ask(app: &Arc<App>, world: &World, method: &str, path: &str, body: &str) -> Response<Body> {
    advance(Duration::from_millis(200)).await;
    respond(app, world.request(method, path, &[], body)).await
}

async fn create(app: &Arc<App>, world: &World, platform: Platform, account: &str, name: &str) -> String {
    let draft = json!({"name": name, "goal": "WEBSITE_TRAFFIC", "budget_amount": 5000, "budget_period": "DAILY",
        "platform": platform.as_upper(), "organization_id": account});
    let made = ask(app, world, "POST", "/v1/campaigns", &draft.to_string()).await;
    assert_eq!(made.status(), 201, "{:?}", made.body());
    json_of(made.body())["data"]["id"].as_str().expect("an id").to_owned()
}

#[tokio::test(start_paused = true)]
async fn a_failed_report_does_not_lose_the_throttle_of_its_campaign() {
    for (platform, is_report) in [
        (Platform::Alpha, (|_, body| body.contains("segments.date")) as fn(&str, &str) -> bool),
        (Platform::Beta, |path, _| path.ends_with("/insights")),
        (Platform::Epsilon, |path, _| path.ends_with("/analytics")),
    ] {
        let world = World::new(in_process::clock(1), Plan::Enterprise).await;
        let straight = Arc::new(world.straight());
        let account = world.connect(&straight, platform, 1).await.remove(0);
        let id = create(&straight, &world, platform, &account, "Only").await;
        let reaction = move |path: &str, body: &str| {
            if is_report(path, body) { Reaction::Refused } else { Reaction::SlowThrottle }
        };
        let app = Scripted::app(&world, reaction);
        let failed = ask(&app, &world, "GET", &format!("/v1/campaigns/{id}/insights"), "").await;
        assert!(!failed.status().is_success(), "{platform}: {:?}", failed.body());
        let paused = ask(&straight, &world, "GET", "/v1/campaigns", "").await;
        assert_eq!(paused.status(), StatusCode::TOO_MANY_REQUESTS, "{platform}: {:?}", paused.body());
    }
}

#[tokio::test(start_paused = true)]
async fn a_full_page_does_not_lose_the_throttle_of_an_account_read_ahead() {
    let platform = Platform::Beta;
    let world = World::new(in_process::clock(1), Plan::Enterprise).await;
    let straight = Arc::new(world.straight());
    let mut accounts = world.connect(&straight, platform, 2).await;
    accounts.sort();
    for name in ["One", "Two", "Three"] {
        create(&straight, &world, platform, &accounts[0], name).await;
    }
    let second = accounts[1].clone();
    let reaction = move |path: &str, _: &str| {
        if path.contains(&second) { Reaction::SlowThrottle } else { Reaction::Real }
    };
    let app = Scripted::app(&world, reaction);
    let page = ask(&app, &world, "GET", "/v1/campaigns?limit=2", "").await;
    assert_eq!(page.status(), 200, "{:?}", page.body());
    assert_eq!(json_of(page.body())["unified"].as_array().map(Vec::len), Some(2));
    let path = format!("/v1/campaigns?organization_id={}", accounts[1]);
    let paused = ask(&straight, &world, "GET", &path, "").await;
    assert_eq!(paused.status(), StatusCode::TOO_MANY_REQUESTS, "{:?}", paused.body());
}
