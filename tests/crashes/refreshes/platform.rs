//! The token endpoint of an ad platform: the tokens that it issued, and the reuse of a refresh token. It is independent
//! of the sandbox, because the simulation must account for every issued token.

use crate::random::Random;
use serde_json::{Value, json};
use tokio::time::{Duration, Instant};

/// Lifetime of an access token.
pub(super) const TOKEN_LIFE: Duration = Duration::from_secs(3_600);

/// State of the platform.
#[derive(Debug)]
pub(super) struct Platform {
    /// Whether a refresh replaces the refresh token.
    pub(super) rotates: bool,
    /// Issued tokens, oldest first.
    issued: Vec<IssuedToken>,
    /// The user or the reuse of a refresh token has revoked the grant.
    pub(super) is_revoked: bool,
    /// The platform refuses to refresh; the newest access token works until its expiry.
    pub(super) refuses_refreshes: bool,
    /// The lifetime of a new access token in responses, in seconds.
    pub(super) expires_in: u64,
    /// Number of refreshes that arrived.
    pub(super) refreshes: u32,
    in_flight: u32,
    /// Broken invariants.
    pub(super) violations: Vec<String>,
}

#[derive(Debug)]
struct IssuedToken {
    expires_at: Instant,
    is_stored: bool,
}

/// Response to a refresh.
pub(super) enum TokenResponse {
    /// New tokens with this number.
    Tokens(usize),
    /// The grant has ended.
    InvalidGrant,
}

impl Platform {
    pub(super) fn new(rotates: bool) -> Platform {
        let first = IssuedToken { expires_at: Instant::now() + TOKEN_LIFE, is_stored: true };
        Platform {
            rotates,
            issued: vec![first],
            is_revoked: false,
            refuses_refreshes: false,
            expires_in: TOKEN_LIFE.as_secs(),
            refreshes: 0,
            in_flight: 0,
            violations: Vec::new(),
        }
    }

    /// Whether only a new consent helps.
    pub(super) fn has_ended(&self) -> bool {
        self.is_revoked || self.refuses_refreshes
    }

    /// Expiry of the newest access token.
    pub(super) fn newest_expiry(&self) -> Instant {
        self.issued.last().map_or_else(Instant::now, |token| token.expires_at)
    }

    /// Whether every issued token was stored.
    pub(super) fn all_stored(&self) -> bool {
        self.issued.iter().all(|token| token.is_stored)
    }

    /// Records that the tokens of this number are in the table.
    pub(super) fn record_stored(&mut self, number: usize) {
        if let Some(token) = self.issued.get_mut(number) {
            token.is_stored = true;
        }
    }

    /// A refresh has arrived.
    pub(super) fn begin_refresh(&mut self) {
        self.refreshes += 1;
        if self.rotates && self.in_flight > 0 {
            self.violations.push("two refreshes run concurrently although tokens rotate".to_owned());
        }
        self.in_flight += 1;
    }

    /// Completes a refresh with the refresh token of this number.
    pub(super) fn complete_refresh(&mut self, presented: Option<usize>) -> TokenResponse {
        self.in_flight -= 1;
        let newest = self.issued.len() - 1;
        let Some(presented) = presented else { return TokenResponse::InvalidGrant };
        if self.is_revoked || self.refuses_refreshes {
            return TokenResponse::InvalidGrant;
        }
        if self.rotates && presented != newest {
            // Reuse: the platform assumes theft and revokes every token issued since.
            self.is_revoked = true;
            if self.issued[presented + 1..].iter().all(|token| token.is_stored) {
                self.violations.push(format!("refresh token {presented} was used again although {newest} was stored"));
            }
            return TokenResponse::InvalidGrant;
        }
        self.issued.push(IssuedToken { expires_at: Instant::now() + TOKEN_LIFE, is_stored: false });
        TokenResponse::Tokens(newest + 1)
    }

    /// A refresh that had arrived fails.
    pub(super) fn fail_refresh(&mut self) {
        self.in_flight -= 1;
    }

    /// The body of a token response.
    pub(super) fn tokens(&self, number: usize) -> Value {
        let mut response = json!({
            "access_token": format!("access-{number}"),
            "token_type": "bearer",
            "expires_in": self.expires_in,
        });
        if self.rotates {
            response["refresh_token"] = json!(format!("refresh-{number}"));
        }
        response
    }

    /// Whether the access token of this number is valid.
    pub(super) fn accepts(&self, number: Option<usize>) -> bool {
        let token = number.and_then(|number| self.issued.get(number));
        !self.is_revoked && token.is_some_and(|token| token.expires_at > Instant::now())
    }
}

/// Random latency: mostly short, sometimes very long, always shorter than the timeout of a refresh.
pub(super) fn latency(random: &mut Random, faults: bool) -> Duration {
    match random.below(100) {
        0..2 if faults => random.millis(10_000, 40_000),
        2..10 if faults => random.millis(1_000, 10_000),
        _ => random.millis(20, 400),
    }
}
