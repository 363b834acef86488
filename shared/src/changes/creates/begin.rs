//! The begin of creates: they are counted against the limits of their key and users and stored, before any is sent.

use crate::changes::plan::{CreatePlan, count_creates};
use crate::changes::spending_limit::MAX_ATTEMPTS;
use crate::domain::maintenance_schedule::TWO_INTERVALS_TEXT;
use crate::domain::spending::Spendings;
use crate::domain::{ChangeError, Create};
use crate::error::{Error, Kind};
use crate::store::{BeginResult, IdempotencyClaim, Store, back_off, contended};
use jiff::Timestamp;

/// What starts creates.
#[derive(Clone, Copy, Debug)]
pub enum CreateTrigger<'a> {
    /// Their request, with the claim of its `Idempotency-Key` if it has one.
    Request(Option<&'a IdempotencyClaim<'a>>),
    /// A person who has approved the one create; as it waits.
    Approval(&'a Create),
}

/// Counts and stores creates, all or none. Retries if a spending has changed since it was read. `false` if the
/// `Idempotency-Key` is known, or if the create does not wait for a person any more.
pub async fn begin_creates(
    store: &Store,
    plans: &[CreatePlan<'_>],
    spendings: Spendings,
    by: CreateTrigger<'_>,
    now: Timestamp,
) -> Result<bool, Error> {
    let creates: Vec<Create> = plans.iter().map(|plan| plan.create.clone()).collect();
    match (count_and_store(store, plans, &creates, spendings, by, now).await, by) {
        // Without a claim, each create is stored by itself.
        (Err(error), CreateTrigger::Request(None)) if error.limit.is_none() => {
            Err(abandon(store, &creates, error).await)
        }
        (begun, _) => begun,
    }
}

async fn count_and_store(
    store: &Store,
    plans: &[CreatePlan<'_>],
    creates: &[Create],
    mut spendings: Spendings,
    by: CreateTrigger<'_>,
    now: Timestamp,
) -> Result<bool, Error> {
    let Some(first) = creates.first() else { return Ok(true) };
    for attempt in 0..MAX_ATTEMPTS {
        // A user whose creates are not counted is not written.
        let counted = count_creates(plans, &spendings, now)?.changed_from(&spendings);
        let begun = match by {
            CreateTrigger::Request(claim) => store.begin_creates(creates, claim, &counted).await?,
            CreateTrigger::Approval(waiting) => store.approve_create(waiting, first, &counted).await?,
        };
        match begun {
            BeginResult::Begun => return Ok(true),
            BeginResult::AlreadyBegun => return Ok(false),
            BeginResult::SpendingChanged => {}
        }
        if counted.is_empty() {
            break;
        }
        back_off(attempt).await;
        spendings = store.spendings_again(first.customer, &spendings).await?;
    }
    Err(contended())
}

/// Marks the creates of a request that sent nothing as failed; otherwise a later campaign could be matched to them. If that
/// fails, the caller must wait for maintenance before retrying.
async fn abandon(store: &Store, creates: &[Create], error: Error) -> Error {
    let reason = ChangeError {
        code: error.kind.code().to_owned(),
        reason: Some(error.reason()),
        message: error.message.clone(),
        ..ChangeError::default()
    };
    let (Err(failure), Some(first)) = (store.abandon_creates(creates, &reason).await, creates.first()) else {
        return error;
    };
    tracing::warn!(error = %failure, source = failure.source, "creates not abandoned");
    let message = format!(
        "Nothing was sent to an ad platform. The records of this request are removed within {TWO_INTERVALS_TEXT}. Wait \
         until GET /v1/campaigns/intents/{} says not_created or 404 before you send it again.",
        first.request
    );
    Error { source: error.source, ..Error::new(Kind::PlatformTimeout, message) }.of_unknown_outcome()
}
