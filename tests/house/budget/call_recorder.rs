//! The outgoing calls of a process, each of which takes one round trip and is recorded.
//!
//! Time is paused: it advances only while the process waits for nothing but responses. So calls that are sent in
//! parallel begin at the same moment, a call that waits for another's response begins a round trip later, and the load
//! of the machine makes no difference.

use crate::in_process::engine::{operation, serve_as};
use crate::in_process::network::ask;
use async_trait::async_trait;
use aws_smithy_runtime_api::client::http::{HttpConnector, HttpConnectorFuture};
use aws_smithy_runtime_api::client::orchestrator::{HttpRequest, HttpResponse};
use dynoxide::Database;
use sandbox::InProcess;
use serde_json::{Value, json};
use shared::outbound::{Failure, OutboundRequest, OutboundResponse, Transport};
use std::sync::{Arc, Mutex};
use tokio::time::{Duration, Instant, sleep};

/// The duration of every call.
pub(super) const ROUND_TRIP: Duration = Duration::from_millis(100);
/// The tolerance of a timer: tokio counts milliseconds.
const SLACK: Duration = Duration::from_millis(20);

/// The called service.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Peer {
    Store,
    Platform,
    Payments,
}

/// A call.
#[derive(Clone, Debug)]
pub(super) struct Call {
    pub(super) at: Instant,
    pub(super) peer: Peer,
    /// The operation of the store; the name of another service.
    pub(super) name: String,
    /// Capacity units of the store.
    pub(super) written: f64,
    pub(super) read: f64,
}

impl Call {
    /// The number of round trips before it began.
    pub(super) fn wave(&self, began: Instant) -> u128 {
        let since = self.at.duration_since(began);
        let waves = (since + SLACK).as_millis() / ROUND_TRIP.as_millis();
        let off = (since + SLACK).as_millis() % ROUND_TRIP.as_millis();
        assert!(off <= 2 * SLACK.as_millis(), "{self:?} begins {since:?} after: something waits for a timer");
        waves
    }
}

/// The outgoing connections of one process.
#[derive(Clone)]
pub(super) struct CallRecorder {
    database: Database,
    sandbox: InProcess,
    calls: Arc<Mutex<Vec<Call>>>,
}

impl std::fmt::Debug for CallRecorder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("CallRecorder")
    }
}

impl CallRecorder {
    pub(super) fn new(database: Database, sandbox: InProcess) -> CallRecorder {
        CallRecorder { database, sandbox, calls: Arc::default() }
    }

    /// The calls since the last time.
    pub(super) fn take(&self) -> Vec<Call> {
        std::mem::take(&mut self.calls.lock().expect("the calls"))
    }

    fn note(&self, call: Call) {
        self.calls.lock().expect("the calls").push(call);
    }

    async fn carry_to_store(&self, request: HttpRequest) -> HttpResponse {
        let at = Instant::now();
        let mut body: Value = serde_json::from_slice(request.body().bytes().unwrap_or_default()).expect("JSON");
        body["ReturnConsumedCapacity"] = json!("TOTAL");
        let response = serve_as(&self.database, &request, body.to_string().as_bytes());
        let units = if response.status().as_u16() == 200 { units_of(&response) } else { units_of_refused(&body) };
        let operation = operation(&request);
        let (written, read) = match operation {
            "GetItem" | "BatchGetItem" | "Query" => (0.0, units),
            _ => (units, 0.0),
        };
        let name = operation.trim_end_matches("Item").replace("TransactWriteItems", "Transact");
        self.note(Call { at, peer: Peer::Store, name, written, read });
        sleep(ROUND_TRIP).await;
        response
    }
}

/// The cost of a write whose condition fails: as much as if it held, which the response does not say. Every item that
/// is written under a condition here is smaller than 1 KB, and a part of a transaction costs twice.
fn units_of_refused(request: &Value) -> f64 {
    request["TransactItems"].as_array().map_or(1.0, |parts| parts.iter().map(|_| 2.0).sum())
}

/// The cost that a response reports.
fn units_of(response: &HttpResponse) -> f64 {
    let body: Value = serde_json::from_slice(response.body().bytes().unwrap_or_default()).expect("JSON");
    let one = |capacity: &Value| capacity["CapacityUnits"].as_f64().expect("units");
    match &body["ConsumedCapacity"] {
        Value::Array(tables) => tables.iter().map(one).sum(),
        capacity => one(capacity),
    }
}

impl HttpConnector for CallRecorder {
    fn call(&self, request: HttpRequest) -> HttpConnectorFuture {
        let recorder = self.clone();
        HttpConnectorFuture::new(async move { Ok(recorder.carry_to_store(request).await) })
    }
}

#[async_trait]
impl Transport for CallRecorder {
    async fn send(&self, request: OutboundRequest) -> Result<OutboundResponse, Failure> {
        let is_payment = request.url.starts_with("http://sandbox/stripe/");
        let (peer, name) = if is_payment { (Peer::Payments, "payments") } else { (Peer::Platform, "platform") };
        self.note(Call { at: Instant::now(), peer, name: name.to_owned(), written: 0.0, read: 0.0 });
        sleep(ROUND_TRIP).await;
        ask(&self.sandbox, request).await.ok_or(Failure::Broken)
    }
}
