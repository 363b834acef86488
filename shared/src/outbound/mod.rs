//! Calls to other hosts: one HTTP client, a deadline and a size limit, no redirects, no secrets in errors.

mod breaker;
mod breakers;
mod call_policy;
mod header_recorder;
mod http_transport;
mod message;
pub mod public;
mod retry_after;
mod retry_budget;
mod write_recorder;

pub use breaker::{CalledAccount, Protected};
pub use breakers::Breakers;
pub use header_recorder::HeaderRecorder;
pub(crate) use http_transport::client;
pub use message::{Failure, OpenBreaker, OutboundRequest, OutboundResponse, secret_header};
pub use retry_after::{LONGEST_WAIT, retry_wait, seconds};
pub use write_recorder::WriteRecorder;

use crate::request_context;
use crate::timing::{RequestTimers, WaitTimer};
use async_trait::async_trait;
use call_policy::CallPolicy;
use http::Method;
use http_transport::HttpTransport;
use std::sync::Arc;
use tokio::time::{Instant, timeout_at};
use uuid::Uuid;

/// Sends requests to other hosts.
#[derive(Clone, Debug)]
pub struct Outbound {
    transport: Arc<dyn Transport>,
    timer: fn(&RequestTimers) -> &WaitTimer,
    policy: Option<CallPolicy>,
    recorder: Option<HeaderRecorder>,
    write_guard: Option<WriteGuard>,
    write_recorder: Option<WriteRecorder>,
}

/// Decides immediately before each write whether the write may still be sent.
#[derive(Clone)]
struct WriteGuard(Arc<dyn Fn() -> bool + Send + Sync>);

impl std::fmt::Debug for WriteGuard {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("WriteGuard")
    }
}

/// Sends a request and receives its response: the HTTP client, or a simulated network.
#[async_trait]
pub trait Transport: Send + Sync + std::fmt::Debug {
    /// Sends once and reads the whole response, without a time limit. Safe to drop at any point.
    async fn send(&self, request: OutboundRequest) -> Result<OutboundResponse, Failure>;

    /// A random number, for jitter. A simulated network supplies a reproducible one.
    fn random(&self) -> u64 {
        Uuid::new_v4().as_u64_pair().1
    }
}

impl Outbound {
    /// Uses an HTTP client of its own.
    pub fn new() -> Result<Outbound, Box<dyn std::error::Error + Send + Sync>> {
        Ok(Outbound::over(client()?))
    }

    /// Uses an HTTP client that exists.
    pub(crate) fn over(client: reqwest::Client) -> Outbound {
        Outbound::with_transport(Arc::new(HttpTransport { client }))
    }

    /// Uses another transport.
    pub fn with_transport(transport: Arc<dyn Transport>) -> Outbound {
        Outbound {
            transport,
            timer: |timers| &timers.platform,
            policy: None,
            recorder: None,
            write_guard: None,
            write_recorder: None,
        }
    }

    /// Counts the time of each call as time spent on the payment provider, not on ad platforms.
    pub fn to_payments(&self) -> Outbound {
        Outbound { timer: |timers| &timers.payments, ..self.clone() }
    }

    /// Applies the policy for calls in an ad account: circuit breakers, a timeout per attempt, and retries of reads.
    ///
    /// `is_broken` separates answers that report a failure of the platform from refusals. Token endpoints must not use
    /// this policy: a token request that is cut short or repeated can cost the grant.
    pub fn with_call_policy(
        &self,
        breakers: &Arc<Breakers>,
        account: CalledAccount,
        is_broken: fn(&OutboundResponse) -> bool,
    ) -> Outbound {
        let policy = CallPolicy { breakers: Arc::clone(breakers), account, is_broken };
        Outbound { policy: Some(policy), ..self.clone() }
    }

    /// Records the headers of every response.
    pub fn with_recorder(&self, recorder: &HeaderRecorder) -> Outbound {
        Outbound { recorder: Some(recorder.clone()), ..self.clone() }
    }

    /// Sends a write only if `may_write` returns `true` immediately before. A deadline is not enough: a frozen process
    /// freezes its timers too.
    pub fn with_write_guard(&self, may_write: impl Fn() -> bool + Send + Sync + 'static) -> Outbound {
        Outbound { write_guard: Some(WriteGuard(Arc::new(may_write))), ..self.clone() }
    }

    /// Records every write in place of sending it, and answers as the recorder assumes.
    pub fn with_write_recorder(&self, recorder: &WriteRecorder) -> Outbound {
        Outbound { write_recorder: Some(recorder.clone()), ..self.clone() }
    }

    /// Sends and reads the whole response before the deadline. Only GET is ever sent more than once.
    pub async fn send(&self, request: OutboundRequest, deadline: Instant) -> Result<OutboundResponse, Failure> {
        let is_read = request.method == Method::GET;
        if let (false, Some(recorder)) = (is_read, &self.write_recorder) {
            return recorder.record(request);
        }
        if !is_read && self.write_guard.as_ref().is_some_and(|guard| !(guard.0)()) {
            return Err(Failure::NotSent);
        }
        match &self.policy {
            Some(policy) if is_read => self.read(policy, request, deadline).await,
            Some(policy) => self.write(policy, request, deadline).await,
            None => self.send_once(request, deadline).await,
        }
    }

    /// Sends a request that changes nothing, whatever its method.
    pub async fn query(&self, request: OutboundRequest, deadline: Instant) -> Result<OutboundResponse, Failure> {
        match &self.policy {
            Some(policy) => self.read(policy, request, deadline).await,
            None => self.send_once(request, deadline).await,
        }
    }

    async fn send_once(&self, request: OutboundRequest, deadline: Instant) -> Result<OutboundResponse, Failure> {
        // A call delayed past its deadline must not be sent: its caller has already given up.
        if Instant::now() >= deadline {
            return Err(Failure::NotSent);
        }
        let _wait = request_context::begin(self.timer);
        let outcome = timeout_at(deadline, self.transport.send(request)).await.unwrap_or(Err(Failure::TimedOut));
        if let (Some(recorder), Ok(response)) = (&self.recorder, &outcome) {
            recorder.record(&response.headers);
        }
        outcome
    }
}
