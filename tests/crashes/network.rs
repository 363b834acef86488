//! The two connections of a process, to the table and to the platforms, with injected faults.

use super::edits::Books;
use crate::in_process::engine::{operation, serve};
use crate::in_process::faults::{Delivery, Dependency, Fault};
use crate::in_process::network::ask;
use crate::in_process::process::Process;
use async_trait::async_trait;
use aws_smithy_runtime_api::client::http::{HttpConnector, HttpConnectorFuture};
use aws_smithy_runtime_api::client::orchestrator::{HttpRequest, HttpResponse};
use aws_smithy_runtime_api::client::result::ConnectorError;
use bytes::Bytes;
use dynoxide::Database;
use http::{HeaderMap, Method, StatusCode};
use sandbox::InProcess;
use serde_json::{Value, json};
use shared::outbound::{Failure, OutboundRequest, OutboundResponse, Transport};
use std::future::{Future, pending};
use tokio::sync::oneshot;
use tokio::time::{Duration, Instant, sleep, sleep_until, timeout};

/// Timeout of one attempt by the store's client.
const STORE_TIMEOUT: Duration = Duration::from_secs(3);
/// Wait of the store's client before its next attempt.
const STORE_RETRY_DELAY: Duration = Duration::from_millis(50);

/// A late call is applied at most this long after the request has ended.
///
/// Reconciliation does not wait for a platform that applies a create more than 30 s after the caller's connection
/// ended: only a retry with the key finds that campaign. Of all faults, only [`Fault::TooLate`] does this.
const MAX_LATENESS: Duration = Duration::from_secs(28);

/// [`Fault::TooLate`] applies a call after this time.
const TOO_LATE_AFTER: Duration = Duration::from_secs(100);

/// Statuses of the pages of a gateway: each refuses a create.
const PAGES: [u16; 3] = [403, 400, 404];

/// Outcome of a call.
enum CallOutcome<T> {
    Response(T),
    /// A server error; nothing is applied.
    ServerError,
    /// Throttled; nothing is applied.
    Throttled,
    /// A page of a gateway with a client error, for the call with this number; nothing is applied.
    Refused(usize),
    /// Confirmed; nothing is applied.
    Ignored,
    /// The connection could not be opened.
    NotSent,
    /// The connection broke.
    Broken,
}

/// Delivers one call of a process. A call that was sent is applied even when its sender has died or timed out.
async fn deliver<T: Send + 'static>(
    process: &Process,
    dependency: Dependency,
    name: &str,
    apply: impl Future<Output = T> + Send + 'static,
) -> CallOutcome<T> {
    process.wait_if_dead().await;
    let (number, delivery) = process.faults().next(dependency, name);
    match delivery.fault {
        None => process.record(&format!("{number} {name}")),
        Some(fault) => process.record(&format!("{number} {name}: {fault:?}")),
    }
    match delivery.fault {
        Some(Fault::KilledBefore) => process.kill(),
        Some(fault @ (Fault::ServerError | Fault::Throttled | Fault::Refused | Fault::Ignored)) => {
            sleep(delivery.request_delay + delivery.response_delay).await;
            process.wait_if_dead().await;
            return match fault {
                Fault::Throttled => CallOutcome::Throttled,
                Fault::Refused => CallOutcome::Refused(number),
                Fault::Ignored => CallOutcome::Ignored,
                _ => CallOutcome::ServerError,
            };
        }
        Some(Fault::NotSent) => return CallOutcome::NotSent,
        Some(Fault::RequestLost) => pending().await,
        _ => {}
    }
    process.wait_if_dead().await;
    let response = send(process, &delivery, apply);
    if matches!(delivery.fault, Some(Fault::LateDisconnected | Fault::TooLate)) {
        return CallOutcome::Broken;
    }
    let Ok(received) = response.await else { return pending().await };
    match delivery.fault {
        Some(Fault::KilledAfter) => process.kill(),
        Some(Fault::NoResponse | Fault::LateNoResponse) => pending().await,
        Some(Fault::Suspended) => process.suspend(delivery.suspension).await,
        _ => sleep(delivery.response_delay).await,
    }
    process.wait_if_dead().await;
    if delivery.fault == Some(Fault::ResponseLost) { CallOutcome::Broken } else { CallOutcome::Response(received) }
}

/// Sends a call, which is applied after its delay.
fn send<T: Send + 'static>(
    process: &Process,
    delivery: &Delivery,
    apply: impl Future<Output = T> + Send + 'static,
) -> oneshot::Receiver<T> {
    let is_late = matches!(delivery.fault, Some(Fault::LateDisconnected | Fault::LateNoResponse));
    let is_too_late = delivery.fault == Some(Fault::TooLate);
    let applied_at = Instant::now() + if is_late { delivery.late_delay } else { delivery.request_delay };
    let latest = process.platform_deadline() + MAX_LATENESS;
    let (mut send, response) = oneshot::channel();
    tokio::spawn(async move {
        tokio::select! {
            biased;
            () = sleep(TOO_LATE_AFTER), if is_too_late => {}
            () = sleep_until(applied_at.min(latest)), if !is_too_late => {}
            () = send.closed(), if !is_too_late => sleep_until(applied_at.min(latest).min(Instant::now() + MAX_LATENESS)).await,
        }
        let _ = send.send(apply.await);
    });
    response
}

/// HTTP connector of a process's DynamoDB client.
#[derive(Clone)]
pub(super) struct StoreConnector {
    pub(super) process: Process,
    pub(super) database: Database,
    /// Attempts of the client: 3 as deployed, or 1 so that the service sees every failure.
    pub(super) attempts: u32,
}

impl std::fmt::Debug for StoreConnector {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("StoreConnector")
    }
}

