//! `Idempotency-Key`: a request takes effect once, however often it is sent (D16).
//!
//! A request claims its key before it sends anything. The claim carries a fencing token, so a request whose lease has
//! expired cannot store a response: another may have taken over.

mod fingerprint;
mod held_claim;

pub(super) use held_claim::{ClaimSlot, HeldClaim};

use super::Call;
use crate::changes::{CreatePlan, CreateTrigger, begin_creates};
use crate::domain::spending::Spendings;
use crate::domain::{Change, ChangeId, KeyId, Reason, RetryStatement, Statement, StoredResponse};
use crate::envelope::Reply;
use crate::error::{Error, Kind};
use crate::store::{IdempotencyClaim, IdempotencyRecord};
use jiff::Timestamp;
use std::ops::Range;
use std::time::Duration;
use uuid::Uuid;

/// `Retry-After` while another request with the key is in progress.
const IN_PROGRESS_RETRY_AFTER: Duration = Duration::from_secs(2);

/// The result of a claim on an `Idempotency-Key`.
#[derive(Debug)]
pub enum ClaimOutcome {
    /// This request is the first, or has no key.
    New,
    /// An earlier request ended without a final response. This one continues its work.
    Resumed {
        /// The id of the earlier request.
        first: Uuid,
        /// The changes of the earlier request: its creates, or the change that it has scheduled.
        changes: Vec<ChangeId>,
    },
    /// An earlier request has a final response.
    Replayed(StoredResponse),
}

/// The result of a claim on the `Idempotency-Key` of a change that names the desired state.
#[derive(Debug)]
pub enum ChangeClaim {
    /// No earlier attempt has stored a change, or the request has no key.
    New,
    /// The changes of earlier attempts that have one of the given numbers.
    Repeated(Vec<Change>),
    /// An earlier request has a final response.
    Replayed(StoredResponse),
}

impl Call {
    /// Claims the request's `Idempotency-Key`, if present.
    pub async fn claim(&self) -> Result<ClaimOutcome, Error> {
        let Some(key) = self.request.scoped_idempotency_key()? else { return Ok(ClaimOutcome::New) };
        let fingerprint = self.request.fingerprint();
        let claim = self.idempotency_claim(&key, &fingerprint)?;
        self.claimed(&claim, self.store().claim_idempotency_key(&claim).await).await
    }

