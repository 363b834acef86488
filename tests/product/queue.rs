//! The queue of a product: it delivers each message at least once, and again while an answer is not final.

use super::Product;
use crate::in_process::engine::{Straight, client_over};
use crate::in_process::event_log::EventLog;
use crate::in_process::faults::FaultPlan;
use crate::in_process::network::Network;
use crate::in_process::process::Process;
use crate::in_process::{World, json_of, respond};
use async_trait::async_trait;
use http::Method;
use lambda_http::Request;
use serde_json::Value;
use shared::app::App;
use shared::outbound::{Failure, OutboundRequest, OutboundResponse, Transport};
use shared::serve::PostResponseWork;
use std::future::pending;
use std::sync::Arc;
use tokio::time::{Duration, sleep};

/// The header that names the user.
const USER: &str = "x-external-ref";
/// Deliveries of one message before the queue gives up.
const MAX_DELIVERIES: usize = 100;
/// Wait before the next delivery when the answer names none.
const DEFAULT_WAIT: Duration = Duration::from_secs(3);

/// A request for one shop.
#[derive(Clone, Debug)]
pub(super) struct Message {
    pub(super) shop: String,
    /// Every shop has the same keys: a key belongs to its user.
    pub(super) key: Option<&'static str>,
    pub(super) method: &'static str,
    pub(super) path: String,
    pub(super) body: Value,
}

/// An answer.
#[derive(Debug)]
pub(super) struct Answer {
    pub(super) status: u16,
    pub(super) body: Value,
    /// The answer to an earlier delivery.
    pub(super) is_replay: bool,
    wait: Duration,
}

impl Answer {
    /// Whether the queue delivers again: the request is under way, throttled, or its outcome is not known.
    fn is_to_repeat(&self) -> bool {
        matches!(self.status, 409 | 429 | 500..)
    }
}

/// The moment at which a process dies: at its first write to a platform.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Death {
    BeforeTheWrite,
    AfterTheWrite,
}

/// The network of a process that dies at its first write to a platform.
struct DeadlyNetwork {
    network: Network,
    process: Process,
    death: Death,
}

impl std::fmt::Debug for DeadlyNetwork {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("DeadlyNetwork")
    }
}

#[async_trait]
impl Transport for DeadlyNetwork {
    async fn send(&self, request: OutboundRequest) -> Result<OutboundResponse, Failure> {
        if request.method == Method::GET {
            return self.network.send(request).await;
        }
        if self.death == Death::AfterTheWrite {
            drop(self.network.send(request).await);
        }
        self.process.kill();
        pending().await
    }
}

impl Message {
    fn request(&self, world: &World) -> Request {
        let headers = [Some((USER, self.shop.as_str())), self.key.map(|key| ("idempotency-key", key))];
        let headers: Vec<_> = headers.into_iter().flatten().collect();
        let body = if self.body.is_null() { String::new() } else { self.body.to_string() };
        world.request(self.method, &self.path, &headers, &body)
    }
}

impl Product {
    /// Delivers a message once.
    pub(super) async fn deliver(&self, message: &Message) -> Answer {
        send(&self.app, message.request(&self.world)).await
    }

    /// Delivers a message until its answer is final.
    pub(super) async fn deliver_until_done(&self, message: &Message) -> Answer {
        for _ in 0..MAX_DELIVERIES {
            let answer = self.deliver(message).await;
            if !answer.is_to_repeat() {
                return answer;
            }
            sleep(answer.wait).await;
        }
        panic!("no final answer after {MAX_DELIVERIES} deliveries: {message:?}");
    }

    /// Delivers a message to a process that dies of it.
    pub(super) async fn deliver_to_its_death(&self, message: &Message, death: Death) {
        let process = Process::new(&message.shop, FaultPlan::none(), &EventLog::new(false));
        let network = Network(self.world.sandbox.clone());
        let network = Arc::new(DeadlyNetwork { network, process: process.clone(), death });
        let app = Arc::new(self.world.app(client_over(Straight(self.world.database.clone())), network));
        let answered = process.run(respond(&app, message.request(&self.world))).await;
        assert!(answered.is_none(), "{message:?} has not reached its platform: {answered:?}");
    }

    /// The answer to a request with the key that approves.
    pub(super) async fn as_approver(&self, message: &Message) -> Answer {
        send(&self.app, message.request(&self.approver)).await
    }
}

async fn send(app: &Arc<App>, request: Request) -> Answer {
    // A token of the rate limit each time.
    sleep(Duration::from_millis(10)).await;
    let mut response = respond(app, request).await;
    if let Some(rest) = PostResponseWork::take_from(&mut response) {
        rest.run().await;
    }
    let header = |name: &str| response.headers().get(name).and_then(|value| value.to_str().ok());
    let wait = header("retry-after").and_then(|seconds| seconds.parse().ok()).map_or(DEFAULT_WAIT, Duration::from_secs);
    let is_replay = header("idempotent-replayed").is_some();
    let body = if response.body().is_empty() { Value::Null } else { json_of(response.body()) };
    Answer { status: response.status().as_u16(), body, is_replay, wait }
}
