//! The change of an update or a removal.

use shared::domain::{Action, CampaignId, Change, ChangeId, ChangeState, Connection, Executor, Told};
use shared::error::Error;
use shared::platforms::errors::token_expired;
use shared::serve::Call;

/// The change that a request makes to one campaign.
pub(crate) fn edit_of(call: &Call, connection: &Connection, id: &CampaignId, action: Action) -> Result<Change, Error> {
    let account = connection.account.as_ref().ok_or_else(|| token_expired(connection.platform))?;
    let request = &call.request;
    Ok(Change {
        id: ChangeId::new(request.now, request.request_id, 0),
        customer: call.customer.id,
        platform: connection.platform,
        account_id: account.id.clone(),
        connection: connection.id.clone(),
        currency: account.currency,
        campaign: Some(id.clone()),
        action,
        request: request.request_id,
        requested_by: call.requester()?,
        executed_by: Executor::Request,
        approval: None,
        asked: None,
        state: ChangeState::Sending,
        apply_at: None,
        is_held: false,
        is_limited: false,
        stops: None,
        before: None,
        after: None,
        attempt: 1,
        send_deadline: request.ends_at()?,
        sent_at: Some(request.now),
        settled_at: None,
        expires_at: Change::<Action>::expiry_from(request.now),
        told: Told::default(),
    })
}
