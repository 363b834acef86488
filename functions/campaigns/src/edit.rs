//! The changes of an update or a removal.

use shared::domain::{Action, CampaignId, Change, ChangeState, Connection, Executor, Told};
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

/// The change that a request makes to one campaign. The attempts under one `Idempotency-Key` are attempts at one change.
pub(crate) fn edit_of(call: &Call, connection: &Connection, id: &CampaignId, action: Action) -> Result<Change, Error> {
    let account = connection.account.as_ref().ok_or_else(|| token_expired(connection.platform))?;
    let request = &call.request;
    let (first, _) = call.first_request();
    Ok(Change {
        id: call.change_id(number::EDIT),
        customer: call.customer.id,
        platform: connection.platform,
        account_id: account.id.clone(),
        connection: connection.id.clone(),
        currency: account.currency,
        campaign: Some(id.clone()),
        action,
        request: first,
        requested_by: call.requester()?,
        executed_by: Executor::Request,
        approval: None,
        asked: None,
        state: ChangeState::Sending,
        apply_at: None,
        is_held: false,
        is_step: false,
        is_limited: false,
        stops: None,
        before: None,
        after: None,
        attempt: call.attempt(),
        send_deadline: request.ends_at()?,
        sent_at: Some(request.now),
        settled_at: None,
        expires_at: Change::<Action>::expiry_from(request.now),
        told: Told::default(),
    })
}
