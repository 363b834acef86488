//! The token endpoint of every platform. It remembers the newest tokens of each grant, and ends a grant as platforms do:
//! at a second use of a rotated refresh token, and at the exchange of an expired access token.

use super::class::Class;
use crate::random::Random;
use async_trait::async_trait;
use bytes::Bytes;
use http::{HeaderMap, StatusCode};
use serde_json::{Value, json};
use shared::outbound::{Failure, OutboundRequest, OutboundResponse, Transport};
use std::future::pending;
use std::sync::{Arc, Mutex};
use tokio::time::{Duration, Instant, sleep};

/// Time of a call.
pub(super) const LATENCY: Duration = Duration::from_millis(300);
/// Calls in a thousand that fail with 503.
const FAILURES_PER_MILLE: u64 = 5;

/// The figures of a class.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Figures {
    pub(super) calls: u64,
    /// Calls that replaced a token.
    pub(super) refreshed: u64,
    /// Grants that ended.
    pub(super) ended: u64,
    /// Shortest time from a refresh to the expiry of the token that it replaced; zero if one had expired.
    pub(super) latest: Option<Duration>,
    /// Grants whose first token is to be replaced by now.
    pub(super) expected: u64,
    /// Those of them that still have it.
    pub(super) forgotten: u64,
}

/// The tokens of a grant.
#[derive(Clone, Copy)]
pub(super) struct Issued {
    pub(super) class: Class,
    /// The expiry of the access token.
    pub(super) expires_at: Instant,
    /// When maintenance has to have replaced the first token at the latest; `None` if requests do.
    pub(super) due_by: Option<Instant>,
}

struct Known {
    issued: Issued,
    number: u64,
    has_ended: bool,
}

struct State {
    random: Random,
    grants: Vec<Known>,
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
        let figures = Class::ALL.map(|class| (class, Figures::default())).into();
        TokenEndpoint(Arc::new(Mutex::new(State { random: Random::new(seed), grants: Vec::new(), figures })))
    }

    /// Issues the first tokens of a grant; returns its index.
    pub(super) fn issue(&self, issued: Issued) -> usize {
        let mut state = self.0.lock().expect("the endpoint");
        state.grants.push(Known { issued, number: 0, has_ended: false });
        state.grants.len() - 1
    }

    pub(super) fn figures(&self, class: Class) -> Figures {
        let state = self.0.lock().expect("the endpoint");
        let is_expected = |known: &&Known| {
            known.issued.class == class && known.issued.due_by.is_some_and(|due_by| due_by < Instant::now())
        };
        let expected = state.grants.iter().filter(is_expected);
        let forgotten = expected.clone().filter(|known| known.number == 0);
        let figures = state.figures.iter().find(|(known, _)| *known == class).expect("a class").1;
        Figures { expected: expected.count() as u64, forgotten: forgotten.count() as u64, ..figures }
    }

    /// Whether an access token is valid.
    pub(super) fn accepts(&self, access_token: &str) -> bool {
        let Some((grant, number)) = parse(access_token, "access-") else { return false };
        let state = self.0.lock().expect("the endpoint");
        let known = &state.grants[grant];
        !known.has_ended && number == known.number && known.issued.expires_at > Instant::now()
    }
}

impl State {
    /// The response to a refresh; `None` if there is none.
    fn refresh(&mut self, form: &str) -> Option<(StatusCode, Value)> {
        let sent = parse(form, "refresh-").or_else(|| parse(form, "access-"));
        let (grant, number) = sent.expect("a token of this endpoint");
        let is_failing = self.random.chance(FAILURES_PER_MILLE);
        let known = &mut self.grants[grant];
        let class = known.issued.class;
        let figures = self.figures.iter_mut().find(|(known, _)| *known == class);
        let figures = &mut figures.expect("a class").1;
        figures.calls += 1;
        if class == Class::Hanging {
            return None;
        }
        if is_failing {
            return Some((StatusCode::SERVICE_UNAVAILABLE, json!({})));
        }
        let left = known.issued.expires_at.saturating_duration_since(Instant::now());
        let is_replaced = class.rotates() && number != known.number;
        let has_expired = class == Class::Exchanged && left.is_zero();
        if known.has_ended || is_replaced || has_expired {
            figures.ended += u64::from(!known.has_ended);
            known.has_ended = true;
            return Some((StatusCode::BAD_REQUEST, ended(class)));
        }
        figures.refreshed += 1;
        figures.latest = Some(figures.latest.map_or(left, |latest| latest.min(left)));
        known.number += 1;
        known.issued.expires_at = Instant::now() + class.life();
        let mut response = json!({
            "access_token": format!("access-{grant}-{}", known.number),
            "token_type": "bearer",
            "expires_in": class.life().as_secs(),
        });
        if class.rotates() {
            response["refresh_token"] = json!(format!("refresh-{grant}-{}", known.number));
        }
        Some((StatusCode::OK, response))
    }
}

/// The platform's refusal of a grant that has ended.
fn ended(class: Class) -> Value {
    match class {
        Class::Exchanged => json!({"error": {"code": 190, "type": "OAuthException", "message": "expired"}}),
        _ => json!({"error": "invalid_grant"}),
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
