//! `rotateWebhookSecret`.

use crate::{id_in_path, not_found, replaced_meanwhile};
use shared::envelope::Reply;
use shared::envelope::query::reject_unknown_params;
use shared::error::Error;
use shared::serve::Call;
use shared::webhook_secrets::{has_secret, seal_secret};

/// Replaces the secret of an endpoint. The new one is in this response only, and the old one signs for another day. A form
/// replaces the secret that its page showed, once.
pub(crate) async fn rotate(call: &Call) -> Result<Reply, Error> {
    reject_unknown_params(&call.request.query, &[])?;
    call.request.reject_body()?;
    let (app, customer, id) = (&call.request.app, call.customer.id, id_in_path(call)?);
    let secret = call.caller.key_seed()?.webhook_secret(None);
    let sealed = seal_secret(app, customer, &id, &secret).await?;
    let version = call.caller.key_form().and_then(|form| form.version.as_ref());
    let version = version.map(|version| version.parse().unwrap_or_default());
    let rotated = call.store().rotate_webhook_secret(customer, &id, &sealed, version, call.request.now).await;
    let advice = "Rotate again to get a secret. Only the two newest sign, which then may not be the one that you have.";
    let endpoint = rotated.map_err(|error| error.may_have_taken_effect(advice))?.ok_or_else(not_found)?;
    if endpoint.secrets.current != sealed && !has_secret(app, customer, &endpoint, &secret).await? {
        return Err(replaced_meanwhile());
    }
    Ok(Reply::WebhookSecretRotated { endpoint: Box::new(endpoint), secret })
}
