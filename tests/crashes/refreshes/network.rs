//! HTTP transport to the platform, with slow and lost requests and responses.

use super::platform::{TokenResponse, latency};
use super::state::{Holder, StateHandle};
use async_trait::async_trait;
use bytes::Bytes;
use http::{HeaderMap, StatusCode};
use serde_json::{Value, json};
use shared::outbound::{Failure, OutboundRequest, OutboundResponse, Transport};
use std::future::pending;
use tokio::sync::oneshot;
use tokio::time::{Duration, sleep, timeout};

/// Transport of one process.
pub(super) struct Network {
    pub(super) holder: Holder,
    pub(super) state: StateHandle,
}

impl std::fmt::Debug for Network {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Network")
    }
}

/// Delays and faults of one call.
struct Delivery {
    request_delay: Duration,
    work: Duration,
    response_delay: Duration,
    request_is_lost: bool,
    answer_is_lost: bool,
    /// A lost call fails at once; otherwise it never returns.
    breaks: bool,
    is_down: bool,
    /// Time from the request's arrival until the connection breaks, even if the platform is still working.
    breaks_after: Option<Duration>,
    /// Time from sending the call until the process dies.
    dies_after: Option<Duration>,
}

impl Network {
    fn delivery(&self) -> Delivery {
        let mut state = self.state.lock();
        let faults = state.faults;
        let random = &mut state.random;
        let request_delay = latency(random, faults);
        let work = latency(random, faults);
        let response_delay = random.millis(20, 400);
        Delivery {
            request_delay,
            work,
            response_delay,
            request_is_lost: random.chance(20) && faults,
            answer_is_lost: random.chance(20) && faults,
            breaks: random.chance(500),
            is_down: random.chance(30) && faults,
            breaks_after: (random.chance(30) && faults).then(|| random.millis(0, 2_000)),
            dies_after: (random.chance(40) && faults).then(|| random.millis(0, 3_000)),
        }
    }

    async fn silence(&self, breaks: bool) -> Result<OutboundResponse, Failure> {
        if breaks && !self.holder.process.is_dead() { Err(Failure::Broken) } else { pending().await }
    }
}

#[async_trait]
impl Transport for Network {
    async fn send(&self, request: OutboundRequest) -> Result<OutboundResponse, Failure> {
        let delivery = self.delivery();
        if self.holder.process.is_dead() {
            return pending().await;
        }
        if let Some(after) = delivery.dies_after {
            let process = self.holder.process.clone();
            tokio::spawn(async move {
                sleep(after).await;
                process.kill();
            });
        }
        sleep(delivery.request_delay).await;
        if delivery.request_is_lost {
            return self.silence(delivery.breaks).await;
        }
        // The platform continues even when its caller has disconnected.
        let (send, answered) = oneshot::channel();
        let state = self.state.clone();
        tokio::spawn(async move {
            let response = serve(&state, &request, delivery.work, delivery.is_down).await;
            let _ = send.send(response);
        });
        let until_disconnect = delivery.breaks_after.unwrap_or(Duration::MAX);
        let Ok(Ok((status, body, issued))) = timeout(until_disconnect, answered).await else {
            return self.silence(delivery.breaks_after.is_some()).await;
        };
        sleep(delivery.response_delay).await;
        if self.holder.process.is_dead() || delivery.answer_is_lost {
            return self.silence(delivery.breaks).await;
        }
        issued.into_iter().for_each(|number| self.holder.receive_tokens(number));
        Ok(OutboundResponse { status, headers: HeaderMap::new(), body: Bytes::from(body.to_string()) })
    }
}

/// The platform's response, and the number of the tokens in it.
async fn serve(
    state: &StateHandle,
    request: &OutboundRequest,
    work: Duration,
    is_down: bool,
) -> (StatusCode, Value, Option<usize>) {
    let form = String::from_utf8_lossy(&request.body).into_owned();
    if !form.contains("grant_type=refresh_token") {
        sleep(work).await;
        let bearer = request.headers.get("authorization").and_then(|value| value.to_str().ok()).unwrap_or_default();
        let accepts = state.lock().platform.accepts(number_after(bearer, "access-"));
        return if accepts {
            (StatusCode::OK, one_account(), None)
        } else {
            (StatusCode::UNAUTHORIZED, refusal(), None)
        };
    }
    state.lock().platform.begin_refresh();
    sleep(work).await;
    let mut state = state.lock();
    if std::mem::take(&mut state.refuse_next_refresh) {
        state.platform.fail_refresh();
        return (StatusCode::BAD_REQUEST, json!({"error": "invalid_grant"}), None);
    }
    if is_down {
        state.platform.fail_refresh();
        return (StatusCode::SERVICE_UNAVAILABLE, json!({}), None);
    }
    match state.platform.complete_refresh(number_after(&form, "refresh-")) {
        TokenResponse::InvalidGrant => (StatusCode::BAD_REQUEST, json!({"error": "invalid_grant"}), None),
        TokenResponse::Tokens(number) => {
            state.log.record(|| format!("tokens {number} issued"));
            (StatusCode::OK, state.platform.tokens(number), Some(number))
        }
    }
}

/// The ad account, in the forms of both platforms.
fn one_account() -> Value {
    let customer = json!({"id": "1", "currencyCode": "USD", "timeZone": "UTC", "status": "ENABLED", "manager": false});
    json!({
        "items": [{"id": "1", "name": "", "currency": "USD"}],
        "resourceNames": ["customers/1"],
        "results": [{"customer": customer}],
    })
}

/// An authentication error, in the forms of both platforms.
fn refusal() -> Value {
    json!({"code": 2, "message": "Authentication failed.", "error": {"code": 401, "status": "UNAUTHENTICATED"}})
}

fn number_after(text: &str, prefix: &str) -> Option<usize> {
    let digits = text.split(prefix).nth(1)?;
    digits.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
}
