//! `Idempotency-Key`: a request is carried out once, however often it is sent (D16 in the README).
//!
//! The claim on the key is made before anything is sent. It is fenced: who is held up until his time is over, so that
//! another request took over, keeps no answer any more.

use super::{ApiRequest, Call};
use crate::app::App;
use crate::digest::sha256_hex;
use crate::domain::maintenance::TWO_INTERVALS_TEXT;
use crate::domain::{CustomerId, Intent, StoredResponse};
use crate::envelope::{self, Reply};
use crate::error::{Error, Kind};
use crate::store::{KeyClaim, KeyRecord};
use jiff::{SignedDuration, Timestamp};
use lambda_http::{Body, Response};
use std::sync::OnceLock;
use std::time::Duration;
use tokio::time::{Instant, timeout};
use uuid::Uuid;

/// Longest key, in characters.
const MAX_KEY_LENGTH: usize = 255;
/// Who meets a request that is under way asks again after this.
const IN_PROGRESS_RETRY_AFTER: Duration = Duration::from_secs(2);
/// How long an answer may wait for being kept.
const STORE_TIMEOUT: Duration = Duration::from_secs(1);

/// How a request begins that may carry an `Idempotency-Key`.
#[derive(Debug)]
pub enum ClaimOutcome {
    /// Nobody did anything yet.
    New,
    /// A request began, and came to no final answer: this one goes on with what it left.
    Resumed {
        /// That request.
        first: Uuid,
    },
    /// It has its final answer.
    Replayed(StoredResponse),
}

/// The turn of this request at its key.
#[derive(Debug)]
pub(super) struct IdempotencyClaim {
    customer: CustomerId,
    key: String,
    attempt: i64,
}

/// Where a handler leaves the turn that it got.
pub(super) type ClaimSlot = OnceLock<IdempotencyClaim>;

impl Call {
    /// Claims the request's key if it has one, and keeps its intents with the claim, before anything is sent.
    pub async fn claim(&self, intents: &[Intent]) -> Result<ClaimOutcome, Error> {
        let Some(key) = self.request.idempotency_key()? else {
            if intents.is_empty() {
                return Ok(ClaimOutcome::New);
            }
            return match self.store().begin_intents(intents, None).await {
                Ok(_) => Ok(ClaimOutcome::New),
                Err(error) => Err(self.abandon(intents, error).await),
            };
        };
        let fingerprint = self.request.fingerprint();
        let claim = self.key_claim(key, &fingerprint)?;
        let begun = match intents {
            [] => self.store().claim_key(&claim).await,
            intents => self.store().begin_intents(intents, Some(&claim)).await,
        };
        match begun {
            Ok(true) => {
                self.hold_claim(key, 1);
                Ok(ClaimOutcome::New)
            }
            Ok(false) => self.resume(&claim).await,
            // Others claim the same key at the same moment.
            Err(error) if error.kind == Kind::RateLimited => Err(in_progress()),
            Err(error) => Err(error),
        }
    }

    /// How a request goes on that cannot begin: where one with its key was sent before, that is answered and settled,
    /// whatever changed since. Else the refusal stands.
    pub async fn claim_existing(&self, refusal: Error) -> Result<(ClaimOutcome, Error), Error> {
        let Some(key) = self.request.idempotency_key()? else { return Err(refusal) };
        let known = self.store().key(self.customer.id, key, self.request.now).await.map_err(earlier_outcome_unknown)?;
        if known.is_none() {
            return Err(refusal);
        }
        let fingerprint = self.request.fingerprint();
        self.resume(&self.key_claim(key, &fingerprint)?).await.map(|start| (start, refusal))
    }

    /// Leaves no intent of a request that sent nothing: it could be taken for the one that a later request's campaign
    /// came of. Where that is not certain the request must not be sent again yet.
    async fn abandon(&self, intents: &[Intent], error: Error) -> Error {
        let Err(failure) = self.store().abandon_intents(intents).await else { return error };
        tracing::warn!(error = %failure, source = failure.source, "intents were not given up");
        let message = format!(
            "Nothing was sent to an ad platform. What was kept of this request is cleared away within {TWO_INTERVALS_TEXT}: see \
             GET /v1/campaigns/intents/{}, and do not send it again before that says not_created or is 404.",
            self.request.request_id
        );
        Error { source: error.source, ..Error::new(Kind::PlatformTimeout, message) }.of_unknown_outcome()
    }

    async fn resume(&self, claim: &KeyClaim<'_>) -> Result<ClaimOutcome, Error> {
        let known = self.store().key(claim.customer, claim.key, claim.now).await.map_err(earlier_outcome_unknown)?;
        // It was forgotten in this very moment.
        let known = same(known.ok_or_else(in_progress)?, claim.fingerprint)?;
        if let Some(answer) = known.response {
            return Ok(ClaimOutcome::Replayed(answer));
        }
        if known.request == claim.request && known.fencing_token == 1 {
            // Our own claim, whose answer was lost on its way to the store's client.
            self.hold_claim(claim.key, known.fencing_token);
            return Ok(ClaimOutcome::New);
        }
        if known.lease_until > claim.now
            || !self.store().take_over_key(claim, &known).await.map_err(earlier_outcome_unknown)?
        {
            return Err(in_progress());
        }
        self.hold_claim(claim.key, known.fencing_token + 1);
        Ok(ClaimOutcome::Resumed { first: known.request })
    }

