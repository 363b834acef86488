//! The two ways out of a process, both of which can fail: to the table, and to the platforms.

use super::point::{Fate, Fault, Peer};
use super::process::Process;
use crate::in_process::engine::{operation, serve};
use crate::in_process::network::ask;
use async_trait::async_trait;
use aws_smithy_runtime_api::client::http::{HttpConnector, HttpConnectorFuture};
use aws_smithy_runtime_api::client::orchestrator::{HttpRequest, HttpResponse};
use aws_smithy_runtime_api::client::result::ConnectorError;
use bytes::Bytes;
use dynoxide::Database;
use http::{HeaderMap, Method, StatusCode};
use sandbox::Inside;
use serde_json::json;
use shared::outbound::{Answer, Failure, Outgoing, Transport};
use std::future::{Future, pending};
use tokio::sync::oneshot;
use tokio::time::{Duration, Instant, sleep, sleep_until, timeout};

/// How long the store's client waits for one attempt.
const STORE_PATIENCE: Duration = Duration::from_secs(3);
/// How long the store's client waits before the next attempt.
const STORE_PAUSE: Duration = Duration::from_millis(50);

/// What nobody waits for any more is carried out after this at the latest.
///
/// It is a known limit that a platform which carries out a create more than 30 s after the caller's connection ended
/// is not waited for: what it makes then is found only by a retry with the key. No run has that but those of [`Fault::TooLate`].
const BELATED: Duration = Duration::from_secs(28);

/// And what is too late after this.
const TOO_LATE: Duration = Duration::from_secs(100);

/// What came of a call.
enum Carried<T> {
    Answer(T),
    /// Said to be broken; nothing was done.
    Refused,
    /// Asked to leave it alone; nothing was done.
    Throttled,
    /// Nobody was reached.
    NotSent,
    /// The connection broke.
    Broken,
}

/// Carries one call of a process. What has left it is carried out whether or not anybody waits for it.
async fn carry<T: Send + 'static>(
    process: &Process,
    peer: Peer,
    name: &str,
    act: impl Future<Output = T> + Send + 'static,
) -> Carried<T> {
    process.unless_dead().await;
    let (number, fate) = process.fates().next(peer, name);
    match fate.fault {
        None => process.note(&format!("{number} {name}")),
        Some(fault) => process.note(&format!("{number} {name}: {fault:?}")),
    }
    match fate.fault {
        Some(Fault::KilledBefore) => process.kill(),
        Some(fault @ (Fault::Error | Fault::Throttled)) => {
            sleep(fate.there + fate.back).await;
            process.unless_dead().await;
            return if fault == Fault::Error { Carried::Refused } else { Carried::Throttled };
        }
        Some(Fault::NotSent) => return Carried::NotSent,
        Some(Fault::Unheard) => pending().await,
        _ => {}
    }
    process.unless_dead().await;
    let answered = send(process, &fate, act);
    if matches!(fate.fault, Some(Fault::LateBroken | Fault::TooLate)) {
        return Carried::Broken;
    }
    let Ok(answer) = answered.await else { return pending().await };
    match fate.fault {
        Some(Fault::KilledAfter) => process.kill(),
        Some(Fault::Silent | Fault::LateSilent) => pending().await,
        Some(Fault::StandsStill) => process.stand_still(fate.still).await,
        _ => sleep(fate.back).await,
    }
    process.unless_dead().await;
    if fate.fault == Some(Fault::Lost) { Carried::Broken } else { Carried::Answer(answer) }
}

/// Puts a call on its way.
fn send<T: Send + 'static>(
    process: &Process,
    fate: &Fate,
    act: impl Future<Output = T> + Send + 'static,
) -> oneshot::Receiver<T> {
    let is_late = matches!(fate.fault, Some(Fault::LateBroken | Fault::LateSilent));
    let is_too_late = fate.fault == Some(Fault::TooLate);
    let there = Instant::now() + if is_late { fate.late } else { fate.there };
    let over = process.over_at() + BELATED;
    let (mut send, answered) = oneshot::channel();
    tokio::spawn(async move {
        tokio::select! {
            biased;
            () = sleep(TOO_LATE), if is_too_late => {}
            () = sleep_until(there.min(over)), if !is_too_late => {}
            () = send.closed(), if !is_too_late => sleep_until(there.min(over).min(Instant::now() + BELATED)).await,
        }
        let _ = send.send(act.await);
    });
    answered
}

