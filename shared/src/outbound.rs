//! The only place that calls another host: one client, a deadline, a size cap, no redirects, no secrets in errors.

mod attempts;
mod breaker;
mod breaker_state;
mod budget;
mod header_recorder;

pub use breaker_state::BreakerState;
pub use header_recorder::HeaderRecorder;

use crate::request_context;
use crate::timing::{RequestTimers, WaitTimer};
use async_trait::async_trait;
use attempts::CallPolicy;
use bytes::{Bytes, BytesMut};
use http::header::InvalidHeaderValue;
use http::{HeaderMap, HeaderValue, Method, StatusCode};
use std::sync::Arc;
use std::time::Duration;
use tokio::time::Instant;
use uuid::Uuid;

/// Longest answer that is read. A page of a hundred campaigns is far below it.
const MAX_ANSWER_BYTES: usize = 8 * 1024 * 1024;
/// How long a connection may take to come up.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(2);

/// The way to other hosts.
#[derive(Clone, Debug)]
pub struct Outbound {
    transport: Arc<dyn Transport>,
    timer: fn(&RequestTimers) -> &WaitTimer,
    policy: Option<CallPolicy>,
    recorder: Option<HeaderRecorder>,
    limit: Option<Limit>,
}

/// Says whether something may still be changed.
#[derive(Clone)]
struct Limit(Arc<dyn Fn() -> bool + Send + Sync>);

impl std::fmt::Debug for Limit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Limit")
    }
}

/// What carries a request and brings its answer: the HTTP client, or a simulated network.
#[async_trait]
pub trait Transport: Send + Sync + std::fmt::Debug {
    /// Sends once and reads the whole answer, however long that takes. May be dropped at any time.
    async fn carry(&self, outgoing: Outgoing) -> Result<Answer, Failure>;

    /// A random number, by which callers do not come back all at once. A simulated network has its own.
    fn draw(&self) -> u64 {
        Uuid::new_v4().as_u64_pair().1
    }
}

/// The HTTP client.
#[derive(Debug)]
struct Http {
    client: reqwest::Client,
}

/// A request to another host. Neither the query nor the body prints: a code or a token may be in both.
#[derive(Clone)]
pub struct Outgoing {
    /// Method.
    pub method: Method,
    /// Whole address.
    pub url: String,
    /// Headers; those with secrets are marked sensitive by their maker.
    pub headers: HeaderMap,
    /// Body, empty for none.
    pub body: Bytes,
}

/// A header value that no log shows: for tokens and client secrets.
pub fn secret_header(text: &str) -> Result<HeaderValue, InvalidHeaderValue> {
    let mut value = HeaderValue::from_str(text)?;
    value.set_sensitive(true);
    Ok(value)
}

/// An answer, whatever its status. Only the length of its body prints: there may be a token in it.
#[derive(Clone)]
pub struct Answer {
    /// Status.
    pub status: StatusCode,
    /// Headers.
    pub headers: HeaderMap,
    /// Whole body.
    pub body: Bytes,
}

impl std::fmt::Debug for Outgoing {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Outgoing { method, url, headers: _, body } = self;
        let address = url.split('?').next().unwrap_or_default();
        f.debug_struct("Outgoing")
            .field("method", method)
            .field("address", &address)
            .field("bytes", &body.len())
            .finish_non_exhaustive()
    }
}

impl std::fmt::Debug for Answer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Answer { status, headers: _, body } = self;
        f.debug_struct("Answer").field("status", status).field("bytes", &body.len()).finish_non_exhaustive()
    }
}

/// Why there is no answer: the difference decides whether a write may have happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Failure {
    /// The request never left: nothing can have happened there.
    NotSent,
    /// It was sent and no answer came in time: anything may have happened.
    TimedOut,
    /// It was sent and the connection broke, or the answer could not be read whole.
    Broken,
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Failure::NotSent => "the request could not be sent",
            Failure::TimedOut => "no answer in time",
            Failure::Broken => "the answer broke off",
        })
    }
}

impl std::error::Error for Failure {}

