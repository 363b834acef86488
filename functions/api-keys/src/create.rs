//! `createKey`.

use crate::unknown_outcome::unknown_outcome;
use shared::auth::ApiKey;
use shared::domain::{KeyId, MAX_KEYS, NamedKey, NamedKeys, Scope};
use shared::envelope::query::reject_unknown_params;
use shared::envelope::{KeyRequest, Reply, read_key_request};
use shared::error::{Error, Kind};
use shared::serve::Call;

/// Creates a key of the same mode as the caller's. It cannot have a scope that the caller's key lacks.
pub(crate) async fn create(call: &Call) -> Result<Reply, Error> {
    reject_unknown_params(&call.request.query, &[])?;
    let KeyRequest { name, scopes, expires_at } = read_key_request(call.request.json_body()?, call.request.now)?;
    let secret = ApiKey::generate(call.customer.id, call.caller.mode())?;
    let key = NamedKey {
        id: KeyId::generate(),
        name,
        hash: secret.hash(),
        prefix: Some(secret.display_prefix()),
        scopes,
        created_at: call.request.now,
        expires_at,
        last_used_at: None,
    };
    let add = |keys: &NamedKeys| {
        let current = call.current_key(keys)?;
        match current.and_then(|current| key.scopes.difference(&current.scopes).next()) {
            Some(scope) => Err(exceeds_own_scopes(*scope)),
            None => keys.with(key.clone()).ok_or_else(too_many_keys),
        }
    };
    let added = call.store().change_keys(call.customer.id, call.keys.clone(), call.request.now, add).await;
    added.map_err(|error| unknown_outcome(error, "List the keys, and delete the new one if it is there."))??;
    Ok(Reply::KeyCreated { key, secret: secret.reveal().into() })
}

fn exceeds_own_scopes(scope: Scope) -> Error {
    let message = format!("This API key lacks the scope {scope}, so it cannot create a key with it.");
    Error::new(Kind::Forbidden, message)
}

fn too_many_keys() -> Error {
    let message = format!("There are {MAX_KEYS} keys already, expired ones included. Delete one first.");
    Error::new(Kind::Conflict, message)
}
