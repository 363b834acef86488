//! The part of the Lambda Runtime API that a function uses, with the times of its requests.

use crate::serve::Server;
use bytes::Bytes;
use http_body_util::{BodyExt, Full};
use hyper::body::Incoming;
use hyper::{Method, Request, Response, StatusCode};
use shared::clock::Clock;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::{Mutex, mpsc};

/// Time limit of an invocation: the deadline header is this far ahead.
const TIMEOUT: Duration = Duration::from_secs(29);

/// A request of the function to the Runtime API.
pub(crate) enum FunctionEvent {
    /// `next`: the function waits for an event.
    Ready(Instant),
    /// `response`: the function has completed an invocation.
    Responded(Instant, Bytes),
    /// `error`: the function could not start or could not complete an invocation.
    Failed(String),
}

/// The Runtime API of one function.
pub(crate) struct RuntimeApi {
    server: Server,
    lambda_events: mpsc::Sender<Bytes>,
    function_events: mpsc::UnboundedReceiver<FunctionEvent>,
}

struct Channels {
    lambda_events: Mutex<mpsc::Receiver<Bytes>>,
    function_events: mpsc::UnboundedSender<FunctionEvent>,
}

impl RuntimeApi {
    pub(crate) async fn start() -> io::Result<RuntimeApi> {
        let (lambda_events, lambda_receiver) = mpsc::channel(1);
        let (function_sender, function_events) = mpsc::unbounded_channel();
        let channels = Channels { lambda_events: Mutex::new(lambda_receiver), function_events: function_sender };
        let channels = Arc::new(channels);
        let server = Server::start(move |request| respond(Arc::clone(&channels), request)).await?;
        Ok(RuntimeApi { server, lambda_events, function_events })
    }

    pub(crate) fn address(&self) -> SocketAddr {
        self.server.address
    }

    /// Sends an event in response to `next`.
    pub(crate) async fn send_event(&self, event: Bytes) {
        // Fails only after the server has stopped, which `next_event` reports.
        let _ = self.lambda_events.send(event).await;
    }

    /// Waits for the next request of the function.
    pub(crate) async fn next_event(&mut self) -> Option<FunctionEvent> {
        self.function_events.recv().await
    }
}

async fn respond(channels: Arc<Channels>, request: Request<Incoming>) -> Response<Full<Bytes>> {
    let at = Instant::now();
    if request.method() == Method::GET {
        let _ = channels.function_events.send(FunctionEvent::Ready(at));
        return match channels.lambda_events.lock().await.recv().await {
            Some(event) => event_response(event),
            None => status(StatusCode::GONE),
        };
    }
    let is_response = request.uri().path().ends_with("/response");
    let body = request.into_body().collect().await.map(|body| body.to_bytes()).unwrap_or_default();
    let event = if is_response {
        FunctionEvent::Responded(at, body)
    } else {
        FunctionEvent::Failed(String::from_utf8_lossy(&body).into_owned())
    };
    let _ = channels.function_events.send(event);
    status(StatusCode::ACCEPTED)
}

fn status(status: StatusCode) -> Response<Full<Bytes>> {
    let mut response = Response::new(Full::default());
    *response.status_mut() = status;
    response
}

fn event_response(event: Bytes) -> Response<Full<Bytes>> {
    let deadline = Clock::system().now() + TIMEOUT;
    let mut response = Response::new(Full::new(event));
    let headers = response.headers_mut();
    let mut set = |name, value: String| {
        if let Ok(value) = value.try_into() {
            headers.insert(name, value);
        }
    };
    set("content-type", "application/json".to_owned());
    set("lambda-runtime-aws-request-id", "8476a536-e9f4-11e8-9739-2dfe598c3fcd".to_owned());
    set("lambda-runtime-deadline-ms", deadline.as_millisecond().to_string());
    set("lambda-runtime-invoked-function-arn", "arn:aws:lambda:us-east-1:123456789012:function:bench".to_owned());
    response
}
