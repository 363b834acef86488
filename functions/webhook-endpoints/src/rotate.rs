//! `rotateWebhookSecret`.

use crate::{id_in_path, not_found};
use shared::envelope::Reply;
use shared::envelope::query::reject_unknown_params;
use shared::error::Error;
use shared::serve::Call;
use shared::webhook_secrets::new_secret;

/// Replaces the secret of an endpoint. The new one is in this response only, and the old one signs for another day.
pub(crate) async fn rotate(call: &Call) -> Result<Reply, Error> {
    reject_unknown_params(&call.request.query, &[])?;
    call.request.reject_body()?;
    let id = id_in_path(call)?;
    let (secret, sealed) = new_secret(&call.request.app, call.customer.id, &id).await?;
    let rotated = call.store().rotate_webhook_secret(call.customer.id, &id, &sealed, call.request.now).await;
    let advice = "Rotate again to get a secret. Only the two newest sign, which then may not be the one that you have.";
    let endpoint = rotated.map_err(|error| error.may_have_taken_effect(advice))?.ok_or_else(not_found)?;
    Ok(Reply::WebhookSecretRotated { endpoint: Box::new(endpoint), secret })
}
