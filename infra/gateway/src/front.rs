//! One port for all functions: from HTTP to the request that a function takes, and back.

use crate::welcome;
use axum::Router;
use axum::extract::{Request as Incoming, State};
use axum::response::Response as Outgoing;
use axum::serve::ListenerExt;
use http::{HeaderValue, Method, Response, Uri, header};
use http_body_util::BodyExt;
use lambda_http::{Body, Request};
use shared::app::App;
use shared::error::{Error, Kind};
use shared::routes::{self, Function};
use shared::serve::{MAX_BODY_BYTES, PostResponseWork, payload_too_large, reject};
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinHandle;

/// A body over the limit is read on and dropped up to here: a caller who still sends would not read our answer.
const MAX_DISCARDED_BYTES: usize = 10 * 1024 * 1024;
/// How long requests under way may hold up the end.
const LAST_REQUESTS: Duration = Duration::from_secs(5);
/// How long what is left to do for answered requests may hold up the end.
const POST_RESPONSE_TIMEOUT: Duration = Duration::from_secs(3);

/// The open port. Dropped without [`Front::stop`], it closes all the same.
pub(crate) struct Front {
    stop: oneshot::Sender<()>,
    serving: JoinHandle<()>,
    ended: mpsc::Receiver<()>,
}

struct Parts {
    app: Arc<App>,
    welcome: String,
    /// Held by all that is under way, and used for nothing: when the last is dropped, all is done.
    under_way: mpsc::Sender<()>,
}

impl Front {
    /// Begins to answer on a port.
    pub(crate) fn start(listener: TcpListener, app: Arc<App>, welcome: String) -> Front {
        let (stop, stopped) = oneshot::channel();
        let (under_way, ended) = mpsc::channel(1);
        let service = Router::new().fallback(handle).with_state(Arc::new(Parts { app, welcome, under_way }));
        let serving = tokio::spawn(async move {
            let listener = listener.tap_io(|stream| {
                // Without this an answer may wait for the acknowledgement of the one before.
                let _ = stream.set_nodelay(true);
            });
            let until = async {
                let _ = stopped.await;
            };
            if let Err(error) = axum::serve(listener, service).with_graceful_shutdown(until).await {
                tracing::error!(%error, "the gateway stopped answering");
            }
        });
        Front { stop, serving, ended }
    }

    /// Takes no more requests, and waits for those under way and for what their answers leave to do, but not for ever.
    pub(crate) async fn stop(self) {
        let Front { stop, serving, mut ended } = self;
        let _ = stop.send(());
        let ending = serving.abort_handle();
        if tokio::time::timeout(LAST_REQUESTS, serving).await.is_err() {
            tracing::warn!("requests under way did not end in time");
            ending.abort();
        }
        if tokio::time::timeout(POST_RESPONSE_TIMEOUT, ended.recv()).await.is_err() {
            tracing::warn!("what answered requests left to do was not done in time");
        }
    }
}

impl Parts {
    /// Begins with what a response leaves to do. Nobody waits for it but the end.
    fn spawn_post_response(&self, mut response: Response<Body>) -> Response<Body> {
        if let Some(rest) = PostResponseWork::take_from(&mut response) {
            let under_way = self.under_way.clone();
            tokio::spawn(async move {
                rest.run().await;
                drop(under_way);
            });
        }
        response
    }
}

async fn handle(State(front): State<Arc<Parts>>, incoming: Incoming) -> Outgoing {
    let (mut parts, body) = incoming.into_parts();
    if parts.uri.path() == "/" && matches!(parts.method, Method::GET | Method::HEAD) {
        return welcome::response(&front.welcome);
    }
    parts.uri = versioned(parts.uri);
    let app = Arc::clone(&front.app);
    let response = match read(body).await {
        Read::Whole(body) => answer(&front, Request::from_parts(parts, body)).await,
        Read::Endless => {
            let mut response = reject(app, Request::from_parts(parts, Body::Empty), payload_too_large());
            response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
            response
        }
        Read::Broken => {
            let error = Error::field("body", "could not be read to its end");
            reject(app, Request::from_parts(parts, Body::Empty), error)
        }
    };
    outgoing(front.spawn_post_response(response))
}

async fn answer(front: &Arc<Parts>, request: Request) -> Response<Body> {
    let (copy, parts) = (request.clone(), Arc::clone(front));
    // In there, so that it is done for callers who hung up, too.
    let work = async move { parts.spawn_post_response(route(Arc::clone(&parts.app), request).await) };
    guarded(Arc::clone(&front.app), copy, work).await
}

/// Works in a task of its own: as on Lambda, a caller who hangs up does not stop what is under way, and a panic is an
/// answer like any other.
async fn guarded(
    app: Arc<App>,
    request: Request,
    work: impl Future<Output = Response<Body>> + Send + 'static,
) -> Response<Body> {
    tokio::spawn(work).await.unwrap_or_else(|panic| {
        let message = "Something went wrong on our side, and what was done until then is not known: look before you \
                       try again.";
        reject(app, request, Error::new(Kind::Internal, message).caused_by(panic))
    })
}

