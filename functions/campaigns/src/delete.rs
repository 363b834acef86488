//! `deleteCampaign`.

use crate::edit::edit_of;
use crate::named_campaign;
use shared::changes::Edit;
use shared::domain::{Action, CampaignId, Connection};
use shared::envelope::Reply;
use shared::envelope::query::reject_unknown_params;
use shared::error::Error;
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
    let change = edit_of(call, connection, &id, Action::Delete)?;
    Edit::new(call.platform_context(), connection, &change, &remote_id, &call.recorded).run().await?;
    Ok(Reply::Done)
}
