//! An ad platform's token endpoint as it looks from inside: what was issued, and what a second use of a refresh token
//! does. Independent of the sandbox, because here every issued token must be accounted for.

use super::random::Random;
use serde_json::{Value, json};
use tokio::time::{Duration, Instant};

/// How long an access token lives.
pub(super) const TOKEN_LIFE: Duration = Duration::from_secs(3_600);

/// A platform, and what happened there.
#[derive(Debug)]
pub(super) struct Platform {
    /// Whether a refresh replaces the refresh token.
    pub(super) rotates: bool,
    /// The tokens in the order in which they were issued.
    issued: Vec<Issued>,
    /// The grant has ended, by its user or by a second use of a refresh token.
    pub(super) is_dead: bool,
    /// Nothing is refreshed any more, though the newest access token works to its end.
    pub(super) refuses_refreshes: bool,
    /// Refreshes that arrived.
    pub(super) refreshes: u32,
    under_way: u32,
    /// What must never happen, and did.
    pub(super) violations: Vec<String>,
}

#[derive(Debug)]
struct Issued {
    ends: Instant,
    is_stored: bool,
}

/// What a refresh is answered with.
pub(super) enum Answered {
    /// New tokens, by their number.
    Tokens(usize),
    /// The grant has ended.
    InvalidGrant,
}

impl Platform {
    pub(super) fn new(rotates: bool) -> Platform {
        let first = Issued { ends: Instant::now() + TOKEN_LIFE, is_stored: true };
        Platform {
            rotates,
            issued: vec![first],
            is_dead: false,
            refuses_refreshes: false,
            refreshes: 0,
            under_way: 0,
            violations: Vec::new(),
        }
    }

    /// Whether nothing helps but a new consent.
    pub(super) fn has_ended(&self) -> bool {
        self.is_dead || self.refuses_refreshes
    }

    /// When the newest access token ends.
    pub(super) fn newest_ends(&self) -> Instant {
        self.issued.last().map_or_else(Instant::now, |token| token.ends)
    }

    /// Whether every token was stored that was ever issued.
    pub(super) fn all_stored(&self) -> bool {
        self.issued.iter().all(|token| token.is_stored)
    }

    /// Notes that the tokens of this number are in the table.
    pub(super) fn stored(&mut self, number: usize) {
        if let Some(token) = self.issued.get_mut(number) {
            token.is_stored = true;
        }
    }

    /// A refresh has arrived.
    pub(super) fn refresh_begins(&mut self) {
        self.refreshes += 1;
        if self.rotates && self.under_way > 0 {
            self.violations.push("two refreshes are under way at once where tokens rotate".to_owned());
        }
        self.under_way += 1;
    }

    /// A refresh with the refresh token of this number is carried out.
    pub(super) fn refresh_ends(&mut self, presented: Option<usize>) -> Answered {
        self.under_way -= 1;
        let newest = self.issued.len() - 1;
        let Some(presented) = presented.filter(|_| !self.is_dead && !self.refuses_refreshes) else {
            return Answered::InvalidGrant;
        };
        if self.rotates && presented != newest {
            // A second use: the platform takes it for theft, and ends what it has issued since.
            self.is_dead = true;
            if self.issued[presented + 1..].iter().all(|token| token.is_stored) {
                self.violations.push(format!("refresh token {presented} was used again although {newest} was stored"));
            }
            return Answered::InvalidGrant;
        }
        self.issued.push(Issued { ends: Instant::now() + TOKEN_LIFE, is_stored: false });
        Answered::Tokens(newest + 1)
    }

    /// A refresh that had arrived is not carried out.
    pub(super) fn refresh_is_not_done(&mut self) {
        self.under_way -= 1;
    }

    /// Tokens as the endpoint writes them.
    pub(super) fn tokens(&self, number: usize) -> Value {
        let mut answer = json!({
            "access_token": format!("access-{number}"),
            "token_type": "bearer",
            "expires_in": TOKEN_LIFE.as_secs(),
        });
        if self.rotates {
            answer["refresh_token"] = json!(format!("refresh-{number}"));
        }
        answer
    }

    /// Whether an access token of this number works.
    pub(super) fn accepts(&self, number: Option<usize>) -> bool {
        let token = number.and_then(|number| self.issued.get(number));
        !self.is_dead && token.is_some_and(|token| token.ends > Instant::now())
    }
}

/// How long something takes there: mostly little, sometimes very long, but never as long as a refresh is waited for.
pub(super) fn latency(random: &mut Random, faults: bool) -> Duration {
    match random.below(100) {
        0..2 if faults => random.millis(10_000, 40_000),
        2..10 if faults => random.millis(1_000, 10_000),
        _ => random.millis(20, 400),
    }
}
