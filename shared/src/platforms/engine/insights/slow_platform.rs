//! For tests with a paused clock: a platform that takes time for each answer.

use crate::outbound::{Answer, Failure, Outbound, Outgoing, Transport};
use crate::platforms::engine::call::{CallContext, Session};
use crate::platforms::fake::ScriptedResponse;
use async_trait::async_trait;
use http::{HeaderMap, StatusCode};
use std::sync::Arc;
use std::time::Duration;
use tokio::time::{Instant, sleep};

/// The time of a request for its calls.
const TIMEOUT: Duration = Duration::from_secs(25);

#[derive(Debug)]
struct SlowPlatform {
    latency: Duration,
    answer: fn(&str) -> ScriptedResponse,
}

#[async_trait]
impl Transport for SlowPlatform {
    async fn send(&self, outgoing: Outgoing) -> Result<Answer, Failure> {
        sleep(self.latency).await;
        let (status, body) = (self.answer)(&outgoing.url);
        let status = StatusCode::from_u16(status).unwrap();
        Ok(Answer { status, headers: HeaderMap::new(), body: body.into() })
    }
}

/// The session with a platform that takes so many seconds for the answer to each address.
pub(in crate::platforms) fn slow(session: Session, seconds: u64, answer: fn(&str) -> ScriptedResponse) -> Session {
    let platform = SlowPlatform { latency: Duration::from_secs(seconds), answer };
    let outbound = Outbound::with_transport(Arc::new(platform));
    let call = CallContext { outbound, deadline: Instant::now() + TIMEOUT, ..session.call };
    Session { call, ..session }
}