/// An HTTP client: TLS on ring with the Mozilla roots, no redirects, no proxy, no cookies.
#[expect(clippy::disallowed_methods, reason = "this is the one place that makes HTTP clients")]
pub(crate) fn client() -> Result<reqwest::Client, Box<dyn std::error::Error + Send + Sync>> {
    let roots = rustls::RootCertStore { roots: webpki_roots::TLS_SERVER_ROOTS.to_vec() };
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let tls = rustls::ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()?
        .with_root_certificates(roots)
        .with_no_client_auth();
    let client = reqwest::Client::builder()
        .tls_backend_preconfigured(tls)
        .redirect(reqwest::redirect::Policy::none())
        .no_proxy()
        .connect_timeout(CONNECT_TIMEOUT)
        .user_agent(concat!("unified-ads/", env!("CARGO_PKG_VERSION")));
    Ok(client.build()?)
}

impl Outbound {
    /// Builds the client.
    pub fn new() -> Result<Outbound, Box<dyn std::error::Error + Send + Sync>> {
        Ok(Outbound::over(Arc::new(Http { client: client()? })))
    }

    /// The same over another transport.
    pub fn over(transport: Arc<dyn Transport>) -> Outbound {
        Outbound { transport, timer: |timers| &timers.platform, policy: None, recorder: None, limit: None }
    }

    /// The same to the payment provider: waiting for it is told from waiting for platforms.
    pub fn to_payments(&self) -> Outbound {
        Outbound { timer: |timers| &timers.payments, ..self.clone() }
    }

    /// The same for calls in the ad accounts of one platform: they spare it while it fails, take no longer than they
    /// should, and what only reads is sent again where that may help. Never for a token endpoint: there a call that is
    /// given up early, or sent twice, may cost the grant.
    ///
    /// `is_broken` tells an answer by which the platform says that it failed from one by which it refuses.
    pub fn to(&self, breaker: &Arc<BreakerState>, is_broken: fn(&Answer) -> bool) -> Outbound {
        Outbound { policy: Some(CallPolicy { breaker: Arc::clone(breaker), is_broken }), ..self.clone() }
    }

    /// The same for one piece of work: the headers of every answer are kept for whoever asked for it.
    pub fn recorded_by(&self, recorder: &HeaderRecorder) -> Outbound {
        Outbound { recorder: Some(recorder.clone()), ..self.clone() }
    }

    /// The same for work that may change something only for some time: what is asked directly before each write, and
    /// says no, keeps it from being sent. A deadline would not do: a process may stand still, and its timers with it.
    pub fn only_while(&self, may_write: impl Fn() -> bool + Send + Sync + 'static) -> Outbound {
        Outbound { limit: Some(Limit(Arc::new(may_write))), ..self.clone() }
    }

    /// Sends and reads the whole answer before the deadline. What may change something is sent once.
    pub async fn send(&self, outgoing: Outgoing, deadline: Instant) -> Result<Answer, Failure> {
        let is_read = outgoing.method == Method::GET;
        if !is_read && self.limit.as_ref().is_some_and(|limit| !(limit.0)()) {
            return Err(Failure::NotSent);
        }
        match &self.policy {
            Some(policy) if is_read => self.read(policy, outgoing, deadline).await,
            Some(policy) => self.write(policy, outgoing, deadline).await,
            None => self.once(outgoing, deadline).await,
        }
    }

    /// The same for what only reads, whatever its method says.
    pub async fn query(&self, outgoing: Outgoing, deadline: Instant) -> Result<Answer, Failure> {
        match &self.policy {
            Some(policy) => self.read(policy, outgoing, deadline).await,
            None => self.once(outgoing, deadline).await,
        }
    }

    async fn once(&self, outgoing: Outgoing, deadline: Instant) -> Result<Answer, Failure> {
        // Who was held up until nobody waits for him any more sends nothing.
        if Instant::now() >= deadline {
            return Err(Failure::NotSent);
        }
        let _wait = request_context::begin(self.timer);
        let outcome = tokio::time::timeout_at(deadline, self.transport.carry(outgoing)).await;
        let outcome = outcome.unwrap_or(Err(Failure::TimedOut));
        if let (Some(recorder), Ok(answer)) = (&self.recorder, &outcome) {
            recorder.note(&answer.headers);
        }
        outcome
    }
}

