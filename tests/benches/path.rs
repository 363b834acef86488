//! The whole path of a request in this process: the function, the store's client, the engine, and the sandbox platform
//! where one is called. The report at the end gives each its share.

use crate::authentication::DOOR;
use crate::figures::{Figures, percent};
use crate::in_process::engine::{Straight, client_over};
use crate::in_process::network::Network;
use crate::in_process::{self, World, answer};
use crate::recorded::keep_tokens_alive;
use async_trait::async_trait;
use aws_smithy_runtime_api::client::http::{HttpConnector, HttpConnectorFuture};
use aws_smithy_runtime_api::client::orchestrator::HttpRequest;
use serde_json::json;
use shared::app::App;
use shared::domain::{Plan, Platform};
use shared::outbound::{Answer, Failure, Outgoing, Transport};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use tokio::runtime::Runtime;

/// The speed-up of the clock, so that the rate limit admits all requests.
const SPEED: u32 = 100;
/// Campaigns that a list returns.
const CAMPAIGNS: usize = 10;

/// Time spent in one place.
#[derive(Clone, Debug, Default)]
struct Spent(Arc<Mutex<Duration>>);

impl Spent {
    fn add(&self, began: Instant) {
        *self.0.lock().expect("the time") += began.elapsed();
    }

    fn take(&self) -> Duration {
        std::mem::take(&mut *self.0.lock().expect("the time"))
    }
}

/// A connection to the table that measures the time spent there.
#[derive(Clone, Debug)]
struct TimedTable(Straight, Spent);

impl HttpConnector for TimedTable {
    fn call(&self, request: HttpRequest) -> HttpConnectorFuture {
        let began = Instant::now();
        let answer = self.0.call(request);
        self.1.add(began);
        answer
    }
}

/// A connection to the platforms that measures the time spent there.
#[derive(Debug)]
struct TimedNetwork(Network, Spent);

#[async_trait]
impl Transport for TimedNetwork {
    async fn send(&self, outgoing: Outgoing) -> Result<Answer, Failure> {
        let began = Instant::now();
        let answer = self.0.send(outgoing).await;
        self.1.add(began);
        answer
    }
}

/// A process of the service.
struct Scene {
    world: World,
    app: Arc<App>,
    table: Spent,
    platforms: Spent,
    names: AtomicU64,
}

impl Scene {
    async fn new() -> Scene {
        let world = World::new(in_process::clock(SPEED), Plan::Enterprise).await;
        let (table, platforms) = (Spent::default(), Spent::default());
        let store = client_over(TimedTable(Straight(world.database.clone()), table.clone()));
        let network = TimedNetwork(Network(world.sandbox.clone()), platforms.clone());
        let app = Arc::new(world.app(store, Arc::new(network)));
        keep_tokens_alive(&world, Platform::Alpha).await;
        world.connect(&app, Platform::Alpha, 1).await;
        Scene { world, app, table, platforms, names: AtomicU64::new(0) }
    }

    async fn ask(&self, status: u16, method: &str, path: &str, body: &str) {
        let answer = answer(&self.app, self.world.request(method, path, &[], body)).await;
        assert_eq!(answer.status(), status, "{method} {path}: {:?}", answer.body());
    }

    async fn create(&self) {
        let number = self.names.fetch_add(1, Ordering::Relaxed);
        let body = json!({"name": format!("Campaign {number}"), "goal": "TRAFFIC", "budget_amount": 50,
            "budget_period": "DAILY", "platform": "alpha_ads"});
        self.ask(201, "POST", "/v1/campaigns", &body.to_string()).await;
    }
}

pub(crate) fn bench(figures: &mut Figures, runtime: &Runtime) {
    let scene = runtime.block_on(Scene::new());
    measure(figures, &scene, "GET v1 connections", || {
        runtime.block_on(scene.ask(200, "GET", "/v1/connections", ""));
    });
    figures.share(DOOR, "path/GET v1 connections");
    runtime.block_on(async {
        for _ in 0..CAMPAIGNS {
            scene.create().await;
        }
    });
    measure(figures, &scene, &format!("GET v1 campaigns, {CAMPAIGNS} of them"), || {
        runtime.block_on(scene.ask(200, "GET", "/v1/campaigns", ""));
    });
    measure(figures, &scene, "POST v1 campaigns", || runtime.block_on(scene.create()));
}

/// Measures a request, and reports the share of each part.
fn measure(figures: &mut Figures, scene: &Scene, name: &str, mut ask: impl FnMut()) {
    scene.table.take();
    scene.platforms.take();
    let mut whole = Duration::ZERO;
    let name = format!("path/{name}");
    figures.measure(&name, || {
        let began = Instant::now();
        ask();
        whole += began.elapsed();
    });
    if figures.fastest(&name).is_some() {
        let (table, platforms) = (scene.table.take(), scene.platforms.take());
        let ours = whole.saturating_sub(table + platforms);
        figures.note(format!(
            "{name}: engine {}, sandbox {}, ours and the store's client {}",
            percent(table, whole),
            percent(platforms, whole),
            percent(ours, whole)
        ));
    }
}
