//! As much of the Lambda Runtime API as one function asks for, and when it asked.

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

/// How long a function is given for one request, by the deadline that it is told.
const TIMEOUT: Duration = Duration::from_secs(29);

/// What a function does that is of interest.
pub(crate) enum Told {
    /// It is ready for a request.
    Ready(Instant),
    /// It has answered one.
    Answered(Instant, Bytes),
    /// It could not start, or could not answer.
    Failed(String),
}

/// The API for one function.
pub(crate) struct RuntimeApi {
    server: Server,
    events: mpsc::Sender<Bytes>,
    told: mpsc::UnboundedReceiver<Told>,
}

struct Ends {
    events: Mutex<mpsc::Receiver<Bytes>>,
    tell: mpsc::UnboundedSender<Told>,
}

impl RuntimeApi {
    pub(crate) async fn start() -> io::Result<RuntimeApi> {
        let (events, received) = mpsc::channel(1);
        let (tell, told) = mpsc::unbounded_channel();
        let ends = Arc::new(Ends { events: Mutex::new(received), tell });
        let server = Server::start(move |request| answer(Arc::clone(&ends), request)).await?;
        Ok(RuntimeApi { server, events, told })
    }

    pub(crate) fn address(&self) -> SocketAddr {
        self.server.address
    }

    /// Hands out an event to whoever asks next.
    pub(crate) async fn hand_out(&self, event: Bytes) {
        // It fails only when nobody listens any more, and then nobody tells anything either.
        let _ = self.events.send(event).await;
    }

    /// What the function does next.
    pub(crate) async fn listen(&mut self) -> Option<Told> {
        self.told.recv().await
    }
}

async fn answer(ends: Arc<Ends>, request: Request<Incoming>) -> Response<Full<Bytes>> {
    let at = Instant::now();
    if request.method() == Method::GET {
        let _ = ends.tell.send(Told::Ready(at));
        return match ends.events.lock().await.recv().await {
            Some(event) => next(event),
            None => status(StatusCode::GONE),
        };
    }
    let is_answer = request.uri().path().ends_with("/response");
    let body = request.into_body().collect().await.map(|body| body.to_bytes()).unwrap_or_default();
    let told = match is_answer {
        true => Told::Answered(at, body),
        false => Told::Failed(String::from_utf8_lossy(&body).into_owned()),
    };
    let _ = ends.tell.send(told);
    status(StatusCode::ACCEPTED)
}

fn status(status: StatusCode) -> Response<Full<Bytes>> {
    let mut response = Response::new(Full::default());
    *response.status_mut() = status;
    response
}

fn next(event: Bytes) -> Response<Full<Bytes>> {
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
