//! The connections of a process to the table and to the platforms, which a test can watch and break.

use super::super::Stage;
use crate::in_process::World;
use crate::in_process::engine::{client_over, operation, serve};
use crate::in_process::network::ask;
use async_trait::async_trait;
use aws_smithy_runtime_api::client::http::{HttpConnector, HttpConnectorFuture};
use aws_smithy_runtime_api::client::orchestrator::HttpRequest;
use bytes::Bytes;
use dynoxide::Database;
use http::{HeaderMap, Method, StatusCode};
use sandbox::InProcess;
use shared::app::App;
use shared::outbound::{Failure, OutboundRequest, OutboundResponse, Transport};
use std::future::{Future, pending};
use std::sync::{Arc, Mutex, MutexGuard};
use tokio::time::{Duration, sleep};

/// The operations that change nothing in the table.
const READS: [&str; 4] = ["GetItem", "BatchGetItem", "TransactGetItems", "Query"];

#[derive(Clone)]
pub(super) struct Wire {
    database: Database,
    sandbox: InProcess,
    state: Arc<Mutex<WireState>>,
}

#[derive(Default)]
struct WireState {
    /// The process dies after so many writes.
    writes_left: Option<usize>,
    has_no_reports: bool,
    holds_next: bool,
    /// A request whose sender has given up, and that the platform has not carried out yet.
    held: Option<OutboundRequest>,
    sent: Vec<OutboundRequest>,
}

impl std::fmt::Debug for Wire {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Wire")
    }
}

impl Wire {
    pub(super) fn of(world: &World) -> Wire {
        Wire { database: world.database.clone(), sandbox: world.sandbox.clone(), state: Arc::default() }
    }

    /// The connections of a process that dies when this many writes, to the table or to a platform, have been applied.
    pub(super) fn that_dies_after(world: &World, writes: usize) -> Wire {
        let wire = Wire::of(world);
        wire.state().writes_left = Some(writes);
        wire
    }

    /// A process with these connections.
    pub(super) fn app(&self, world: &World) -> Arc<App> {
        Arc::new(world.app(client_over(self.clone()), Arc::new(self.clone())))
    }

    /// The same stage, whose service has these connections.
    pub(super) fn serves(&self, stage: Stage) -> Stage {
        Stage { app: self.app(&stage.world), ..stage }
    }

    pub(super) fn is_dead(&self) -> bool {
        self.state().writes_left == Some(0)
    }

    /// From now on Meta's reports fail, or do not.
    pub(super) fn lose_reports(&self, are_lost: bool) {
        self.state().has_no_reports = are_lost;
    }

    /// The next write to a platform breaks, and is carried out when the test releases it.
    pub(super) fn hold_next_write(&self) {
        self.state().holds_next = true;
    }

    pub(super) async fn release(&self) {
        let held = self.state().held.take().expect("a held write");
        ask(&self.sandbox, held).await.expect("a response");
    }

    /// Somebody changes a budget at the platform's console: the last request with this text is sent again, with another.
    pub(super) async fn at_console(&self, text: &str, other: &str) {
        let body_of = |request: &OutboundRequest| String::from_utf8_lossy(&request.body).into_owned();
        let last = self.state().sent.iter().rev().find(|request| body_of(request).contains(text)).cloned();
        let last = last.expect("a request with the text");
        let body = Bytes::from(body_of(&last).replace(text, other));
        let response = ask(&self.sandbox, OutboundRequest { body, ..last }).await.expect("a response");
        assert!(response.status.is_success(), "{}", String::from_utf8_lossy(&response.body));
    }

    fn state(&self) -> MutexGuard<'_, WireState> {
        self.state.lock().expect("the state")
    }

    /// Applies a call, unless the process is dead. A dead one hears of nothing.
    async fn deliver<T>(&self, is_write: bool, apply: impl Future<Output = T>) -> T {
        // Lets the other processes run.
        sleep(Duration::from_millis(1)).await;
        if self.is_dead() {
            pending::<()>().await;
        }
        let applied = apply.await;
        if is_write && let Some(left) = &mut self.state().writes_left {
            *left = left.saturating_sub(1);
        }
        if self.is_dead() {
            pending::<()>().await;
        }
        applied
    }
}

impl HttpConnector for Wire {
    fn call(&self, request: HttpRequest) -> HttpConnectorFuture {
        let wire = self.clone();
        let is_write = !READS.contains(&operation(&request));
        HttpConnectorFuture::new(
            async move { wire.deliver(is_write, async { Ok(serve(&wire.database, &request)) }).await },
        )
    }
}

#[async_trait]
impl Transport for Wire {
    async fn send(&self, request: OutboundRequest) -> Result<OutboundResponse, Failure> {
        let is_write = request.method != Method::GET;
        let is_report = request.url.split('?').next().is_some_and(|path| path.ends_with("/insights"));
        if is_report && self.state().has_no_reports {
            let body = Bytes::from_static(br#"{"error": {"message": "Service temporarily unavailable", "code": 2}}"#);
            return Ok(OutboundResponse { status: StatusCode::SERVICE_UNAVAILABLE, headers: HeaderMap::new(), body });
        }
        if is_write && std::mem::take(&mut self.state().holds_next) {
            self.state().held = Some(request);
            return Err(Failure::Broken);
        }
        self.state().sent.push(request.clone());
        self.deliver(is_write, ask(&self.sandbox, request)).await.ok_or(Failure::Broken)
    }
}
