//! The client of a run: sends creates, follows `Retry-After`, and keeps every response.

use super::environment::{Environment, Service, Target, text_of};
use crate::in_process::{json_of, respond};
use lambda_http::{Body, Request, Response};
use serde_json::{Value, json};
use std::sync::{Arc, Mutex};
use tokio::time::{Duration, Instant, sleep, timeout};
use uuid::Uuid;

/// API Gateway breaks the connection after this time.
const GATEWAY_TIMEOUT: Duration = Duration::from_secs(30);
/// The service promises a response within this time.
const RESPONSE_TIMEOUT: Duration = Duration::from_secs(28);
/// Wait before a retry when the response has no `Retry-After`.
const DEFAULT_RETRY_DELAY: Duration = Duration::from_secs(3);
/// Attempts before the client reports that there is no final response.
const MAX_ATTEMPTS: usize = 200;

/// A create that a client sends.
#[derive(Clone, Debug)]
pub(super) struct CreateRequest {
    pub(super) name: String,
    pub(super) budget: u64,
    pub(super) targets: Vec<Target>,
    pub(super) key: Option<String>,
}

/// A response that the client received.
#[derive(Clone, Debug)]
pub(super) struct ClientResponse {
    pub(super) request: CreateRequest,
    pub(super) request_id: Uuid,
    pub(super) status: u16,
    pub(super) is_replay: bool,
    pub(super) retry_after: Option<Duration>,
    pub(super) text: String,
    pub(super) at: Instant,
}

/// The result of one target in a response.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum TargetResult {
    Created(String),
    Failed { code: String, is_retryable: bool, is_refused: bool },
    Unknown { is_retryable: bool },
}

/// Every response that the client received, and every violation found so far.
#[derive(Clone, Default)]
pub(super) struct ClientHistory {
    pub(super) responses: Arc<Mutex<Vec<ClientResponse>>>,
    pub(super) violations: Arc<Mutex<Vec<String>>>,
}

impl TargetResult {
    /// Whether a final response may have it: created, or refused with a client error.
    pub(super) fn is_settled(&self) -> bool {
        matches!(self, TargetResult::Created(_) | TargetResult::Failed { is_refused: true, .. })
    }
}

impl CreateRequest {
    pub(super) fn body(&self) -> Value {
        let CreateRequest { name, budget, targets, .. } = self;
        let goal = "WEBSITE_TRAFFIC";
        let mut body = json!({"name": name, "goal": goal, "budget_amount": budget, "budget_period": "DAILY"});
        let target =
            |(platform, account): &Target| json!({"platform": platform.as_upper(), "organization_id": account});
        match targets.as_slice() {
            [(platform, account)] => {
                body["platform"] = json!(platform.as_upper());
                body["organization_id"] = json!(account);
            }
            several => body["targets"] = several.iter().map(target).collect(),
        }
        body
    }
}

impl ClientResponse {
    fn body(&self) -> Value {
        json_of(self.text.as_bytes())
    }

    /// The result of each target, in their order.
    pub(super) fn results(&self) -> Vec<TargetResult> {
        let body = self.body();
        let id = |campaign: &Value| campaign["id"].as_str().expect("an id").to_owned();
        let error = |status: &str, error: &Value| {
            let code = error["code"].as_str().unwrap_or_default().to_owned();
            let is_retryable = error["retryable"] == true;
            if status == "unknown" {
                TargetResult::Unknown { is_retryable }
            } else {
                // By the page of a gateway: the platforms refuse nothing here.
                let says_so = error["message"].as_str().is_some_and(|text| text.contains("Nothing was created."));
                let is_refused = says_so || code == "FORBIDDEN";
                TargetResult::Failed { code, is_retryable, is_refused }
            }
        };
        let results = body["data"].as_array().or_else(|| body["error"]["results"].as_array());
        match results {
            Some(results) => results
                .iter()
                .map(|result| match result["status"].as_str().expect("a status") {
                    "created" => TargetResult::Created(id(&result["campaign"])),
                    status => error(status, &result["error"]),
                })
                .collect(),
            None if self.status == 201 => vec![TargetResult::Created(id(&body["data"]))],
            None => {
                // Without a key an unknown create is not retryable, so a retryable 504 means that nothing was sent.
                let was_not_sent = self.request.key.is_none() && body["error"]["retryable"] == true;
                let status = if self.status == 504 && !was_not_sent { "unknown" } else { "failed" };
                vec![error(status, &body["error"]); self.request.targets.len()]
            }
        }
    }

    /// Whether the outcome of any target is unknown.
    pub(super) fn is_unknown(&self) -> bool {
        self.results().iter().any(|result| matches!(result, TargetResult::Unknown { .. }))
    }

    /// Whether the request was refused before any of its several targets had a result.
    pub(super) fn is_refused_as_a_whole(&self) -> bool {
        self.status == 403 && self.request.targets.len() > 1 && self.body()["error"].get("results").is_none()
    }

