//! Continues a create that an earlier request with the same `Idempotency-Key` started.

use crate::targets::require_targets;
use futures_util::future::join_all;
use shared::changes::CreateSender;
use shared::domain::{Campaign, ChangeId, Create, LimitRefusal, Requester};
use shared::envelope::{TargetResult, Targets};
use shared::error::{Error, Kind};
use shared::serve::{Call, earlier_outcome_unknown};
use shared::store::ConnectionRef;
use shared::tokens::PlatformContext;

/// Continues the creates of an earlier request with the same `Idempotency-Key`, each with its own connection. If the
/// plan no longer includes `targets`, nothing more is sent.
pub(crate) async fn resume(call: &Call, targets: &Targets, ids: &[ChangeId]) -> Result<Vec<TargetResult>, Error> {
    let refusal = match targets {
        Targets::One(_) => None,
        Targets::Many(_) => require_targets(call.customer.plan).err(),
    };
    resume_unless(call, targets, ids, refusal).await
}

/// Reports the outcome of the creates of an earlier request. Refuses those that were not sent, or have created nothing.
pub(crate) async fn read_back(
    call: &Call,
    targets: &Targets,
    ids: &[ChangeId],
    refusal: &Error,
) -> Result<Vec<TargetResult>, Error> {
    let refusal = Error { keeps_connection_status: true, ..Error::new(refusal.kind, refusal.message.clone()) };
    resume_unless(call, targets, ids, Some(refusal)).await
}

async fn resume_unless(
    call: &Call,
    targets: &Targets,
    ids: &[ChangeId],
    refusal: Option<Error>,
) -> Result<Vec<TargetResult>, Error> {
    let mut creates =
        call.store().creates(call.customer.id, ids, call.request.now).await.map_err(earlier_outcome_unknown)?;
    if creates.len() != targets.as_slice().len() {
        return Err(creates_expired());
    }
    if creates.iter().any(|create| create.needs_renewal(call.request.now)) {
        let renewed = call.store().renew_creates(creates, call.request.now);
        creates = renewed.await.map_err(earlier_outcome_unknown)?;
    }
    // The connections of the request may differ from those of the first one.
    let names: Vec<_> = creates.iter().map(|create| ConnectionRef::of_change(create)).collect();
    let connected = call.store().named_connections(call.customer.id, &names, call.request.now);
    let connected = &connected.await.map_err(earlier_outcome_unknown)?;
    let is_seen = call.visible(&creates).count() == creates.len();
    let refusal = match (refusal, is_seen) {
        (None, false) => Some(unseen(call)?),
        (refusal, _) => refusal,
    };
    let sender = create_sender(call);
    let context = PlatformContext { connected, ..sender.context };
    let sender = &CreateSender { context, blocked_by: refusal.as_ref(), ..sender };
    let resume = |create| async move {
        // What was created in a connection that has come to another user is that user's.
        if call.is_of_user(create) { sender.resume(create).await } else { Err(Error::not_found("connection")) }
    };
    let outcomes = join_all(creates.iter().map(resume)).await;
    Ok(results(&creates, outcomes))
}

/// The error of a caller who does not see the connection of a create any more.
fn unseen(call: &Call) -> Result<Error, Error> {
    match call.requester()? {
        Requester::ApiKey { id, .. } => Ok(Error::over_limit(LimitRefusal::connection(&id))),
        Requester::Person { .. } => Ok(Error::not_found("connection")),
    }
}

/// The error for a key with expired creates. This is rare: a key outlives its creates by at most a day, and maintenance
/// renews creates with an unknown outcome. A response without a target would suggest that it was not created.
fn creates_expired() -> Error {
    let message = "The create with this Idempotency-Key is more than a year old, and some of its outcomes have expired. \
                   List the campaigns, then create the missing ones with a new key.";
    Error::new(Kind::Conflict, message)
}

/// The sender of the call's creates.
pub(crate) fn create_sender(call: &Call) -> CreateSender<'_> {
    CreateSender { context: call.platform_context(), is_keyed: call.request.is_keyed(), blocked_by: None }
}

/// Pairs each create with its outcome.
pub(crate) fn results<'a>(
    creates: impl IntoIterator<Item = &'a Create>,
    outcomes: Vec<Result<Campaign, Error>>,
) -> Vec<TargetResult> {
    let result = |(create, outcome): (&Create, Result<Campaign, Error>)| TargetResult {
        platform: create.platform,
        account_id: create.account_id.clone(),
        reference: create.reference.clone(),
        outcome: outcome.map(|campaign| Campaign { reference: create.reference.clone(), ..campaign }),
    };
    creates.into_iter().zip(outcomes).map(result).collect()
}