/// A process's way to the table.
#[derive(Clone)]
pub(super) struct StoreWire {
    pub(super) process: Process,
    pub(super) database: Database,
    /// Whether the client tries again, as the real one does, or every failure is seen.
    pub(super) attempts: u32,
}

impl std::fmt::Debug for StoreWire {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("StoreWire")
    }
}

impl HttpConnector for StoreWire {
    fn call(&self, request: HttpRequest) -> HttpConnectorFuture {
        let wire = self.clone();
        HttpConnectorFuture::new(async move {
            let mut outcome = wire.attempt(&request).await;
            for _ in 1..wire.attempts {
                let is_final = outcome.as_ref().is_ok_and(|answer| answer.status().as_u16() < 500);
                if is_final {
                    break;
                }
                sleep(STORE_PAUSE).await;
                outcome = wire.attempt(&request).await;
            }
            outcome
        })
    }
}

impl StoreWire {
    async fn attempt(&self, request: &HttpRequest) -> Result<HttpResponse, ConnectorError> {
        let copy = request.try_clone().expect("a request in memory");
        let (database, name) = (self.database.clone(), name_of(request));
        let carried = carry(&self.process, Peer::Store, &name, async move { serve(&database, &copy) });
        match timeout(STORE_PATIENCE, carried).await {
            Ok(Carried::Answer(answer)) => Ok(answer),
            Ok(Carried::Refused | Carried::Throttled) => {
                let body = r#"{"__type":"com.amazonaws.dynamodb.v20120810#InternalServerError"}"#;
                Ok(HttpResponse::new(500.try_into().expect("a status"), body.to_owned().into()))
            }
            Ok(Carried::NotSent | Carried::Broken) => Err(ConnectorError::io("the connection broke".into())),
            Err(_) => Err(ConnectorError::timeout("no answer in time".into())),
        }
    }
}

/// The operation, and the first kinds of records that it is about.
fn name_of(request: &HttpRequest) -> String {
    let body = String::from_utf8_lossy(request.body().bytes().unwrap_or_default()).into_owned();
    let records = body.split(r#""sk":{"S":""#).skip(1);
    let mut kinds: Vec<&str> = records.filter_map(|rest| rest.split(['#', '"']).next()).collect();
    kinds.dedup();
    kinds.extend(body.contains(r#"{"S":"LINK#"}"#).then_some("LINK"));
    let is_due = body.contains("due_kind = :kind AND");
    let due = body.split(r#"":kind":{"S":""#).nth(1).and_then(|rest| rest.split('"').next());
    kinds.extend(due.filter(|_| is_due));
    format!("{} {}", operation(request), kinds.join("+"))
}

/// A process's way to the platforms.
pub(super) struct PlatformWire {
    pub(super) process: Process,
    pub(super) sandbox: Inside,
}

impl std::fmt::Debug for PlatformWire {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("PlatformWire")
    }
}

/// The address without host and query.
fn path_of(outgoing: &Outgoing) -> &str {
    outgoing.url.split('?').next().unwrap_or_default().trim_start_matches("http://sandbox")
}

#[async_trait]
impl Transport for PlatformWire {
    async fn send(&self, outgoing: Outgoing) -> Result<Answer, Failure> {
        let name = format!("{} {}", outgoing.method, path_of(&outgoing));
        let (sandbox, throttled) = (self.sandbox.clone(), outgoing.clone());
        match carry(&self.process, Peer::Platform, &name, async move { ask(&sandbox, outgoing).await }).await {
            Carried::Answer(Some(answer)) => Ok(answer),
            Carried::Refused => {
                let (status, headers) = (StatusCode::SERVICE_UNAVAILABLE, HeaderMap::new());
                Ok(Answer { status, headers, body: Bytes::from_static(b"down") })
            }
            Carried::Throttled => {
                let word = path_of(&throttled).trim_start_matches('/').split('/').next().unwrap_or_default();
                let order = json!({"platform": word, "operation": "any", "fault": "throttle", "times": 1});
                let control = Outgoing {
                    method: Method::POST,
                    url: "http://sandbox/_sandbox/faults".to_owned(),
                    headers: HeaderMap::new(),
                    body: order.to_string().into(),
                };
                ask(&self.sandbox, control).await;
                ask(&self.sandbox, throttled).await.ok_or(Failure::Broken)
            }
            Carried::NotSent => Err(Failure::NotSent),
            Carried::Broken | Carried::Answer(None) => Err(Failure::Broken),
        }
    }

    fn random(&self) -> u64 {
        self.process.fates().draw()
    }
}
