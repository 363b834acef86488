//! Continues a create that an earlier request with the same `Idempotency-Key` started.

use crate::targets::require_targets;
use futures_util::future::join_all;
use shared::domain::{Campaign, Intent};
use shared::envelope::{TargetResult, Targets};
use shared::error::{Error, Kind};
use shared::intents::CreateSender;
use shared::serve::{Call, earlier_outcome_unknown};
use shared::store::ConnectionRef;
use shared::tokens::PlatformContext;
use uuid::Uuid;

/// Continues the intents of an earlier request with the same `Idempotency-Key`, each with its own connection. If the
/// plan no longer includes `targets`, nothing more is sent.
pub(crate) async fn resume(call: &Call, targets: &Targets, first: Uuid) -> Result<Vec<TargetResult>, Error> {
    let intents =
        call.store().intents(call.customer.id, first, call.request.now).await.map_err(earlier_outcome_unknown)?;
    if intents.len() != targets.as_slice().len() {
        return Err(intents_expired());
    }
    if intents.iter().any(|intent| intent.needs_renewal(call.request.now)) {
        call.store().renew_intents(&intents, call.request.now).await.map_err(earlier_outcome_unknown)?;
    }
    // The connections of the request may differ from those of the first one.
    let names: Vec<_> = intents.iter().map(ConnectionRef::of_intent).collect();
    let connected = call.store().named_connections(call.customer.id, &names, call.request.now);
    let connected = &connected.await.map_err(earlier_outcome_unknown)?;
    let refusal = match targets {
        Targets::One(_) => None,
        Targets::Many(_) => require_targets(call.customer.plan).err(),
    };
    let sender = create_sender(call);
    let context = PlatformContext { connected, ..sender.context };
    let sender = CreateSender { context, blocked_by: refusal.as_ref(), ..sender };
    let outcomes = join_all(intents.iter().map(|intent| sender.resume(intent))).await;
    Ok(results(&intents, outcomes))
}

/// The error for a key with expired intents. This is rare: a key outlives its intents by at most a day, and maintenance
/// renews intents with an unknown outcome. A response without a target would suggest that it was not created.
fn intents_expired() -> Error {
    let message = "The create with this Idempotency-Key is more than 30 days old, and some of its outcomes have expired. \
                   List the campaigns, then create the missing ones with a new key.";
    Error::new(Kind::Conflict, message)
}

/// The sender of the call's creates.
pub(crate) fn create_sender(call: &Call) -> CreateSender<'_> {
    CreateSender { context: call.platform_context(), is_keyed: call.request.is_keyed(), blocked_by: None }
}

/// Pairs each intent with its outcome.
pub(crate) fn results(intents: &[Intent], outcomes: Vec<Result<Campaign, Error>>) -> Vec<TargetResult> {
    let result = |(intent, outcome): (&Intent, Result<Campaign, Error>)| TargetResult {
        platform: intent.platform,
        account_id: intent.account_id.clone(),
        outcome,
    };
    intents.iter().zip(outcomes).map(result).collect()
}
