//! `deleteCampaign`.

use crate::named_campaign;
use crate::read_back::{ReadBack, is_removed, may_have_taken_effect, read_back, removal_error};
use shared::domain::{CampaignId, Connection, PlatformCampaign};
use shared::envelope::Reply;
use shared::envelope::query::reject_unknown_params;
use shared::error::{Error, Kind};
use shared::platforms::{AccountSession, AdPlatform};
use shared::serve::Call;

/// Removes a campaign. A repeated removal is 404, or the first response under its `Idempotency-Key`.
pub(crate) async fn delete(call: &Call) -> Result<Reply, Error> {
    reject_unknown_params(&call.request.query, &[])?;
    let named = match named_campaign(call) {
        Ok(named) => named,
        Err(refusal) => return call.replay_or(refusal).await,
    };
    match call.claim_change().await? {
        Some(replay) => Ok(replay),
        None => remove(call, named).await,
    }
}

async fn remove(call: &Call, (id, connection, remote_id): (CampaignId, &Connection, String)) -> Result<Reply, Error> {
    let remote_id = remote_id.as_str();
    let context = call.platform_context();
    context
        .in_account(connection, |adapter, session| async move {
            let current = adapter.get_campaign(&session, remote_id).await?;
            if current.status.is_final() {
                return Err(Error::not_found("campaign"));
            }
            match adapter.delete_campaign(&session, &current).await {
                Err(error) if may_have_taken_effect(&error) => {
                    confirm_removal(adapter, &session, &current, error).await
                }
                Err(error) if error.kind == Kind::PlatformRefused && is_removed(adapter, &session, remote_id).await => {
                    // Another request removed it first: the platform refuses a second removal.
                    Err(Error::not_found("campaign"))
                }
                outcome => outcome,
            }
        })
        .await?;
    if let Err(error) = call.store().touch_record(call.customer.id, &id, call.request.now).await {
        tracing::error!(campaign = %id, %error, "record of a removed campaign not written");
    }
    Ok(Reply::Done)
}

/// Reads the campaign back after an unclear response. An error unless the campaign is removed.
async fn confirm_removal(
    adapter: &dyn AdPlatform,
    session: &AccountSession,
    before: &PlatformCampaign,
    reason: Error,
) -> Result<(), Error> {
    let exists = match read_back(adapter, session, &before.remote_id).await {
        ReadBack::Found(read) if read.status.is_final() => return Ok(()),
        ReadBack::NotFound => return Ok(()),
        ReadBack::Found(_) => true,
        ReadBack::Unavailable => false,
    };
    Err(removal_error(exists, before.platform(), reason))
}
