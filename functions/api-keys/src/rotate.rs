//! `rotateKey`.

use crate::unknown_outcome::unknown_outcome;
use shared::auth::ApiKey;
use shared::domain::NamedKeys;
use shared::envelope::Reply;
use shared::envelope::query::reject_unknown_params;
use shared::error::Error;
use shared::serve::Call;

/// Replaces the secret of the caller's key with a new one of the same mode. Every admission checks the stored hash, so
/// the old secret is invalid from this write on.
pub(crate) async fn rotate(call: &Call) -> Result<Reply, Error> {
    reject_unknown_params(&call.request.query, &[])?;
    call.request.reject_body()?;
    let (secret, now) = (ApiKey::generate(call.customer.id, call.caller.mode())?, call.request.now);
    let prefix = secret.display_prefix();
    let rotate = |keys: &NamedKeys| {
        let current = call.current_key(keys)?.ok_or_else(|| Error::not_found("API key"))?;
        Ok::<_, Error>(keys.rotated(&current.id, &secret.hash(), &prefix, now))
    };
    let rotated = call.store().change_keys(call.customer.id, call.keys.clone(), now, rotate).await;
    let advice = "If this key is rejected from now on, delete it with another key, or ask the operator for a new one.";
    rotated.map_err(|error| unknown_outcome(error, advice))??;
    Ok(Reply::KeyRotated { prefix, created_at: now, key: secret.reveal().into() })
}
