//! The service in this process under a paused clock: only waiting takes time, so the load of the machine makes no
//! difference.

use crate::house::table::Table;
use crate::in_process::engine::{Straight, TABLE, client_over, serve};
use crate::in_process::{self, World, json_of, respond};
use crate::world::campaign;
use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::config::Credentials;
use aws_smithy_runtime_api::client::http::{HttpConnector, HttpConnectorFuture, SharedHttpConnector};
use aws_smithy_runtime_api::client::orchestrator::HttpRequest;
use dynoxide::Database;
use lambda_http::{Body, Response};
use serde_json::{Value, json};
use shared::app::{App, Aws, CallTimeouts};
use shared::domain::{Plan, Platform};
use shared::store::Store;
use std::future::pending;
use std::sync::Arc;
use tokio::time::{Duration, sleep, timeout};

/// The service promises a response so long after the limit for platform calls at the latest.
const GRACE: Duration = Duration::from_secs(3);
/// Delay of a hanging dependency.
const HANG: Duration = Duration::from_secs(60);

/// A marker that every request contains.
pub(super) const EVERY_REQUEST: &str = "";

/// A customer with an ad account of each of some platforms, and a process without faults.
pub(crate) struct Stage {
    pub(crate) world: World,
    pub(crate) app: Arc<App>,
}

impl Stage {
    pub(crate) async fn new(connected: &[Platform]) -> Stage {
        let world = World::new(in_process::clock(1), Plan::Enterprise).await;
        let app = Arc::new(world.straight());
        for platform in connected {
            world.connect(&app, *platform, 1).await;
        }
        Stage { world, app }
    }

    /// A process whose store hangs at the requests with these markers.
    pub(crate) fn with_slow_store(&self, markers: &'static [&'static str]) -> Arc<App> {
        let store = Store::new(slow_client(&self.world.database, markers), TABLE);
        Arc::new(App { store, ..self.world.straight() })
    }

    /// A process with another time for the platform calls of one request.
    pub(crate) fn with_platform_timeout(&self, platform_timeout: Duration) -> Arc<App> {
        Arc::new(App { platform_timeout, ..self.world.straight() })
    }

    /// The response to a request; panics without one in time.
    pub(crate) async fn respond(
        &self,
        app: &Arc<App>,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: &Value,
    ) -> Response<Body> {
        let body = if body.is_null() { String::new() } else { body.to_string() };
        let response = respond(app, self.world.request(method, path, headers, &body));
        let limit = app.platform_timeout + GRACE;
        timeout(limit, response).await.unwrap_or_else(|_| panic!("{method} {path} {body}: no response in time"))
    }

    /// Status and body of the response to a request in the flat shape.
    pub(crate) async fn ask(&self, app: &Arc<App>, method: &str, path: &str, body: &Value) -> (u16, Value) {
        // A token of the rate limit each time.
        sleep(Duration::from_millis(200)).await;
        let response = self.respond(app, method, path, &[("x-api-shape", "flat")], body).await;
        let body = if response.body().is_empty() { Value::Null } else { json_of(response.body()) };
        (response.status().as_u16(), body)
    }

    /// The response to a request that must succeed.
    pub(crate) async fn ask_ok(&self, method: &str, path: &str, body: &Value) -> Value {
        let (status, body) = self.ask(&self.app, method, path, body).await;
        assert!((200..300).contains(&status), "{method} {path}: {status} {body}");
        body
    }

    pub(crate) async fn create(&self, platform: &str, name: &str) -> Value {
        self.ask_ok("POST", "/v1/campaigns", &campaign(platform, name)).await
    }

    /// Sets a fault for so many calls of a dependency, with a delay where the fault has one.
    pub(crate) async fn fault(&self, dependency: &str, operation: &str, fault: &str, times: u32, delay: Duration) {
        let mut order = json!({"platform": dependency, "operation": operation, "fault": fault, "times": times});
        if !delay.is_zero() {
            order["ms"] = json!(delay.as_millis());
        }
        self.world.control("POST", "faults", &order).await;
    }

    /// Lets so many calls of a dependency hang.
    pub(crate) async fn hang(&self, dependency: &str, operation: &str, fault: &str, times: u32) {
        self.fault(dependency, operation, fault, times, HANG).await;
    }

    /// The table, read and written directly.
    pub(crate) fn table(&self) -> Table {
        Table::new(client_over(Straight(self.world.database.clone())), TABLE, self.world.clock.clone())
    }

    /// The campaigns at the platforms.
    pub(crate) async fn campaigns(&self) -> usize {
        let listed = self.world.control("GET", "campaigns", &Value::Null).await;
        listed["campaigns"].as_array().expect("a list").len()
    }

    /// The requests that a dependency received.
    pub(crate) async fn received(&self, dependency: &str) -> Vec<Value> {
        let log = self.world.control("GET", &format!("requests?platform={dependency}"), &Value::Null).await;
        log["requests"].as_array().expect("a list").clone()
    }
}

/// The client of a function, with its timeouts and its retries, for a table that never responds to a request which
/// contains one of the markers, and does not apply it.
fn slow_client(database: &Database, markers: &'static [&'static str]) -> Client {
    let aws = Aws {
        region: "us-east-1".to_owned(),
        credentials: Credentials::new("id", "secret", None, None, "tests"),
        dynamodb_endpoint: Some("http://table".to_owned()),
        secrets_endpoint: None,
        connector: Some(SharedHttpConnector::new(SlowStore { database: database.clone(), markers })),
        timeouts: CallTimeouts::AWS,
    };
    aws.dynamodb_client()
}

struct SlowStore {
    database: Database,
    markers: &'static [&'static str],
}

impl std::fmt::Debug for SlowStore {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("SlowStore")
    }
}

impl HttpConnector for SlowStore {
    fn call(&self, request: HttpRequest) -> HttpConnectorFuture {
        let body = String::from_utf8_lossy(request.body().bytes().unwrap_or_default());
        if self.markers.iter().any(|marker| body.contains(marker)) {
            return HttpConnectorFuture::new(pending());
        }
        HttpConnectorFuture::ready(Ok(serve(&self.database, &request)))
    }
}