#[async_trait]
impl Transport for Http {
    async fn carry(&self, outgoing: Outgoing) -> Result<Answer, Failure> {
        let request = self.client.request(outgoing.method, outgoing.url).headers(outgoing.headers).body(outgoing.body);
        receive(request).await
    }
}

async fn receive(request: reqwest::RequestBuilder) -> Result<Answer, Failure> {
    let mut response = request.send().await.map_err(|error| classify(&error))?;
    let status = response.status();
    let headers = std::mem::take(response.headers_mut());
    let mut body = BytesMut::new();
    while let Some(chunk) = response.chunk().await.map_err(|_| Failure::Broken)? {
        if body.len() + chunk.len() > MAX_ANSWER_BYTES {
            return Err(Failure::Broken);
        }
        body.extend_from_slice(&chunk);
    }
    Ok(Answer { status, headers, body: body.freeze() })
}

// The error itself is dropped: it carries the address, and an address may carry a code or a token.
fn classify(error: &reqwest::Error) -> Failure {
    if error.is_connect() || error.is_builder() {
        Failure::NotSent
    } else if error.is_timeout() {
        Failure::TimedOut
    } else {
        Failure::Broken
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{Read, Write};

    /// The address of a peer that answers any one request with these bytes, again and again until nobody listens.
    fn peer(head: &'static str, block: Vec<u8>) -> String {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}/", listener.local_addr().unwrap());
        std::thread::spawn(move || {
            let (mut stream, _) = listener.accept().unwrap();
            let _ = stream.read(&mut [0; 4096]);
            let _ = stream.write_all(head.as_bytes());
            while !block.is_empty() && stream.write_all(&block).is_ok() {}
        });
        url
    }

    async fn get(url: String) -> Result<Answer, Failure> {
        let outgoing = Outgoing { method: Method::GET, url, headers: HeaderMap::new(), body: Bytes::new() };
        Outbound::new().unwrap().send(outgoing, Instant::now() + Duration::from_secs(20)).await
    }

    #[tokio::test]
    async fn an_answer_of_100_mb_is_given_up_long_before_its_end() {
        let head = "HTTP/1.1 200 OK\r\ncontent-length: 104857600\r\n\r\n";
        assert_eq!(get(peer(head, vec![b' '; 65_536])).await.unwrap_err(), Failure::Broken);
    }

    #[test]
    fn what_is_sent_and_answered_does_not_print() {
        let headers = HeaderMap::from_iter([(http::header::AUTHORIZATION, "Bearer canary".parse().unwrap())]);
        let body = Bytes::from_static(b"canary");
        let url = "https://platform.example/token?code=canary".to_owned();
        let outgoing = Outgoing { method: Method::POST, url, headers: headers.clone(), body: body.clone() };
        let answer = Answer { status: StatusCode::OK, headers, body };
        let shown = format!("{outgoing:?} {answer:?}");
        assert!(shown.contains("platform.example/token") && !shown.contains("canary"), "{shown}");
    }

    #[tokio::test]
    async fn a_redirect_is_an_answer_and_is_not_followed() {
        let head = "HTTP/1.1 302 Found\r\nlocation: http://169.254.169.254/\r\ncontent-length: 0\r\n\r\n";
        assert_eq!(get(peer(head, Vec::new())).await.unwrap().status, StatusCode::FOUND);
    }

    #[tokio::test]
    async fn what_was_never_sent_is_told_from_what_broke_off() {
        let cut = "HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhalf";
        assert_eq!(get(peer(cut, Vec::new())).await.unwrap_err(), Failure::Broken);
        assert_eq!(get(peer("", Vec::new())).await.unwrap_err(), Failure::Broken);
        let closed = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
        assert_eq!(get(format!("http://{closed}/")).await.unwrap_err(), Failure::NotSent);
    }
}
