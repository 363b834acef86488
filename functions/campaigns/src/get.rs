//! `getCampaign`.

use crate::{complete, named_campaign};
use shared::envelope::Reply;
use shared::envelope::query::reject_unknown_params;
use shared::error::Error;
use shared::serve::Call;

/// Reads a campaign from its platform, and concurrently its stored record.
pub(crate) async fn get(call: &Call) -> Result<Reply, Error> {
    reject_unknown_params(&call.request.query, &[])?;
    let (id, connection, remote_id) = named_campaign(call)?;
    let context = call.platform_context();
    let read = context.get_campaign(connection, &remote_id);
    // join!, not try_join!: a failed record read must not cancel a token refresh, nor hide the campaign.
    let (campaign, record) = tokio::join!(read, call.store().record(call.customer.id, &id));
    Ok(Reply::Campaign(Box::new(complete(call, campaign?, connection, record)?)))
}
