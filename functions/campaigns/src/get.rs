//! `GET /v1/campaigns/{id}`.

use crate::{complete, named_campaign};
use shared::envelope::Reply;
use shared::envelope::query::reject_unknown_params;
use shared::error::Error;
use shared::serve::Call;

/// Reads one campaign. Our record of it is read while the platform is asked.
pub(crate) async fn get(call: &Call) -> Result<Reply, Error> {
    reject_unknown_params(&call.request.query, &[])?;
    let (id, connection, remote_id) = named_campaign(call)?;
    let remote_id = remote_id.as_str();
    let caller = call.platform_context();
    let read = caller
        .in_account(connection, |adapter, session| async move { adapter.get_campaign(&session, remote_id).await });
    // Joined, not tried: a record that cannot be read must not cut off a refresh, nor hide the campaign.
    let (campaign, record) = tokio::join!(read, call.store().record(call.customer.id, &id));
    let mut campaign = campaign?;
    complete(&mut campaign, record);
    Ok(Reply::Campaign(Box::new(campaign)))
}
