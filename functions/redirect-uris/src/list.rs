//! `GET /v1/redirect-uris` (D35 in the README).

use shared::envelope::Reply;
use shared::envelope::query::refuse_strangers;
use shared::error::Error;
use shared::serve::Call;

/// Lists the registered URIs, newest first.
pub(crate) async fn list(call: &Call) -> Result<Reply, Error> {
    refuse_strangers(&call.public.query, &[])?;
    Ok(Reply::RedirectUris(call.store().redirect_uris(call.customer.id).await?))
}
