//! `deleteWebhookEndpoint`.

use crate::{id_in_path, not_found};
use shared::envelope::Reply;
use shared::envelope::query::reject_unknown_params;
use shared::error::Error;
use shared::serve::Call;

/// Deletes an endpoint and its secret.
pub(crate) async fn delete(call: &Call) -> Result<Reply, Error> {
    reject_unknown_params(&call.request.query, &[])?;
    let deleted = call.store().delete_webhook_endpoint(call.customer.id, &id_in_path(call)?).await;
    let advice = "Send the request again: 404 means that the webhook endpoint is deleted.";
    if deleted.map_err(|error| error.may_have_taken_effect(advice))? { Ok(Reply::Done) } else { Err(not_found()) }
}