    /// Claims the request's `Idempotency-Key`, if present, and stores its creates together with the claim. Nothing is
    /// sent to a platform before this.
    pub async fn claim_creates(&self, plans: &[CreatePlan<'_>], spendings: Spendings) -> Result<ClaimOutcome, Error> {
        let now = self.request.now;
        let Some(key) = self.request.scoped_idempotency_key()? else {
            self.record(plans);
            let begun = begin_creates(self.store(), plans, spendings, CreateTrigger::Request(None), now).await;
            if begun.as_ref().is_err_and(|error| error.limit.is_some()) {
                plans.iter().for_each(|plan| self.recorded.remove(plan.create.id));
            }
            return begun.map(|_| ClaimOutcome::New);
        };
        let fingerprint = self.request.fingerprint();
        let claim = self.idempotency_claim(&key, &fingerprint)?;
        let claimed =
            match begin_creates(self.store(), plans, spendings, CreateTrigger::Request(Some(&claim)), now).await {
                // A retry creates nothing, so the limit does not count it.
                Err(refusal) if refusal.limit.is_some() => match self.known_key(&claim).await? {
                    Some(_) => Ok(false),
                    None => Err(refusal),
                },
                claimed => claimed,
            };
        let outcome = self.claimed(&claim, claimed).await?;
        if matches!(outcome, ClaimOutcome::New) {
            self.record(plans);
        }
        Ok(outcome)
    }

    /// What a claim leads to: `true` if the key was new.
    async fn claimed(&self, claim: &IdempotencyClaim<'_>, claimed: Result<bool, Error>) -> Result<ClaimOutcome, Error> {
        match claimed {
            Ok(true) => {
                self.hold_claim(claim.key, 1, (claim.request, claim.now));
                Ok(ClaimOutcome::New)
            }
            // `None`: the record expired after our claim failed.
            Ok(false) => self.resume(claim, self.known_key(claim).await?.ok_or_else(in_progress)?).await,
            // DynamoDB reported a conflict: a concurrent request is claiming the same key.
            Err(error) if error.kind == Kind::RateLimited => Err(in_progress()),
            Err(error) => Err(error),
        }
    }

    /// Stores a change for its time, together with the claim of the request's `Idempotency-Key` if it has one. A retry
    /// finds the change of the first request, or its response.
    pub async fn schedule(&self, change: Change) -> Result<Reply, Error> {
        let (store, now) = (self.store(), self.request.now);
        let outcome = match self.request.scoped_idempotency_key()? {
            None => store.schedule_change(&change, None, now).await.map(|_| ClaimOutcome::New)?,
            Some(key) => {
                let fingerprint = self.request.fingerprint();
                let claim = self.idempotency_claim(&key, &fingerprint)?;
                self.claimed(&claim, store.schedule_change(&change, Some(&claim), now).await).await?
            }
        };
        let waiting = match outcome {
            ClaimOutcome::Replayed(stored) => return Ok(Reply::Replayed(stored)),
            ClaimOutcome::New => {
                self.recorded.add(change.id);
                change
            }
            ClaimOutcome::Resumed { changes, .. } => self.scheduled_before(&changes).await?.unwrap_or(change),
        };
        Ok(Reply::Waiting(Box::new(waiting)))
    }

    /// For a request that cannot schedule its change now but may have done so before: the change of the earlier request
    /// with the same key, or its response. If there is none, returns the rejection.
    pub async fn earlier_schedule_or_refuse(&self, rejection: Error) -> Result<Reply, Error> {
        let (outcome, rejection) = self.continue_earlier_or_refuse(rejection).await?;
        match outcome {
            ClaimOutcome::Replayed(stored) => Ok(Reply::Replayed(stored)),
            ClaimOutcome::New => Err(rejection),
            ClaimOutcome::Resumed { changes, .. } => {
                let first = self.scheduled_before(&changes).await?;
                first.map(|first| Reply::Waiting(Box::new(first))).ok_or(rejection)
            }
        }
    }

    /// The change that an earlier request has scheduled.
    async fn scheduled_before(&self, changes: &[ChangeId]) -> Result<Option<Change>, Error> {
        let Some(id) = changes.first() else { return Ok(None) };
        self.store().change(self.customer.id, *id).await.map_err(earlier_outcome_unknown)
    }

    /// For a request that fails validation now but may have been accepted before: resumes or replays the earlier
    /// request. If there is none, returns the rejection.
    pub async fn continue_earlier_or_refuse(&self, rejection: Error) -> Result<(ClaimOutcome, Error), Error> {
        let Some(key) = self.request.scoped_idempotency_key()? else { return Err(rejection) };
        let fingerprint = self.request.fingerprint();
        let claim = self.idempotency_claim(&key, &fingerprint)?;
        let Some(known) = self.known_key(&claim).await? else { return Err(rejection) };
        self.resume(&claim, known).await.map(|outcome| (outcome, rejection))
    }

    /// For a request that cannot be read, as with the `X-API-Shape` of another shape: the final response to an earlier
    /// request with the same key and content. If there is none, returns the rejection.
    pub async fn replay_earlier_or_refuse(&self, rejection: Error) -> Result<Reply, Error> {
        let Ok(Some(key)) = self.request.scoped_idempotency_key() else { return Err(rejection) };
        let fingerprint = self.request.fingerprint();
        let known = self.known_key(&self.idempotency_claim(&key, &fingerprint)?).await?;
        known.and_then(|known| known.response).map(Reply::Replayed).ok_or(rejection)
    }

    /// Claims the `Idempotency-Key` of a change that names the desired state, if present, and reads what earlier attempts
    /// have left. `numbers` are those that a change of the request may have.
    pub async fn claim_change(&self, numbers: Range<usize>) -> Result<ChangeClaim, Error> {
        let outcome = self.claim().await?;
        self.changes_of(outcome, numbers).await
    }

    /// The same for a request that is refused now but may have been made before. If it was not, returns the refusal.
    pub async fn earlier_changes_or_refuse(
        &self,
        numbers: Range<usize>,
        refusal: Error,
    ) -> Result<(ChangeClaim, Error), Error> {
        let (outcome, refusal) = self.continue_earlier_or_refuse(refusal).await?;
        Ok((self.changes_of(outcome, numbers).await?, refusal))
    }

    async fn changes_of(&self, outcome: ClaimOutcome, numbers: Range<usize>) -> Result<ChangeClaim, Error> {
        match outcome {
            ClaimOutcome::New => Ok(ChangeClaim::New),
            ClaimOutcome::Replayed(stored) => Ok(ChangeClaim::Replayed(stored)),
            ClaimOutcome::Resumed { .. } => {
                let ids: Vec<ChangeId> = numbers.map(|number| self.change_id(number)).collect();
                let changes = self.store().changes_by_id(self.customer.id, &ids, self.request.now).await;
                Ok(ChangeClaim::Repeated(changes.map_err(earlier_outcome_unknown)?))
            }
        }
    }

    /// The id of a change of this request. All attempts under one `Idempotency-Key` have the ids of the first request, so
    /// a retry finds what that has done.
    pub fn change_id(&self, number: usize) -> ChangeId {
        let (request, at) = self.first_request();
        ChangeId::new(at, request, number)
    }

    /// The request that has claimed the `Idempotency-Key` first, and its time; this one before a claim, or without a key.
    pub fn first_request(&self) -> (Uuid, Timestamp) {
        self.claim.get().map_or((self.request.request_id, self.request.now), |claim| claim.first)
    }

    /// Number of the attempt under the `Idempotency-Key`, from 1.
    pub fn attempt(&self) -> i64 {
        self.claim.get().map_or(1, |claim| claim.fencing_token)
    }

    /// The record of a key that is known; an error if it belongs to a different request.
    async fn known_key(&self, claim: &IdempotencyClaim<'_>) -> Result<Option<IdempotencyRecord>, Error> {
        let known = self
            .store()
            .idempotency_record(claim.customer, claim.key, claim.now)
            .await
            .map_err(earlier_outcome_unknown)?;
        let Some(known) = known else { return Ok(None) };
        let is_same = known.fingerprint == claim.fingerprint && self.may_continue(&known);
        match (is_same, known.is_erased) {
            (false, _) => Err(key_reused()),
            (true, true) => Err(erased()),
            (true, false) => Ok(Some(known)),
        }
    }

    /// Whether the caller may have the response to the first request, which acted for the same user. One whose key has a
    /// limit gets none that another key has asked for: it may name what the caller does not see.
    fn may_continue(&self, known: &IdempotencyRecord) -> bool {
        self.rights.limit().is_none() || known.claimed_by.is_some() && known.claimed_by == self.key_id()
    }

    /// The id of the API key of the request; `None` for a person.
    fn key_id(&self) -> Option<KeyId> {
        let key = self.current_key(&self.keys).ok().flatten();
        key.map(|key| key.id.clone())
    }

    async fn resume(&self, claim: &IdempotencyClaim<'_>, known: IdempotencyRecord) -> Result<ClaimOutcome, Error> {
        if let Some(response) = known.response {
            return Ok(ClaimOutcome::Replayed(response));
        }
        if known.request == claim.request && known.fencing_token == 1 {
            // Our own claim: the store client retried a write that had succeeded.
            self.hold_claim(claim.key, known.fencing_token, (known.request, known.claimed_at));
            known.creates.iter().for_each(|id| self.recorded.add(*id));
            return Ok(ClaimOutcome::New);
        }
        let is_held = known.lease_until > claim.now;
        if is_held || !self.store().take_over_idempotency_key(claim, &known).await.map_err(earlier_outcome_unknown)? {
            return Err(in_progress());
        }
        self.hold_claim(claim.key, known.fencing_token + 1, (known.request, known.claimed_at));
        known.creates.iter().for_each(|id| self.recorded.add(*id));
        Ok(ClaimOutcome::Resumed { first: known.request, changes: known.creates })
    }

    fn idempotency_claim<'a>(&self, key: &'a str, fingerprint: &'a str) -> Result<IdempotencyClaim<'a>, Error> {
        let now = self.request.now;
        let request = self.request.request_id;
        let lease_until = self.request.ends_at()?;
        let (customer, claimed_by) = (self.customer.id, self.key_id());
        Ok(IdempotencyClaim { customer, key, fingerprint, claimed_by, request, now, lease_until })
    }

    /// Notes the creates for the response.
    fn record(&self, plans: &[CreatePlan<'_>]) {
        plans.iter().for_each(|plan| self.recorded.add(plan.create.id));
    }

    fn hold_claim(&self, key: &str, fencing_token: i64, first: (Uuid, Timestamp)) {
        // A request claims once, so the slot is empty.
        let _ = self.claim.set(HeldClaim { customer: self.customer.id, key: key.to_owned(), fencing_token, first });
    }
}

/// The error for a key whose request was about a user that is erased: nothing is sent again.
fn erased() -> Error {
    let message = "The request under this Idempotency-Key was about a user that was erased, and its response with it. \
                   Nothing was sent. Use a new key for a new request.";
    Error::new(Kind::Conflict, message).because(Reason::UserErased)
}

fn key_reused() -> Error {
    Error::new(Kind::KeyReused, RetryStatement::OtherRequest)
}

/// Says in the message of an internal error that the earlier request's outcome is unknown.
pub fn earlier_outcome_unknown(error: Error) -> Error {
    if error.kind != Kind::Internal {
        return error;
    }
    let ours = Statement::from("Something went wrong on our side, and this request had no effect.");
    Error { message: ours.and(RetryStatement::EarlierUnknown), ..error }
}

fn in_progress() -> Error {
    Error::new(Kind::Conflict, RetryStatement::InProgress)
        .because(Reason::IdempotencyKeyInUse)
        .retryable()
        .retry_after(IN_PROGRESS_RETRY_AFTER)
}
