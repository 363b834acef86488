//! The changes of an update or a removal.

use crate::schedule::Named;
use jiff::Timestamp;
use shared::domain::{Action, Attempt, Change, ChangeOrigin, ChangeTarget, Executor};
use shared::error::Error;
use shared::platforms::errors::token_expired;
use shared::serve::Call;

/// Numbers of the changes that a request may make. With the request they give the ids, so that a retry under an
/// `Idempotency-Key` finds them.
pub(crate) mod number {
    use std::ops::Range;

    /// The update or the removal itself.
    pub(crate) const EDIT: usize = 0;
    /// The pause at an end that the service holds.
    pub(crate) const PAUSE: usize = 1;
    /// The activation at a start that the service holds.
    pub(crate) const ACTIVATION: usize = 2;
    /// The move of a monthly budget.
    pub(crate) const MONTH: usize = 3;
    /// The activation at the month's end, in the name of whoever takes the monthly budget over.
    pub(crate) const RESUMPTION: usize = 4;
    /// What a partly applied edit has left, and what that has left: an edit has six fields.
    pub(crate) const RESTS: Range<usize> = 5..10;
    /// All of them.
    pub(crate) const ALL: Range<usize> = EDIT..RESTS.end;
}

/// The change with this number that a request makes to one campaign at once. The attempts under one `Idempotency-Key` are
/// attempts at one change.
pub(crate) fn edit_of(call: &Call, named: &Named<'_>, action: Action, number: usize) -> Result<Change, Error> {
    let (target, origin) = (target_of(call, named)?, origin_of(call, Executor::Request)?);
    let attempt = Attempt { number: call.attempt(), at: call.request.now, until: call.request.ends_at()? };
    Ok(Change::sent(call.change_id(number), target, origin, action, attempt))
}

/// The change with this number, for a later time.
pub(crate) fn scheduled_of(
    call: &Call,
    named: &Named<'_>,
    action: Action,
    number: usize,
    apply_at: Timestamp,
) -> Result<Change, Error> {
    let (target, origin) = (target_of(call, named)?, origin_of(call, Executor::Schedule)?);
    Ok(Change::scheduled(call.change_id(number), target, origin, action, apply_at))
}

/// The change with this number, for a person to approve.
pub(crate) fn asked_of(call: &Call, named: &Named<'_>, action: Action, number: usize) -> Result<Change, Error> {
    let (target, origin) = (target_of(call, named)?, origin_of(call, Executor::Request)?);
    let asked = Change::asked(call.change_id(number), target, origin, action, call.request.now);
    // The next attempt, which follows the approval, has a number that none had before.
    Ok(Change { attempt: call.attempt() - 1, ..asked })
}

fn target_of(call: &Call, named: &Named<'_>) -> Result<ChangeTarget, Error> {
    let Named { id, connection, .. } = named;
    let account = connection.account.as_ref().ok_or_else(|| token_expired(connection.platform))?;
    Ok(ChangeTarget {
        customer: call.customer.id,
        platform: connection.platform,
        account_id: account.id.clone(),
        connection: connection.id.clone(),
        currency: account.currency,
        campaign: Some(id.clone()),
    })
}

fn origin_of(call: &Call, executed_by: Executor) -> Result<ChangeOrigin, Error> {
    let (request, _) = call.first_request();
    Ok(ChangeOrigin { request, requested_by: call.requester()?, executed_by })
}
