//! `rotateKey`.

use crate::key_not_written::{KeyNotWritten, replaced_meanwhile};
use shared::auth::ApiKey;
use shared::domain::{ApiKeyInfo, ApiKeys};
use shared::envelope::Reply;
use shared::envelope::query::reject_unknown_params;
use shared::error::{Error, Kind};
use shared::serve::Call;

/// Replaces the secret of the caller's key with a new one of the same mode. Every admission checks the stored hash, so
/// the old secret is invalid from this write on. Of concurrent replacements one wins.
pub(crate) async fn rotate(call: &Call, known: ApiKeys) -> Result<Reply, Error> {
    reject_unknown_params(&call.request.query, &[])?;
    call.request.reject_body()?;
    let seed = call.caller.key_seed()?;
    let now = call.request.now;
    let secret_of = |at| ApiKey::derive(call.customer.id, call.caller.mode(), &seed, at);
    let secret = secret_of(now);
    let shown = match call.caller.key_form().and_then(|form| form.version.clone()) {
        Some(version) => version,
        None => current(call, &known)?.version(),
    };
    let rotate = |keys: &ApiKeys| {
        let current = current(call, keys)?;
        if current.is_of_assistant {
            return Err(no_secret().into());
        }
        if current.hash == secret_of(current.created_at).hash() {
            return Err(KeyNotWritten::AlreadyMade(Box::new(current.clone())));
        }
        if current.version() != shown {
            return Err(replaced_meanwhile().into());
        }
        Ok(keys.rotated(&current.id, &secret.hash(), &secret.display(), now))
    };
    let rotated = call.store().change_keys(call.customer.id, known, now, rotate).await;
    let advice = "If this key is rejected from now on, delete it with another key, or ask the operator for a new one.";
    let created_at = match rotated.map_err(|error| error.may_have_taken_effect(advice))? {
        Ok(_) => now,
        Err(KeyNotWritten::AlreadyMade(existing)) => existing.created_at,
        Err(KeyNotWritten::Refused(refusal)) => return Err(refusal),
    };
    // The secret follows from the time of creation, also if an earlier request of the same form has made it.
    let secret = secret_of(created_at);
    Ok(Reply::KeyRotated { display: secret.display(), created_at, secret: secret.reveal().into() })
}

/// The error for the key of an assistant, whose tokens are replaced by connecting it again.
fn no_secret() -> Error {
    let message = "This is the key of an assistant, which has no secret to replace. Its person signs it out or connects it \
                   again on the dashboard's page \"Agents\".";
    Error::new(Kind::Conflict, message)
}

fn current<'a>(call: &Call, keys: &'a ApiKeys) -> Result<&'a ApiKeyInfo, Error> {
    call.current_key(keys)?.ok_or_else(|| Error::not_found("API key"))
}
