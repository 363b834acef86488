//! The way to the platform: slow at times, and it loses requests and answers.

use super::platform::{Answered, latency};
use super::world::{Process, Shared};
use async_trait::async_trait;
use bytes::Bytes;
use http::{HeaderMap, StatusCode};
use serde_json::{Value, json};
use shared::outbound::{Answer, Failure, Outgoing, Transport};
use std::future::pending;
use tokio::sync::oneshot;
use tokio::time::{Duration, sleep, timeout};

/// A process's way to the platform.
pub(super) struct Network {
    pub(super) process: Process,
    pub(super) world: Shared,
}

impl std::fmt::Debug for Network {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Network")
    }
}

/// What befalls one call.
struct Weather {
    there: Duration,
    work: Duration,
    back: Duration,
    request_is_lost: bool,
    answer_is_lost: bool,
    /// Lost with an error at once, not in silence.
    breaks: bool,
    is_down: bool,
    /// The connection breaks so long after the platform got the request, whether or not it is done by then.
    breaks_after: Option<Duration>,
    /// The process dies so long after the call was sent.
    dies_after: Option<Duration>,
}

impl Network {
    fn weather(&self) -> Weather {
        let mut world = self.world.lock();
        let faults = world.faults;
        let random = &mut world.random;
        let (there, work, back) = (latency(random, faults), latency(random, faults), random.millis(20, 400));
        Weather {
            there,
            work,
            back,
            request_is_lost: random.chance(20) && faults,
            answer_is_lost: random.chance(20) && faults,
            breaks: random.chance(500),
            is_down: random.chance(30) && faults,
            breaks_after: (random.chance(30) && faults).then(|| random.millis(0, 2_000)),
            dies_after: (random.chance(40) && faults).then(|| random.millis(0, 3_000)),
        }
    }

    async fn silence(&self, breaks: bool) -> Result<Answer, Failure> {
        if breaks && !self.process.is_dead() { Err(Failure::Broken) } else { pending().await }
    }
}

#[async_trait]
impl Transport for Network {
    async fn send(&self, outgoing: Outgoing) -> Result<Answer, Failure> {
        let weather = self.weather();
        if self.process.is_dead() {
            return pending().await;
        }
        if let Some(after) = weather.dies_after {
            let (process, world) = (self.process.clone(), self.world.clone());
            tokio::spawn(async move {
                sleep(after).await;
                process.kill(&world);
            });
        }
        sleep(weather.there).await;
        if weather.request_is_lost {
            return self.silence(weather.breaks).await;
        }
        // The platform works on whether or not anybody waits for the answer.
        let (send, answered) = oneshot::channel();
        let world = self.world.clone();
        tokio::spawn(async move {
            let answer = serve(&world, &outgoing, weather.work, weather.is_down).await;
            let _ = send.send(answer);
        });
        let patience = weather.breaks_after.unwrap_or(Duration::MAX);
        let Ok(Ok((status, body, issued))) = timeout(patience, answered).await else {
            return self.silence(weather.breaks_after.is_some()).await;
        };
        sleep(weather.back).await;
        if self.process.is_dead() || weather.answer_is_lost {
            return self.silence(weather.breaks).await;
        }
        issued.into_iter().for_each(|number| self.process.is_given(number));
        Ok(Answer { status, headers: HeaderMap::new(), body: Bytes::from(body.to_string()) })
    }
}

/// The platform's answer, and the number of the tokens in it.
async fn serve(
    world: &Shared,
    outgoing: &Outgoing,
    work: Duration,
    is_down: bool,
) -> (StatusCode, Value, Option<usize>) {
    let form = String::from_utf8_lossy(&outgoing.body).into_owned();
    if !form.contains("grant_type=refresh_token") {
        sleep(work).await;
        let bearer = outgoing.headers.get("authorization").and_then(|value| value.to_str().ok()).unwrap_or_default();
        let accepts = world.lock().platform.accepts(number_after(bearer, "access-"));
        return if accepts {
            (StatusCode::OK, one_account(), None)
        } else {
            (StatusCode::UNAUTHORIZED, refusal(), None)
        };
    }
    world.lock().platform.refresh_begins();
    sleep(work).await;
    let mut world = world.lock();
    if std::mem::take(&mut world.refuse_next) {
        world.platform.refresh_is_not_done();
        return (StatusCode::BAD_REQUEST, json!({"error": "invalid_grant"}), None);
    }
    if is_down {
        world.platform.refresh_is_not_done();
        return (StatusCode::SERVICE_UNAVAILABLE, json!({}), None);
    }
    match world.platform.refresh_ends(number_after(&form, "refresh-")) {
        Answered::InvalidGrant => (StatusCode::BAD_REQUEST, json!({"error": "invalid_grant"}), None),
        Answered::Tokens(number) => {
            world.note(&format!("tokens {number} issued"));
            (StatusCode::OK, world.platform.tokens(number), Some(number))
        }
    }
}

/// The one ad account, as both platforms write it.
fn one_account() -> Value {
    let customer = json!({"id": "1", "currencyCode": "USD", "timeZone": "UTC", "status": "ENABLED", "manager": false});
    json!({
        "items": [{"id": "1", "name": "", "currency": "USD"}],
        "resourceNames": ["customers/1"],
        "results": [{"customer": customer}],
    })
}

/// That a token is not good, as both platforms write it.
fn refusal() -> Value {
    json!({"code": 2, "message": "Authentication failed.", "error": {"code": 401, "status": "UNAUTHENTICATED"}})
}

fn number_after(text: &str, prefix: &str) -> Option<usize> {
    let digits = text.split(prefix).nth(1)?;
    digits.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
}