async fn route(app: Arc<App>, request: Request) -> Response<Body> {
    match function(request.method(), request.uri()) {
        Function::Campaigns => campaigns::answer(app, request).await,
        Function::Connections => connections::answer(app, request).await,
        Function::RedirectUris => redirect_uris::answer(app, request).await,
        Function::ApiKeys => api_keys::answer(app, request).await,
        Function::UsageLogs => usage_logs::answer(app, request).await,
        Function::Billing => billing::answer(app, request).await,
    }
}

/// Who answers.
fn function(method: &Method, uri: &Uri) -> Function {
    routes::find(method.as_str(), uri.path()).function()
}

/// Adds the prefix `/v1`: the local server accepts paths with and without it (D39 in docs/decisions.md).
fn versioned(uri: Uri) -> Uri {
    let path = uri.path();
    if path == "/v1" || path.starts_with("/v1/") || !path.starts_with('/') {
        return uri;
    }
    let path_and_query = uri.path_and_query().map_or("/", |whole| whole.as_str());
    // Only an address at the limit of length fails here; without its prefix it is no route, and so it is answered.
    format!("/v1{path_and_query}").parse().unwrap_or(uri)
}

/// What became of a request's body.
#[derive(Debug)]
enum Read {
    Whole(Body),
    /// So large that reading on makes no sense.
    Endless,
    Broken,
}

async fn read(mut body: axum::body::Body) -> Read {
    let (mut kept, mut seen) = (Vec::new(), 0_usize);
    while let Some(frame) = body.frame().await {
        let Ok(frame) = frame else { return Read::Broken };
        // The other kind of frame are trailers, which nobody here reads.
        let Ok(data) = frame.into_data() else { continue };
        seen = seen.saturating_add(data.len());
        if seen > MAX_DISCARDED_BYTES {
            return Read::Endless;
        }
        // One byte over the limit is enough for the function to see that it is over.
        let room = (MAX_BODY_BYTES + 1).saturating_sub(kept.len()).min(data.len());
        kept.extend_from_slice(&data[..room]);
    }
    Read::Whole(body_of(kept))
}

/// As API Gateway hands it on: text where it is text.
fn body_of(bytes: Vec<u8>) -> Body {
    if bytes.is_empty() {
        return Body::Empty;
    }
    String::from_utf8(bytes).map_or_else(|error| Body::Binary(error.into_bytes()), Body::Text)
}

fn outgoing(response: Response<Body>) -> Outgoing {
    response.map(|body| match body {
        Body::Text(text) => axum::body::Body::from(text),
        other => axum::body::Body::from(other.to_vec()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Options, SandboxChoice, Storage};

    async fn read_bytes(length: usize) -> Read {
        read(axum::body::Body::from(vec![b'x'; length])).await
    }

    #[test]
    fn an_address_is_the_same_with_and_without_its_version() {
        for (sent, routed) in [
            ("/campaigns?limit=2&x=%2F", "/v1/campaigns?limit=2&x=%2F"),
            ("/v1/campaigns?limit=2", "/v1/campaigns?limit=2"),
            ("/v1", "/v1"),
            ("/v10/campaigns", "/v1/v10/campaigns"),
            ("http://127.0.0.1:8080/connections", "/v1/connections"),
            ("*", "*"),
        ] {
            assert_eq!(versioned(sent.parse().unwrap()).to_string(), routed, "{sent}");
        }
    }

    #[test]
    fn every_route_finds_its_function_and_the_rest_goes_to_campaigns() {
        for route in routes::ROUTES {
            let path = route.path.replace("{platform}", "alpha_ads").replace("{id}", "alpha_1_2");
            let method = route.method.parse().unwrap();
            assert_eq!(function(&method, &path.parse().unwrap()), route.endpoint.function(), "{} {path}", route.method);
        }
        let query = Method::from_bytes(b"QUERY").unwrap();
        assert_eq!(function(&query, &"/v1/connections".parse().unwrap()), Function::Campaigns);
    }

    #[test]
    fn a_body_is_text_where_it_is_text() {
        assert!(matches!(body_of(Vec::new()), Body::Empty));
        assert!(matches!(body_of("ü".into()), Body::Text(text) if text == "ü"));
        assert!(matches!(body_of(vec![0xff]), Body::Binary(bytes) if bytes == [0xff]));
    }

    #[tokio::test]
    async fn a_panic_is_answered_in_our_shape() {
        let sandbox = SandboxChoice::Start { port: 0 };
        let gateway = crate::start(Options { port: 0, sandbox, storage: Storage::Memory }).await.unwrap();
        let app = Arc::clone(&gateway.app);
        let response = guarded(app, Request::default(), async { panic!("for the test") }).await;
        assert_eq!(response.status(), 500);
        let body: serde_json::Value = serde_json::from_slice(response.body()).unwrap();
        assert_eq!((&body["code"], &body["retryable"]), (&"INTERNAL_ERROR".into(), &false.into()), "{body}");
    }

    #[tokio::test]
    async fn a_body_is_read_up_to_the_limit_and_not_beyond() {
        assert!(
            matches!(read_bytes(MAX_BODY_BYTES).await, Read::Whole(Body::Text(text)) if text.len() == MAX_BODY_BYTES)
        );
        let over = read_bytes(2 * MAX_BODY_BYTES).await;
        assert!(matches!(over, Read::Whole(Body::Text(text)) if text.len() == MAX_BODY_BYTES + 1));
        assert!(matches!(read_bytes(MAX_DISCARDED_BYTES + 1).await, Read::Endless));
    }
}
