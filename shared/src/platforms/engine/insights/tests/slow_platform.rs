//! For tests with a paused clock: a platform that takes time for each response.

use crate::outbound::{Failure, Outbound, OutboundRequest, OutboundResponse, Transport};
use crate::platforms::engine::call::{AccountSession, CallContext};
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
    response: fn(&str) -> ScriptedResponse,
}

#[async_trait]
impl Transport for SlowPlatform {
    async fn send(&self, request: OutboundRequest) -> Result<OutboundResponse, Failure> {
        sleep(self.latency).await;
        let (status, body) = (self.response)(&request.url);
        let status = StatusCode::from_u16(status).unwrap();
        Ok(OutboundResponse { status, headers: HeaderMap::new(), body: body.into() })
    }
}

/// The session with a platform that takes so many seconds for the response to each address.
pub(in crate::platforms) fn slow(
    session: AccountSession,
    seconds: u64,
    response: fn(&str) -> ScriptedResponse,
) -> AccountSession {
    let platform = SlowPlatform { latency: Duration::from_secs(seconds), response };
    let outbound = Outbound::with_transport(Arc::new(platform));
    let call = CallContext { outbound, deadline: Instant::now() + TIMEOUT, ..session.call };
    AccountSession { call, ..session }
}
