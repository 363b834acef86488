//! The sandbox as an HTTP server. `in_process` decides the responses.

use crate::disk::LastWrite;
use crate::error::StartError;
use crate::guard;
use crate::in_process::{InProcess, MAX_BODY, too_large};
use crate::state::Sandbox;
use crate::webhook_worker;
use axum::body::{Body, to_bytes};
use axum::extract::Request;
use axum::response::Response;
use axum::serve::ListenerExt;
use local_http::{HangUp, Limits, serve};
use std::future::pending;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

/// Options of the server.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// TCP port on 127.0.0.1; 0 takes a free port.
    pub port: u16,
    /// Folder of `sandbox.json` with accounts, grants and campaigns; `None` keeps them in memory.
    pub data: Option<PathBuf>,
}

/// Starts to serve on 127.0.0.1 and returns.
///
/// # Errors
/// The port cannot be bound, the data folder cannot be used, or `sandbox.json` does not parse.
pub async fn start(options: Options) -> Result<Running, StartError> {
    let sandbox = InProcess(Arc::new(Sandbox::open(options.data)?));
    let unbound = |source| StartError::Port { port: options.port, source };
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, options.port)).await.map_err(unbound)?;
    let address = listener.local_addr().map_err(unbound)?;
    let listener = listener.tap_io(|stream| drop(stream.set_nodelay(true)));
    let (stop, stopped) = oneshot::channel();
    let webhooks = webhook_worker::run(Arc::clone(&sandbox.0));
    let last_write = sandbox.0.last_write.clone();
    let stopped = async {
        // A dropped sender means that `stop` will never be called: keep serving.
        if stopped.await.is_err() {
            pending::<()>().await;
        }
    };
    let handler = move |request| receive(sandbox.clone(), request);
    let serving = tokio::spawn(async move {
        tokio::select! {
            () = serve(listener, Limits::default(), handler, stopped) => {}
            () = forever(webhooks) => {}
        }
    });
    Ok(Running { address, last_write, stop, serving })
}

/// Awaits a task and never returns, so that its end does not end the server.
async fn forever(task: impl Future<Output = ()>) {
    task.await;
    pending::<()>().await;
}

/// A running server. It ends with [`Running::stop`] or with the runtime.
#[derive(Debug)]
pub struct Running {
    pub address: SocketAddr,
    /// The outcome of the last write of `sandbox.json`.
    pub last_write: LastWrite,
    stop: oneshot::Sender<()>,
    serving: JoinHandle<()>,
}

impl Running {
    /// `http://127.0.0.1:PORT`, without a trailing slash.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Stops accepting requests and waits up to five seconds for those in progress. Acknowledged changes are on disk
    /// already: the state is written before each response.
    pub async fn stop(self) {
        let _ = self.stop.send(());
        let ending = self.serving.abort_handle();
        if tokio::time::timeout(Duration::from_secs(5), self.serving).await.is_err() {
            ending.abort();
        }
    }
}

async fn receive(sandbox: InProcess, request: Request) -> Result<Response, HangUp> {
    let (parts, body) = request.into_parts();
    if let Some(refusal) = guard::refusal(&parts) {
        return Ok(refusal.into_http().map(Body::from));
    }
    let Ok(body) = to_bytes(body, MAX_BODY).await else { return Ok(too_large().map(Body::from)) };
    let response = sandbox.handle(Request::from_parts(parts, body)).await;
    response.map(|response| response.map(Body::from)).ok_or(HangUp)
}
