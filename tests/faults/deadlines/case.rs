//! One request with a deadline, and assertions on its response.

use crate::faults::stage::Stage;
use crate::in_process::json_of;
use futures_util::future::join_all;
use serde_json::{Value, json};
use shared::app::App;
use std::sync::Arc;

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
    pub(super) async fn send(self, stage: &Stage, app: &Arc<App>) -> Case {
        let key = self.key.map(|key| ("idempotency-key", key));
        let response = stage.respond(app, self.method, &self.path, key.as_slice(), &self.body).await;
        let text = String::from_utf8_lossy(response.body()).into_owned();
        let id = response.headers()["x-request-id"].to_str().expect("an id").to_owned();
        Case { status: response.status().as_u16(), request_id: id, response: text, ..self }
    }

    /// The error object, in either shape.
    pub(super) fn error(&self) -> Value {
        let body = json_of(self.response.as_bytes());
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
    pub(super) async fn create_states(&self, stage: &Stage) -> Vec<(String, String)> {
        let found = stage.ask_ok("GET", &format!("/v1/campaigns/intents/{}", self.request_id), &Value::Null).await;
        let targets = found["targets"].as_array().expect("a list");
        assert_eq!(targets.len(), self.body["targets"].as_array().map_or(1, Vec::len), "{found}");
        let text = |target: &Value, name: &str| target[name].as_str().expect("a string").to_owned();
        targets.iter().map(|target| (text(target, "platform"), text(target, "state"))).collect()
    }
}

/// Sends all requests concurrently.
pub(super) async fn send_all(stage: &Stage, app: &Arc<App>, cases: Vec<Case>) -> Vec<Case> {
    join_all(cases.into_iter().map(|case| case.send(stage, app))).await
}
