//! The sandbox over HTTP: bytes in and out, connections that close. What is answered is decided inside.

use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::connect_info::ConnectInfo;
use axum::extract::{Request, State};
use axum::response::Response;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

use crate::connection::{Cut, Listener};
use crate::error::StartError;
use crate::in_process::{BODY, InProcess, too_large};
use crate::state::Sandbox;
use crate::webhook_worker;

/// Where the sandbox listens and what it keeps.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// TCP port on 127.0.0.1; 0 takes any free one.
    pub port: u16,
    /// Folder in which `sandbox.json` holds accounts, grants and campaigns; `None` forgets them.
    pub data: Option<PathBuf>,
}

/// Starts serving on 127.0.0.1 and returns at once.
///
/// # Errors
/// A port that cannot be had, a data folder that cannot be used, or a `sandbox.json` that is not
/// the sandbox's.
pub async fn start(options: Options) -> Result<Running, StartError> {
    let sandbox = InProcess(Arc::new(Sandbox::open(options.data)?));
    let wanted = SocketAddr::from((Ipv4Addr::LOCALHOST, options.port));
    let listener = Listener::bind(wanted).await.map_err(|source| StartError::Port { port: options.port, source })?;
    let address = listener.address();
    let (stop, stopped) = oneshot::channel();
    let webhooks = webhook_worker::run(Arc::clone(&sandbox.0));
    let serving = tokio::spawn(async move {
        tokio::select! {
            () = serve(listener, sandbox, stopped) => {}
            () = never(webhooks) => {}
        }
    });
    Ok(Running { address, stop, serving })
}

/// Runs what has to go on as long as something else does, and does not end by itself.
async fn never(task: impl Future<Output = ()>) {
    task.await;
    std::future::pending::<()>().await;
}

/// A sandbox that serves until it is stopped or dropped with its runtime.
#[derive(Debug)]
pub struct Running {
    /// Where it listens.
    pub address: SocketAddr,
    stop: oneshot::Sender<()>,
    serving: JoinHandle<()>,
}

impl Running {
    /// `http://127.0.0.1:PORT`, without a trailing slash.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Stops taking requests and waits for those under way, five seconds at most. What was
    /// acknowledged is on disk already: the state is written before each answer.
    pub async fn stop(self) {
        let _ = self.stop.send(());
        let ending = self.serving.abort_handle();
        if tokio::time::timeout(Duration::from_secs(5), self.serving).await.is_err() {
            ending.abort();
        }
    }
}

/// Serves until told to stop.
async fn serve(listener: Listener, sandbox: InProcess, stopped: oneshot::Receiver<()>) {
    let service = Router::new().fallback(receive).with_state(sandbox).into_make_service_with_connect_info::<Cut>();
    let served = axum::serve(listener, service).with_graceful_shutdown(async {
        // A sender that is gone means that nobody will ever stop it: keep serving.
        if stopped.await.is_err() {
            std::future::pending::<()>().await;
        }
    });
    if let Err(error) = served.await {
        tracing::error!(%error, "the sandbox stopped serving");
    }
}

async fn receive(State(sandbox): State<InProcess>, ConnectInfo(cut): ConnectInfo<Cut>, request: Request) -> Response {
    let (parts, body) = request.into_parts();
    let Ok(body) = to_bytes(body, BODY).await else { return too_large().map(Body::from) };
    let answer = sandbox.answer(Request::from_parts(parts, body)).await;
    answer.map_or_else(
        || {
            cut.now();
            // Nobody sees it: the connection is gone before.
            Response::default()
        },
        |answer| answer.map(Body::from),
    )
}
