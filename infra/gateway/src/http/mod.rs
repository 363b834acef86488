//! The HTTP server: one port for all functions.

mod body;
mod handler;

use crate::quickstart;
use crate::timers::DeliverySignal;
use axum::extract::Request;
use axum::response::{IntoResponse, Response};
use axum::serve::ListenerExt;
use http::{Method, StatusCode};
use local_http::{Limits, serve};
use sandbox::LastWrite;
use shared::app::App;
use shared::routes;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinHandle;

/// Longest time that requests in flight may delay the stop.
const DRAIN_TIMEOUT: Duration = Duration::from_secs(5);
/// Longest time that post-response work may delay the stop.
const POST_RESPONSE_TIMEOUT: Duration = Duration::from_secs(3);
/// A header of every webhook that this service sends (Standard Webhooks). No endpoint of its own reads it.
const SIGNATURE: &str = "webhook-signature";
/// The response to a webhook that reaches this service itself. 410 disables the endpoint, so it happens once. The URL
/// check cannot see it, because a gateway does not know the ports of gateways that join it.
const OWN_WEBHOOK: &str = "This is an address of the service that sends the webhook. Give the webhook endpoint the URL of \
                           your own server.\n";

/// A running server. Without [`HttpServer::stop`], dropping it closes the port.
pub(crate) struct HttpServer {
    stop: oneshot::Sender<()>,
    server: JoinHandle<()>,
    post_response_done: mpsc::Receiver<()>,
}

struct Shared {
    app: Arc<App>,
    quickstart_page: String,
    /// The last writes of the store and of the sandbox.
    writes: Vec<LastWrite>,
    signal: DeliverySignal,
    /// Every task of post-response work holds a clone. When the last one is dropped, the receiver closes.
    post_response: mpsc::Sender<()>,
}

impl HttpServer {
    /// Serves requests on a listener.
    pub(crate) fn start(
        listener: TcpListener,
        app: Arc<App>,
        quickstart_page: String,
        writes: Vec<LastWrite>,
        signal: DeliverySignal,
    ) -> HttpServer {
        let (stop, stopped) = oneshot::channel();
        let (post_response, post_response_done) = mpsc::channel(1);
        let shared = Arc::new(Shared { app, quickstart_page, writes, signal, post_response });
        // Nagle's algorithm would delay a response until the previous one is acknowledged.
        let listener = listener.tap_io(|stream| drop(stream.set_nodelay(true)));
        let response = move |request| {
            let shared = Arc::clone(&shared);
            async move { Ok(handle(&shared, request).await) }
        };
        let stopped = async { drop(stopped.await) };
        let server = tokio::spawn(serve(listener, Limits::default(), response, stopped));
        HttpServer { stop, server, post_response_done }
    }

    /// Stops accepting requests, then waits a limited time for requests in flight and for their post-response work.
    pub(crate) async fn stop(self) {
        let HttpServer { stop, server, mut post_response_done } = self;
        let _ = stop.send(());
        let abort = server.abort_handle();
        if tokio::time::timeout(DRAIN_TIMEOUT, server).await.is_err() {
            tracing::warn!("requests in flight did not finish in time");
            abort.abort();
        }
        if tokio::time::timeout(POST_RESPONSE_TIMEOUT, post_response_done.recv()).await.is_err() {
            tracing::warn!("post-response work did not finish in time");
        }
    }
}

async fn handle(shared: &Shared, request: Request) -> Response {
    if request.uri().path() == "/" && matches!(*request.method(), Method::GET | Method::HEAD) {
        return quickstart::response(&shared.quickstart_page);
    }
    if request.headers().contains_key(SIGNATURE) {
        return (StatusCode::GONE, OWN_WEBHOOK).into_response();
    }
    let post_response = shared.post_response.clone();
    let is_page = routes::is_dashboard(request.uri().path());
    // A replay makes deliveries due and stores no event. The store signals each event.
    let may_replay = !request.method().is_safe();
    let response = body::server_response(handler::handle(Arc::clone(&shared.app), post_response, request).await);
    if may_replay {
        shared.signal.send();
    }
    if !(is_page && response.status().is_server_error()) {
        return response;
    }
    // A page would put it down to the service or to the sign-in service, and ask to try again.
    match shared.writes.iter().find_map(LastWrite::failure) {
        Some(failure) => {
            (response.status(), format!("The local service could not store this: {failure}.\n")).into_response()
        }
        None => response,
    }
}