    /// The errors of single targets.
    pub(super) fn target_errors(&self) -> Vec<(&Target, Value)> {
        let body = self.body();
        let results = body["data"].as_array().or_else(|| body["error"]["results"].as_array());
        let errors = match (results, self.request.targets.as_slice()) {
            (Some(results), _) => results.iter().map(|result| result["error"].clone()).collect(),
            (None, [_]) => vec![body["error"].clone()],
            (None, _) => Vec::new(),
        };
        self.request.targets.iter().zip(errors).filter(|(_, error)| !error.is_null()).collect()
    }

    /// Whether any target may be sent again.
    fn is_retryable(&self) -> bool {
        let may = |result: &TargetResult| match result {
            TargetResult::Unknown { is_retryable } | TargetResult::Failed { is_retryable, .. } => *is_retryable,
            TargetResult::Created(_) => false,
        };
        self.results().iter().any(may)
    }

    /// Whether the whole request may be sent again without a key.
    pub(super) fn is_safe_to_repeat(&self) -> bool {
        let body = self.body();
        self.status >= 400 && body["error"]["retryable"] == true
    }

    pub(super) fn is_final(&self) -> bool {
        match self.status {
            201 | 207 => !self.is_retryable(),
            409 | 429 => false,
            status => status < 500 && !self.is_retryable(),
        }
    }
}

impl ClientHistory {
    pub(super) fn report(&self, violation: String) {
        self.violations.lock().expect("the history").push(violation);
    }

    pub(super) fn responses(&self) -> Vec<ClientResponse> {
        self.responses.lock().expect("the history").clone()
    }

    /// Sends a request to a process; `None` when the client received no response.
    pub(super) async fn exchange(&self, service: &Service, sent: Request) -> Option<Response<Body>> {
        let sent_at = Instant::now();
        let process = service.process.clone();
        let app = Arc::clone(&service.app);
        // The process continues after its client has disconnected.
        let work = tokio::spawn(async move { process.run(respond(&app, sent)).await });
        let response = match timeout(GATEWAY_TIMEOUT, work).await {
            Ok(response) => response.unwrap_or_else(|panicked| {
                self.report(format!("the service panicked: {panicked}"));
                None
            }),
            Err(_) => None,
        };
        if sent_at.elapsed() > RESPONSE_TIMEOUT && !service.process.was_disrupted() {
            self.report(format!("a response took {:?}", sent_at.elapsed()));
        }
        // The log omits the request id: it differs in every run.
        service.process.record(&match &response {
            None => "sends no response".to_owned(),
            Some(response) => {
                let replayed = if response.headers().contains_key("idempotent-replayed") { ", replayed" } else { "" };
                format!("responds {}{replayed}", response.status().as_u16())
            }
        });
        response
    }

    /// Sends a create to a process; `None` when the client received no response.
    pub(super) async fn send(
        &self,
        environment: &Environment,
        service: &Service,
        request: &CreateRequest,
    ) -> Option<ClientResponse> {
        let sent = environment.request("POST", "/v1/campaigns", request.key.as_deref(), &request.body().to_string());
        let response = self.exchange(service, sent).await?;
        let header = |name: &str| response.headers().get(name).and_then(|value| value.to_str().ok());
        let response = ClientResponse {
            request: request.clone(),
            request_id: header("x-request-id").and_then(|id| id.parse().ok()).expect("a request id"),
            status: response.status().as_u16(),
            is_replay: header("idempotent-replayed").is_some(),
            retry_after: header("retry-after").and_then(|text| text.parse().ok()).map(Duration::from_secs),
            text: text_of(&response),
            at: Instant::now(),
        };
        self.responses.lock().expect("the history").push(response.clone());
        Some(response)
    }

    /// Sends the request until the response is final, and follows `Retry-After`.
    pub(super) async fn send_until_final(
        &self,
        environment: &Environment,
        request: &CreateRequest,
    ) -> Option<ClientResponse> {
        self.send_until(environment, request, ClientResponse::is_final).await
    }

    /// Sends the request until a response meets the condition, and follows `Retry-After`.
    pub(super) async fn send_until(
        &self,
        environment: &Environment,
        request: &CreateRequest,
        is_done: impl Fn(&ClientResponse) -> bool,
    ) -> Option<ClientResponse> {
        for _ in 0..MAX_ATTEMPTS {
            let service = environment.start("retry");
            let response = self.send(environment, &service, request).await;
            let wait = match &response {
                Some(response) if is_done(response) => return Some(response.clone()),
                Some(response) => response.retry_after.unwrap_or(DEFAULT_RETRY_DELAY),
                None => DEFAULT_RETRY_DELAY,
            };
            sleep(wait).await;
        }
        let last = self.responses().last().map(|response| response.text.clone());
        self.report(format!("there is no such response after {MAX_ATTEMPTS} attempts: {last:?}"));
        None
    }
}
