//! `cancelChange`.

use super::{KIND, not_found};
use shared::changes;
use shared::domain::{BulkId, ChangeId, ChangeOrigin, ExternalRef, Reason, Requester};
use shared::envelope::Reply;
use shared::envelope::query::reject_unknown_params;
use shared::error::{Error, Kind};
use shared::serve::Call;
use uuid::Uuid;

/// Cancels a change that waits for its time or for a person. 409 for any other.
pub(crate) async fn cancel(call: &Call) -> Result<Reply, Error> {
    reject_unknown_params(&call.request.query, &[])?;
    call.request.reject_body()?;
    let id = ChangeId::parse(&call.request.parameter).ok_or_else(not_found)?;
    let now = call.request.now;
    let change = call.store().change(call.customer.id, id).await?.filter(|change| change.expires_at > now);
    let change = call.require_visible(change.ok_or_else(not_found)?, KIND)?;
    require_cancelable(call, &change.requested_by, change.external_ref.as_ref(), change.request).await?;
    let by = ChangeOrigin::new(call.request.request_id, call.requester()?);
    Ok(Reply::Change(Box::new(changes::cancel(call.store(), change, &by, now).await?)))
}

/// Refuses to cancel or to undo what the caller may not: what somebody else than a key with a limit has asked for, and the
/// pauses of a user that is paused. `user` and `request` are those of the change or of the bulk change.
pub(super) async fn require_cancelable(
    call: &Call,
    requested_by: &Requester,
    user: Option<&ExternalRef>,
    request: Uuid,
) -> Result<(), Error> {
    require_own(call, requested_by)?;
    changes::require_not_of_user_pause(call.store(), call.customer.id, user, BulkId(request)).await
}

/// A key with a limit cancels what it has asked for, and nothing else: another change may be what stops a campaign.
fn require_own(call: &Call, requested_by: &Requester) -> Result<(), Error> {
    let Some(key) = call.key_spending().and_then(|spending| spending.spender.key()) else { return Ok(()) };
    if requested_by.is_key(key) {
        return Ok(());
    }
    let message = "An API key with a spending limit cancels only changes that it has asked for.";
    Err(Error::new(Kind::Forbidden, message).because(Reason::SpendingLimit))
}
