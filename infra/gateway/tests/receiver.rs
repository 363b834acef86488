//! The customer's server. Each path is an endpoint of its own, and remembers every request.

use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use http::{HeaderMap, StatusCode, Uri};
use shared::clock::Clock;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::task::JoinHandle;

/// The paths, by what happens to the first attempt at each event. Later attempts are accepted.
pub(crate) const PATHS: [&str; 4] = [ACCEPTS, REFUSES, LATE, HANGS];
const ACCEPTS: &str = "/accepts";
/// It answers 500.
pub(crate) const REFUSES: &str = "/refuses";
/// It accepts, up to a second later.
const LATE: &str = "/late";
/// It says nothing before the server has recovered.
const HANGS: &str = "/hangs";

/// A request that arrived.
#[derive(Clone, Debug)]
pub(crate) struct ReceivedRequest {
    pub(crate) path: String,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Bytes,
    /// In seconds since 1970.
    pub(crate) at: i64,
    /// The status of the answer; `None` if there was none, because the gateway died first.
    pub(crate) answered: Option<StatusCode>,
}

/// A running server. Dropping it stops it.
pub(crate) struct Receiver {
    pub(crate) url: String,
    state: Arc<ReceiverState>,
    server: JoinHandle<()>,
}

struct ReceiverState {
    log: Mutex<Vec<ReceivedRequest>>,
    has_recovered: watch::Sender<bool>,
}

impl ReceivedRequest {
    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers[name].to_str().unwrap()
    }

    pub(crate) fn is_accepted(&self) -> bool {
        self.answered.is_some_and(|status| status.is_success())
    }

    /// The id of the event.
    pub(crate) fn id(&self) -> &str {
        self.header("webhook-id")
    }
}

impl Receiver {
    pub(crate) async fn start() -> Receiver {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let state = Arc::new(ReceiverState { log: Mutex::default(), has_recovered: watch::Sender::new(false) });
        let app = Router::new().fallback(receive).with_state(Arc::clone(&state));
        let server = tokio::spawn(async move { axum::serve(listener, app).await.unwrap() });
        Receiver { url, state, server }
    }

    /// From now on it accepts every request, those that hang included.
    pub(crate) fn recover(&self) {
        self.state.has_recovered.send_replace(true);
    }

    /// All requests so far, in order.
    pub(crate) fn heard(&self) -> Vec<ReceivedRequest> {
        self.state.log.lock().unwrap().clone()
    }
}

impl Drop for Receiver {
    fn drop(&mut self) {
        self.server.abort();
    }
}

/// A connection that breaks ends this early, so that the request has no answer.
async fn receive(State(state): State<Arc<ReceiverState>>, uri: Uri, headers: HeaderMap, body: Bytes) -> StatusCode {
    let (index, is_first) = {
        let mut log = state.log.lock().unwrap();
        let path = uri.path().to_owned();
        let heard = ReceivedRequest { path, headers, body, at: Clock::system().now().as_second(), answered: None };
        let is_first = !log.iter().any(|earlier| earlier.path == heard.path && earlier.id() == heard.id());
        log.push(heard);
        (log.len() - 1, is_first)
    };
    let mut has_recovered = state.has_recovered.subscribe();
    let is_well = *has_recovered.borrow_and_update();
    let status = match uri.path() {
        REFUSES if is_first && !is_well => StatusCode::INTERNAL_SERVER_ERROR,
        LATE if is_first => {
            tokio::time::sleep(Duration::from_millis(100 * (index as u64 % 11))).await;
            StatusCode::NO_CONTENT
        }
        HANGS if is_first => {
            has_recovered.wait_for(|is_well| *is_well).await.unwrap();
            StatusCode::NO_CONTENT
        }
        _ => StatusCode::NO_CONTENT,
    };
    state.log.lock().unwrap()[index].answered = Some(status);
    status
}
