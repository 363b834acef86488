//! The way of a process to its store, which can be closed at a chosen write: the process waits there until it is killed.

use aws_smithy_runtime_api::client::http::{HttpConnector, SharedHttpConnector};
use aws_smithy_runtime_api::client::orchestrator::HttpRequest;
use axum::body::{Body, to_bytes};
use axum::extract::Request;
use axum::response::Response;
use bytes::Bytes;
use local_http::{Limits, serve};
use serde_json::Value;
use std::future::pending;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tempfile::TempDir;
use tokio::net::UnixListener;
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio::time::sleep;

/// The header that names an operation.
const TARGET: &str = "x-amz-target";
const WRITES: [&str; 5] = ["PutItem", "UpdateItem", "DeleteItem", "BatchWriteItem", "TransactWriteItems"];
const MAX_REQUEST_BYTES: usize = 16 * 1024 * 1024;
/// After this time without a call a process has done its work.
const QUIET: Duration = Duration::from_millis(150);

/// When a process dies at a write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Moment {
    /// Nothing was applied.
    Before,
    /// The write was applied, and the process never hears of it.
    After,
}

/// A folder that a gateway can join, with a socket of its own in front of the store. Dropping it closes the socket.
pub(super) struct Store {
    folder: TempDir,
    state: Arc<State>,
    server: JoinHandle<()>,
}

struct State {
    connector: SharedHttpConnector,
    endpoint: String,
    watched: Mutex<Watched>,
    /// Whether a process waits at the chosen write.
    is_held: watch::Sender<bool>,
}

#[derive(Default)]
struct Watched {
    /// The beginnings and ends of calls.
    calls: u64,
    /// The writes since the point was chosen.
    writes: Vec<String>,
    point: Option<(usize, Moment)>,
}

impl Store {
    /// Stands in front of the store of the gateway that runs on a folder.
    pub(super) fn before(running: &Path) -> Store {
        let folder = tempfile::tempdir().unwrap();
        for name in ["demo-key", "engine.json", "secrets.json"] {
            std::fs::copy(running.join(name), folder.path().join(name)).unwrap();
        }
        let aws = gateway::aws_of_folder(running);
        let (connector, endpoint) = (aws.connector.unwrap(), aws.dynamodb_endpoint.unwrap());
        let (watched, is_held) = (Mutex::default(), watch::Sender::new(false));
        let state = Arc::new(State { connector, endpoint, watched, is_held });
        let listener = UnixListener::bind(folder.path().join("engine.sock")).unwrap();
        let of_server = Arc::clone(&state);
        let response = move |request| {
            let state = Arc::clone(&of_server);
            async move { Ok(state.respond(request).await) }
        };
        let server = tokio::spawn(serve(listener, Limits::default(), response, pending()));
        Store { folder, state, server }
    }

    pub(super) fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// Chooses a write, counted from now and from zero.
    pub(super) fn close_at(&self, number: usize, moment: Moment) {
        let mut watched = self.state.watched.lock().unwrap();
        (watched.writes, watched.point) = (Vec::new(), Some((number, moment)));
        self.state.is_held.send_replace(false);
    }

    /// Opens the way again. Returns the writes since it was closed, the one at which a process waits among them.
    pub(super) fn open(&self) -> Vec<String> {
        let mut watched = self.state.watched.lock().unwrap();
        watched.point = None;
        std::mem::take(&mut watched.writes)
    }

    /// Waits until a process waits at the chosen write.
    pub(super) async fn held(&self) {
        self.state.is_held.subscribe().wait_for(|is_held| *is_held).await.unwrap();
    }

    /// Waits until no process calls the store any more.
    pub(super) async fn quiet(&self) {
        let calls = || self.state.watched.lock().unwrap().calls;
        loop {
            let before = calls();
            sleep(QUIET).await;
            if calls() == before {
                return;
            }
        }
    }
}

impl Drop for Store {
    fn drop(&mut self) {
        self.server.abort();
    }
}

impl State {
    async fn respond(&self, request: Request) -> Response {
        let (parts, body) = request.into_parts();
        let operation = parts.headers[TARGET].to_str().unwrap().rsplit('.').next().unwrap().to_owned();
        let body = to_bytes(body, MAX_REQUEST_BYTES).await.unwrap();
        let point = self.begin(&operation, &body);
        if point == Some(Moment::Before) {
            self.hold().await;
        }
        let response = self.forward(operation, &body).await;
        if point == Some(Moment::After) {
            self.hold().await;
        }
        self.watched.lock().unwrap().calls += 1;
        response
    }

    /// Counts a call. Returns whether it is the chosen one, and when its process dies.
    fn begin(&self, operation: &str, body: &[u8]) -> Option<Moment> {
        let mut watched = self.watched.lock().unwrap();
        watched.calls += 1;
        let (number, moment) = watched.point.filter(|_| WRITES.contains(&operation))?;
        watched.writes.push(named(operation, &serde_json::from_slice(body).unwrap()));
        (watched.writes.len() == number + 1).then_some(moment)
    }

    /// Lets a process wait for ever.
    async fn hold(&self) {
        self.is_held.send_replace(true);
        pending::<()>().await;
    }

    async fn forward(&self, operation: String, body: &Bytes) -> Response {
        let mut request = HttpRequest::new(body.to_vec().into());
        request.set_method("POST").unwrap();
        request.set_uri(self.endpoint.clone()).unwrap();
        request.headers_mut().insert(TARGET, operation);
        let answer = self.connector.call(request).await.unwrap();
        let body = Bytes::copy_from_slice(answer.body().bytes().unwrap());
        Response::builder().status(answer.status().as_u16()).body(Body::from(body)).unwrap()
    }
}

/// A write by its operation and the families of what it writes, such as `PutItem ASSISTANT`.
fn named(operation: &str, body: &Value) -> String {
    let parts = body["TransactItems"].as_array().into_iter().flatten();
    let parts = parts.flat_map(|part| part.as_object().unwrap().values()).chain([body]);
    let family = |part: &Value| {
        let key = [&part["Key"], &part["Item"]].into_iter().find_map(|key| key["sk"]["S"].as_str())?;
        Some(format!(" {}", key.split('#').next().unwrap()))
    };
    format!("{operation}{}", parts.filter_map(family).collect::<String>())
}
