//! `DELETE /v1/campaigns/{id}` (spec 4.1).

use crate::named_campaign;
use crate::read_back::{Sight, is_removed, look, may_have_happened, not_removed};
use shared::domain::Campaign;
use shared::envelope::Reply;
use shared::envelope::query::reject_unknown_params;
use shared::error::{Error, Kind};
use shared::platforms::{AdPlatform, Session};
use shared::serve::Call;

/// Removes a campaign. One that is removed already is not found, so the second time says 404.
pub(crate) async fn delete(call: &Call) -> Result<Reply, Error> {
    reject_unknown_params(&call.request.query, &[])?;
    let (id, connection, remote_id) = named_campaign(call)?;
    let remote_id = remote_id.as_str();
    let caller = call.platform_context();
    caller
        .in_account(connection, |adapter, session| async move {
            let current = adapter.get_campaign(&session, remote_id).await?;
            if current.status.is_final() {
                return Err(Error::not_found("campaign"));
            }
            match adapter.delete_campaign(&session, &current).await {
                Err(error) if may_have_happened(&error) => read_back(adapter, &session, &current, error).await,
                Err(error) if error.kind == Kind::PlatformRefused && is_removed(adapter, &session, remote_id).await => {
                    // Another request was quicker: the platform refuses to remove it twice.
                    Err(Error::not_found("campaign"))
                }
                outcome => outcome,
            }
        })
        .await?;
    if let Err(error) = call.store().touch_record(call.customer.id, &id, call.request.now).await {
        tracing::error!(campaign = %id, %error, "a removed campaign's record was not kept");
    }
    Ok(Reply::Done)
}

/// Done when the campaign is removed after all, else the error that says that it is not.
async fn read_back(adapter: &dyn AdPlatform, session: &Session, before: &Campaign, reason: Error) -> Result<(), Error> {
    let is_there = match look(adapter, session, &before.remote_id).await {
        Sight::Campaign(read) if read.status.is_final() => return Ok(()),
        Sight::Gone => return Ok(()),
        Sight::Campaign(_) => true,
        Sight::Nothing => false,
    };
    Err(not_removed(is_there, before.platform(), reason))
}
