//! One request with a deadline, and assertions on its response.

use crate::world::World;
use futures_util::future::join_all;
use lambda_http::http::Request;
use lambda_http::{Body, Response};
use serde_json::{Value, json};
use shared::app::App;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::timeout;

/// Time after the limit for platform calls: the service promises 3 s, and a busy machine gets the rest. It is shorter
/// than the 8 s timeout of the store's client.
const RESPONSE_MARGIN: Duration = Duration::from_millis(6_500);

/// A request and its response.
#[derive(Debug)]
pub(super) struct Case {
    method: &'static str,
    pub(super) path: String,
    key: Option<&'static str>,
    pub(super) body: Value,
    pub(super) status: u16,
    request_id: String,
    pub(super) response: String,
}

impl Case {
    pub(super) fn new(method: &'static str, path: impl Into<String>, body: Value) -> Case {
        Case {
            method,
            path: path.into(),
            key: None,
            body,
            status: 0,
            request_id: String::new(),
            response: String::new(),
        }
    }

    pub(super) fn create(key: Option<&'static str>, body: Value) -> Case {
        Case { key, ..Case::new("POST", "/v1/campaigns", body) }
    }

    /// Sends the request; panics without a response in time.
    pub(super) async fn send(self, app: &Arc<App>, api_key: &str) -> Case {
        let mut request = Request::builder().method(self.method).uri(&self.path).header("x-api-key", api_key);
        if let Some(key) = self.key {
            request = request.header("idempotency-key", key);
        }
        let body = if self.body.is_null() { Body::Empty } else { Body::Text(self.body.to_string()) };
        let response = call_function(&self.path, Arc::clone(app), request.body(body).expect("a request"));
        let Ok(response) = timeout(app.platform_timeout + RESPONSE_MARGIN, response).await else {
            panic!("no response in time: {self:?}")
        };
        let text = String::from_utf8_lossy(response.body()).into_owned();
        let id = response.headers()["x-request-id"].to_str().expect("an id").to_owned();
        Case { status: response.status().as_u16(), request_id: id, response: text, ..self }
    }

    fn json(&self) -> Value {
        serde_json::from_str(&self.response).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    /// The error object, in either shape.
    pub(super) fn error(&self) -> Value {
        let body = self.json();
        if body["error"].is_object() { body["error"].clone() } else { body }
    }

    /// Asserts an unknown outcome, which is retryable only with a key.
    pub(super) fn assert_unknown(&self) {
        self.assert_platform_error(self.key.is_some());
    }

    pub(super) fn assert_platform_error(&self, is_retryable: bool) {
        let error = self.error();
        let actual = (self.status, &error["code"], &error["retryable"]);
        assert_eq!(actual, (504, &json!("PLATFORM_ERROR"), &json!(is_retryable)), "{self:?}");
    }

    /// Platform and state of each target in `getIntents`.
    pub(super) async fn create_states(&self, world: &World) -> Vec<(String, String)> {
        let path = format!("/v1/campaigns/intents/{}", self.request_id);
        let found = world.ask("GET", &path).header("x-api-shape", "flat").expect(200).await.json();
        let targets = found["targets"].as_array().expect("a list");
        assert_eq!(targets.len(), self.body["targets"].as_array().map_or(1, Vec::len), "{found}");
        let text = |target: &Value, name: &str| target[name].as_str().expect("a string").to_owned();
        targets.iter().map(|target| (text(target, "platform"), text(target, "state"))).collect()
    }
}

async fn call_function(path: &str, app: Arc<App>, request: lambda_http::Request) -> Response<Body> {
    match path.split(['/', '?']).nth(2).unwrap_or_default() {
        "campaigns" => campaigns::handle(app, request).await,
        "connections" | "oauth" => connections::handle(app, request).await,
        "billing" | "customer" => billing::handle(app, request).await,
        "api-keys" => api_keys::handle(app, request).await,
        "redirect-uris" => redirect_uris::handle(app, request).await,
        "webhook-endpoints" => webhook_endpoints::handle(app, request).await,
        "usage-logs" => usage_logs::handle(app, request).await,
        other => panic!("no function for {other}"),
    }
}

/// Sends all requests concurrently.
pub(super) async fn send_all(app: &Arc<App>, api_key: &str, cases: Vec<Case>) -> Vec<Case> {
    join_all(cases.into_iter().map(|case| case.send(app, api_key))).await
}