    fn key_claim<'a>(&self, key: &'a str, fingerprint: &'a str) -> Result<KeyClaim<'a>, Error> {
        let (now, request) = (self.request.now, self.request.request_id);
        let lease_until = self.request.ends_at()?;
        Ok(KeyClaim { customer: self.customer.id, key, fingerprint, request, now, lease_until })
    }

    fn hold_claim(&self, key: &str, attempt: i64) {
        // A request begins once.
        let _ = self.claim.set(IdempotencyClaim { customer: self.customer.id, key: key.to_owned(), attempt });
    }
}

impl ApiRequest {
    /// The request's `Idempotency-Key`, if it has one; a 400 for one that is empty, too long or repeated.
    pub fn idempotency_key(&self) -> Result<Option<&str>, Error> {
        let Some(key) = &self.idempotency_key else { return Ok(None) };
        let is_one = (1..=MAX_KEY_LENGTH).contains(&key.len()) && key.bytes().all(|byte| byte.is_ascii_graphic());
        let message = format!("must be sent once, with 1 to {MAX_KEY_LENGTH} visible ASCII characters");
        if is_one { Ok(Some(key)) } else { Err(Error::field("Idempotency-Key", message)) }
    }

    /// Whether the same request may come again and be answered as one.
    pub fn is_keyed(&self) -> bool {
        self.idempotency_key.is_some()
    }

    /// What the request is, to be told from another one with the same key.
    fn fingerprint(&self) -> String {
        let (method, path) = self.operation();
        sha256_hex(&format!("{method} {path}\n{}", String::from_utf8_lossy(&self.body)))
    }

    /// When this request is over for certain, by the clock that all processes share.
    pub fn ends_at(&self) -> Result<Timestamp, Error> {
        let left = self.deadline.saturating_duration_since(Instant::now());
        Ok(self.app.clock.now() + SignedDuration::try_from(left).map_err(Error::internal)?)
    }
}

/// The record, if it is of the same request.
fn same(known: KeyRecord, fingerprint: &str) -> Result<KeyRecord, Error> {
    if known.fingerprint == fingerprint {
        return Ok(known);
    }
    let message = "This Idempotency-Key came with another request before: use a new key for a new request, and the same \
                   key only with the same path and body.";
    Err(Error::new(Kind::KeyReused, message))
}

/// Our own failure at a request that may have been sent before: of that one nothing is said.
pub fn earlier_outcome_unknown(error: Error) -> Error {
    if error.kind != Kind::Internal {
        return error;
    }
    let message = "Something went wrong on our side, and this request did nothing. What became of the one before is not \
                   known: send it again with the same Idempotency-Key.";
    Error { message: message.to_owned(), ..error }
}

fn in_progress() -> Error {
    let message = "A request with this Idempotency-Key, or several for a campaign of this name, are under way: send it \
                   again in a moment for its answer.";
    Error::new(Kind::Conflict, message).retryable().retry_after(IN_PROGRESS_RETRY_AFTER)
}

impl IdempotencyClaim {
    /// Keeps an answer if it is final, and ends the turn. The answer stands, whatever becomes of this.
    pub(super) async fn end(&self, app: &App, outcome: &Result<Reply, Error>, response: &Response<Body>) {
        let IdempotencyClaim { customer, key, attempt } = self;
        let (store, now) = (&app.store, app.clock.now());
        let end = async {
            match envelope::kept(response).filter(|_| is_final(outcome)) {
                Some(answer) => store.store_response(*customer, key, *attempt, (&answer, now)).await,
                None => store.release_key(*customer, key, *attempt).await,
            }
        };
        match timeout(STORE_TIMEOUT, end).await {
            Ok(Ok(true)) => {}
            Ok(Ok(false)) => tracing::warn!(%customer, "another request took over before this one was answered"),
            Ok(Err(error)) => tracing::warn!(%customer, %error, source = error.source, "an answer was not kept"),
            Err(_) => tracing::warn!(%customer, "an answer was not kept in time"),
        }
    }
}

/// Whether the same request would never be answered otherwise: something was sent, and nothing is missing or in doubt.
fn is_final(outcome: &Result<Reply, Error>) -> bool {
    let is_refused = |error: &Error| error.kind == Kind::PlatformRefused && !error.unknown_outcome;
    match outcome {
        Ok(Reply::Replayed(_)) => false,
        Ok(Reply::Targets(results)) => {
            results.iter().all(|result| result.outcome.as_ref().err().is_none_or(is_refused))
        }
        Ok(_) => true,
        Err(error) => is_refused(error),
    }
}
