//! The sandbox as an HTTP server. `in_process` decides the responses.

use crate::error::StartError;
use crate::in_process::{InProcess, MAX_BODY, too_large};
use crate::state::Sandbox;
use crate::tcp::{AbortSwitch, Listener};
use crate::webhook_worker;
use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::connect_info::ConnectInfo;
use axum::extract::{Request, State};
use axum::response::Response;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
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
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, options.port));
    let listener = Listener::bind(address).await.map_err(|source| StartError::Port { port: options.port, source })?;
    let address = listener.address();
    let (stop, stopped) = oneshot::channel();
    let webhooks = webhook_worker::run(Arc::clone(&sandbox.0));
    let serving = tokio::spawn(async move {
        tokio::select! {
            () = serve(listener, sandbox, stopped) => {}
            () = forever(webhooks) => {}
        }
    });
    Ok(Running { address, stop, serving })
}

/// Awaits a task and never returns, so that its end does not end the server.
async fn forever(task: impl Future<Output = ()>) {
    task.await;
    std::future::pending::<()>().await;
}

/// A running server. It ends with [`Running::stop`] or with the runtime.
#[derive(Debug)]
pub struct Running {
    /// Address of the listener.
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

/// Serves until the stop signal.
async fn serve(listener: Listener, sandbox: InProcess, stopped: oneshot::Receiver<()>) {
    let service =
        Router::new().fallback(receive).with_state(sandbox).into_make_service_with_connect_info::<AbortSwitch>();
    let served = axum::serve(listener, service).with_graceful_shutdown(async {
        // A dropped sender means that `stop` will never be called: keep serving.
        if stopped.await.is_err() {
            std::future::pending::<()>().await;
        }
    });
    if let Err(error) = served.await {
        tracing::error!(%error, "the sandbox stopped serving");
    }
}

async fn receive(
    State(sandbox): State<InProcess>,
    ConnectInfo(switch): ConnectInfo<AbortSwitch>,
    request: Request,
) -> Response {
    let (parts, body) = request.into_parts();
    let Ok(body) = to_bytes(body, MAX_BODY).await else { return too_large().map(Body::from) };
    let response = sandbox.answer(Request::from_parts(parts, body)).await;
    response.map_or_else(
        || {
            switch.abort();
            // The client never receives this response.
            Response::default()
        },
        |response| response.map(Body::from),
    )
}
