//! The token endpoint of every platform. It remembers the newest tokens of each grant: a second use of a rotated
//! refresh token ends the grant, as platforms do.

use crate::random::Random;
use async_trait::async_trait;
use bytes::Bytes;
use http::{HeaderMap, StatusCode};
use serde_json::{Value, json};
use shared::domain::Platform;
use shared::outbound::{Failure, OutboundRequest, OutboundResponse, Transport};
use std::future::pending;
use std::sync::{Arc, Mutex};
use tokio::time::{Duration, Instant, sleep};

/// Lifetime of an access token.
pub(super) const TOKEN_LIFE: Duration = Duration::from_secs(3_600);
/// Time of a call.
pub(super) const LATENCY: Duration = Duration::from_millis(300);
/// Calls in a thousand that fail with 503.
const FAILURES_PER_MILLE: u64 = 5;

/// The use of a grant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Class {
    /// Its refresh token rotates.
    Rotating,
    /// Its refresh token stays the same, and requests use it.
    Used,
    /// Its refresh token stays the same, and nothing uses it.
    Idle,
    /// Its platform never responds.
    Hanging,
}

impl Class {
    pub(super) const ALL: [Class; 4] = [Class::Rotating, Class::Used, Class::Idle, Class::Hanging];

    pub(super) fn platform(self) -> Platform {
        match self {
            Class::Rotating => Platform::Epsilon,
            Class::Used | Class::Idle => Platform::Alpha,
            Class::Hanging => Platform::Beta,
        }
    }
}

/// The figures of a class.
#[derive(Clone, Copy, Debug)]
pub(super) struct Figures {
    pub(super) calls: u64,
    /// Calls that replaced a token.
    pub(super) refreshed: u64,
    /// Grants that ended.
    pub(super) ended: u64,
    /// Shortest time from a refresh to the expiry of the token that it replaced; zero if one had expired.
    pub(super) latest: Duration,
}

struct Issued {
    class: Class,
    number: u64,
    expires_at: Instant,
    has_ended: bool,
}

struct State {
    random: Random,
    issued: Vec<Issued>,
    figures: Vec<(Class, Figures)>,
}

/// Shared handle to the endpoint.
#[derive(Clone)]
pub(super) struct TokenEndpoint(Arc<Mutex<State>>);

impl std::fmt::Debug for TokenEndpoint {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("TokenEndpoint")
    }
}

impl TokenEndpoint {
    pub(super) fn new(seed: u64) -> TokenEndpoint {
        let none = Figures { calls: 0, refreshed: 0, ended: 0, latest: TOKEN_LIFE };
        let figures = Class::ALL.map(|class| (class, none)).into();
        TokenEndpoint(Arc::new(Mutex::new(State { random: Random::new(seed), issued: Vec::new(), figures })))
    }

    /// Issues the first tokens of a grant; returns its index.
    pub(super) fn issue(&self, class: Class, expires_at: Instant) -> usize {
        let mut state = self.0.lock().expect("the endpoint");
        state.issued.push(Issued { class, number: 0, expires_at, has_ended: false });
        state.issued.len() - 1
    }

    pub(super) fn figures(&self, class: Class) -> Figures {
        let state = self.0.lock().expect("the endpoint");
        state.figures.iter().find(|(known, _)| *known == class).expect("a class").1
    }

    /// Whether an access token is valid.
    pub(super) fn accepts(&self, access_token: &str) -> bool {
        let Some((grant, number)) = parse(access_token, "access-") else { return false };
        let state = self.0.lock().expect("the endpoint");
        let issued = &state.issued[grant];
        !issued.has_ended && number == issued.number && issued.expires_at > Instant::now()
    }
}

impl State {
    /// The response to a refresh; `None` if there is none.
    fn refresh(&mut self, form: &str) -> Option<(StatusCode, Value)> {
        let (grant, number) = parse(form, "refresh-").expect("a refresh token of this endpoint");
        let is_failing = self.random.chance(FAILURES_PER_MILLE);
        let issued = &mut self.issued[grant];
        let figures = self.figures.iter_mut().find(|(class, _)| *class == issued.class);
        let figures = &mut figures.expect("a class").1;
        figures.calls += 1;
        if issued.class == Class::Hanging {
            return None;
        }
        if is_failing {
            return Some((StatusCode::SERVICE_UNAVAILABLE, json!({})));
        }
        let rotates = issued.class == Class::Rotating;
        if issued.has_ended || rotates && number != issued.number {
            figures.ended += u64::from(!issued.has_ended);
            issued.has_ended = true;
            return Some((StatusCode::BAD_REQUEST, json!({"error": "invalid_grant"})));
        }
        figures.refreshed += 1;
        figures.latest = figures.latest.min(issued.expires_at.saturating_duration_since(Instant::now()));
        issued.number += 1;
        issued.expires_at = Instant::now() + TOKEN_LIFE;
        let mut response = json!({
            "access_token": format!("access-{grant}-{}", issued.number),
            "token_type": "bearer",
            "expires_in": TOKEN_LIFE.as_secs(),
        });
        if rotates {
            response["refresh_token"] = json!(format!("refresh-{grant}-{}", issued.number));
        }
        Some((StatusCode::OK, response))
    }
}

#[async_trait]
impl Transport for TokenEndpoint {
    async fn send(&self, request: OutboundRequest) -> Result<OutboundResponse, Failure> {
        sleep(LATENCY / 2).await;
        let form = String::from_utf8_lossy(&request.body).into_owned();
        let response = self.0.lock().expect("the endpoint").refresh(&form);
        let Some((status, body)) = response else { return pending().await };
        sleep(LATENCY / 2).await;
        Ok(OutboundResponse { status, headers: HeaderMap::new(), body: Bytes::from(body.to_string()) })
    }
}

/// The grant and the number of a token `{prefix}{grant}-{number}`.
fn parse(text: &str, prefix: &str) -> Option<(usize, u64)> {
    let (grant, rest) = text.split(prefix).nth(1)?.split_once('-')?;
    let digits = rest.split(|c: char| !c.is_ascii_digit()).next()?;
    Some((grant.parse().ok()?, digits.parse().ok()?))
}
