//! The service in this process under a paused clock: only waiting takes time, so the load of the machine makes no
//! difference.

use super::slow_store;
use crate::in_process::{self, World, json_of, respond};
use crate::world::campaign;
use serde_json::{Value, json};
use shared::app::App;
use shared::domain::{Plan, Platform};
use shared::store::Store;
use std::sync::Arc;
use tokio::time::{Duration, sleep, timeout};

/// The service promises a response after 28 s at the latest: the time for platform calls, and 3 s.
pub(super) const LATEST: Duration = Duration::from_secs(28);
/// Delay of a hanging dependency.
const HANG: Duration = Duration::from_secs(60);

/// A customer with an ad account of each of some platforms, and a process without faults.
pub(super) struct Stage {
    pub(super) world: World,
    pub(super) app: Arc<App>,
}

impl Stage {
    pub(super) async fn new(connected: &[Platform]) -> Stage {
        let world = World::new(in_process::clock(1), Plan::Enterprise).await;
        let app = Arc::new(world.straight());
        for platform in connected {
            world.connect(&app, *platform, 1).await;
        }
        Stage { world, app }
    }

    /// A process whose store hangs at the requests with these markers.
    pub(super) fn with_slow_store(&self, markers: &'static [&'static str]) -> Arc<App> {
        let store = Store::new(slow_store::client(&self.world.database, markers), in_process::engine::TABLE);
        Arc::new(App { store, ..self.world.straight() })
    }

    /// A process with another time for the platform calls of one request.
    pub(super) fn with_platform_timeout(&self, platform_timeout: Duration) -> Arc<App> {
        Arc::new(App { platform_timeout, ..self.world.straight() })
    }

    /// The response to a request in the flat shape; panics without one in time.
    pub(super) async fn ask(&self, app: &Arc<App>, method: &str, path: &str, body: &Value) -> (u16, Value) {
        // A token of the rate limit each time.
        sleep(Duration::from_millis(200)).await;
        let body = if body.is_null() { String::new() } else { body.to_string() };
        let response = respond(app, self.world.request(method, path, &[("x-api-shape", "flat")], &body));
        let response =
            timeout(LATEST, response).await.unwrap_or_else(|_| panic!("{method} {path}: no response in time"));
        (response.status().as_u16(), json_of(response.body()))
    }

    /// The response to a request that must succeed without faults of the process.
    pub(super) async fn made(&self, method: &str, path: &str, body: &Value) -> Value {
        let (status, body) = self.ask(&self.app, method, path, body).await;
        assert!((200..300).contains(&status), "{method} {path}: {status} {body}");
        body
    }

    pub(super) async fn create(&self, platform: &str, name: &str) -> Value {
        self.made("POST", "/v1/campaigns", &campaign(platform, name)).await
    }

    /// Lets so many calls of a dependency hang.
    pub(super) async fn hang(&self, dependency: &str, operation: &str, fault: &str, times: u32) {
        let fault = json!({"platform": dependency, "operation": operation, "fault": fault, "times": times,
            "ms": HANG.as_millis()});
        self.world.control("POST", "faults", &fault).await;
    }

    /// The requests that a dependency received.
    pub(super) async fn received(&self, dependency: &str) -> Vec<Value> {
        let log = self.world.control("GET", &format!("requests?platform={dependency}"), &Value::Null).await;
        log["requests"].as_array().expect("a list").clone()
    }
}