impl HttpConnector for StoreConnector {
    fn call(&self, request: HttpRequest) -> HttpConnectorFuture {
        let connector = self.clone();
        HttpConnectorFuture::new(async move {
            let mut outcome = connector.attempt(&request).await;
            for _ in 1..connector.attempts {
                let is_final = outcome.as_ref().is_ok_and(|response| response.status().as_u16() < 500);
                if is_final {
                    break;
                }
                sleep(STORE_RETRY_DELAY).await;
                outcome = connector.attempt(&request).await;
            }
            outcome
        })
    }
}

impl StoreConnector {
    async fn attempt(&self, request: &HttpRequest) -> Result<HttpResponse, ConnectorError> {
        let copy = request.try_clone().expect("a request in memory");
        let database = self.database.clone();
        let name = name_of(request);
        let outcome = deliver(&self.process, Dependency::Store, &name, async move { serve(&database, &copy) });
        match timeout(STORE_TIMEOUT, outcome).await {
            Ok(CallOutcome::Response(response)) => Ok(response),
            Ok(CallOutcome::ServerError | CallOutcome::Throttled | CallOutcome::Refused(_) | CallOutcome::Ignored) => {
                let body = r#"{"__type":"com.amazonaws.dynamodb.v20120810#InternalServerError"}"#;
                Ok(HttpResponse::new(500.try_into().expect("a status"), body.to_owned().into()))
            }
            Ok(CallOutcome::NotSent | CallOutcome::Broken) => Err(ConnectorError::io("the connection broke".into())),
            Err(_) => Err(ConnectorError::timeout("no response in time".into())),
        }
    }
}

/// The operation, and the kinds of records in it.
fn name_of(request: &HttpRequest) -> String {
    let body = String::from_utf8_lossy(request.body().bytes().unwrap_or_default()).into_owned();
    let records = body.split(r#""sk":{"S":""#).skip(1);
    let mut kinds: Vec<&str> = records.filter_map(|rest| rest.split(['#', '"']).next()).collect();
    kinds.dedup();
    kinds.extend(body.contains(r#"{"S":"LINK#"}"#).then_some("LINK"));
    if body.contains("due_kind = :kind AND") {
        kinds.extend(body.split(r#"":kind":{"S":""#).nth(1).and_then(|rest| rest.split('"').next()));
    }
    format!("{} {}", operation(request), kinds.join("+"))
}

/// HTTP transport of a process to the platforms.
pub(super) struct PlatformTransport {
    pub(super) process: Process,
    pub(super) sandbox: InProcess,
    pub(super) books: Books,
}

impl std::fmt::Debug for PlatformTransport {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("PlatformTransport")
    }
}

/// Path of a URL, without host and query.
fn path_of(request: &OutboundRequest) -> &str {
    request.url.split('?').next().unwrap_or_default().trim_start_matches("http://sandbox")
}

impl PlatformTransport {
    /// The sandbox's answer to a call that fails without being applied.
    async fn ask_failing(&self, call: OutboundRequest, fault: Value) -> Result<OutboundResponse, Failure> {
        self.set_fault(&call, "any", fault, 1).await;
        ask(&self.sandbox, call).await.ok_or(Failure::Broken)
    }

    /// The sandbox's answer to an update or a removal that it confirms and does not make. Any other call is as usual.
    async fn ask_ignored(&self, call: OutboundRequest) -> Result<OutboundResponse, Failure> {
        let operations = ["update", "delete"];
        for operation in operations {
            self.set_fault(&call, operation, json!({"fault": "ignored"}), 1).await;
        }
        let answer = ask(&self.sandbox, call.clone()).await.ok_or(Failure::Broken);
        for operation in operations {
            self.set_fault(&call, operation, json!({"fault": "ignored"}), 0).await;
        }
        answer
    }

    /// Sets a fault of the platform of a call.
    async fn set_fault(&self, call: &OutboundRequest, operation: &str, mut fault: Value, times: u32) {
        fault["platform"] = path_of(call).trim_start_matches('/').split('/').next().unwrap_or_default().into();
        (fault["operation"], fault["times"]) = (operation.into(), times.into());
        let control = OutboundRequest {
            method: Method::POST,
            url: "http://sandbox/_sandbox/faults".to_owned(),
            headers: HeaderMap::new(),
            body: fault.to_string().into(),
        };
        ask(&self.sandbox, control).await;
    }
}

#[async_trait]
impl Transport for PlatformTransport {
    async fn send(&self, request: OutboundRequest) -> Result<OutboundResponse, Failure> {
        let name = format!("{} {}", request.method, path_of(&request));
        let (process, sandbox, books) = (self.process.name().to_owned(), self.sandbox.clone(), self.books.clone());
        let failing = request.clone();
        let apply = async move { books.apply(&process, &sandbox, request).await };
        match deliver(&self.process, Dependency::Platform, &name, apply).await {
            CallOutcome::Response(Some(response)) => Ok(response),
            CallOutcome::ServerError => {
                let status = StatusCode::SERVICE_UNAVAILABLE;
                let headers = HeaderMap::new();
                Ok(OutboundResponse { status, headers, body: Bytes::from_static(b"down") })
            }
            CallOutcome::Throttled => self.ask_failing(failing, json!({"fault": "throttle"})).await,
            CallOutcome::Refused(number) => {
                let status = PAGES[number % PAGES.len()];
                self.ask_failing(failing, json!({"fault": "front", "status": status})).await
            }
            CallOutcome::Ignored => self.ask_ignored(failing).await,
            CallOutcome::NotSent => Err(Failure::NotSent),
            CallOutcome::Broken | CallOutcome::Response(None) => Err(Failure::Broken),
        }
    }

    fn random(&self) -> u64 {
        self.process.faults().draw()
    }
}
