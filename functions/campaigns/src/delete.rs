//! `DELETE /v1/campaigns/{id}` (spec 4.1).

use crate::named_campaign;
use shared::envelope::Reply;
use shared::envelope::query::refuse_strangers;
use shared::error::Error;
use shared::serve::Call;

/// Removes a campaign. One that is removed already is not found, so the second time says 404.
pub(crate) async fn delete(call: &Call) -> Result<Reply, Error> {
    refuse_strangers(&call.public.query, &[])?;
    let (id, connection, remote_id) = named_campaign(call)?;
    let remote_id = remote_id.as_str();
    let caller = call.caller();
    caller
        .in_account(connection, |adapter, session| async move {
            let current = adapter.get_campaign(&session, remote_id).await?;
            if current.status.is_final() {
                return Err(Error::not_found("campaign"));
            }
            adapter.delete_campaign(&session, &current).await
        })
        .await?;
    if let Err(error) = call.store().touch_record(call.customer.id, &id, call.public.now).await {
        tracing::error!(campaign = %id, %error, "a removed campaign's record was not kept");
    }
    Ok(Reply::Done)
}
