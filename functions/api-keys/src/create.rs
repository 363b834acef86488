//! `createKey`.

use crate::key_not_written::{KeyNotWritten, replaced_meanwhile};
use crate::limit::{KeyKind, check_limit};
use shared::auth::{ApiKey, mark};
use shared::domain::spending::Spender;
use shared::domain::{
    ApiKeyInfo, ApiKeys, KeyDisplay, MAX_ASSISTANTS, MAX_KEYS, MAX_LIMITED_KEYS, Reason, Scope, Spending,
};
use shared::envelope::query::reject_unknown_params;
use shared::envelope::{KeyRequest, Reply, read_key_request};
use shared::error::{Error, Kind};
use shared::serve::Call;

/// Creates a key of the same mode as the caller's. It cannot have a scope that the caller's key lacks.
pub(crate) async fn create(call: &Call) -> Result<Reply, Error> {
    reject_unknown_params(&call.request.query, &[])?;
    let request = read_key_request(call.request.json_body()?, call.request.now)?;
    let KeyRequest { name, scopes, expires_at, spending_limit: limit, external_ref } = request;
    let is_of_assistant = call.caller.key_form().is_some_and(|form| form.is_of_assistant);
    KeyKind { is_of_assistant, is_limited: limit.is_some() }.check_scopes(&scopes)?;
    if let Some(limit) = &limit {
        check_limit(call, limit, external_ref.as_ref())?;
    }
    let seed = call.caller.key_seed()?;
    let now = call.request.now;
    let secret_of = |at| ApiKey::derive(call.customer.id, call.caller.mode(), &seed, at);
    let secret = secret_of(now);
    let (hash, display) = if is_of_assistant { marked(&secret)? } else { (secret.hash(), secret.display()) };
    let key = ApiKeyInfo {
        id: seed.key_id(),
        name,
        hash,
        display,
        scopes,
        created_at: now,
        expires_at,
        is_limited: limit.is_some(),
        is_of_assistant,
        external_ref,
        stopped_at: None,
        last_used_at: None,
    };
    let add = |keys: &ApiKeys| {
        let current = call.current_key(keys)?;
        if let Some(existing) = keys.all().iter().find(|known| known.id == key.id) {
            return Err(KeyNotWritten::AlreadyMade(Box::new(existing.clone())));
        }
        match current.and_then(|current| current.lacks(&key.scopes)) {
            Some(scope) => Err(exceeds_own_scopes(scope).into()),
            None => keys.with(key.clone()).ok_or_else(|| too_many_keys(&key).into()),
        }
    };
    if let Some(limit) = &limit {
        // Before the key exists, so that it never works without its limit. If there is a limit already, an earlier
        // request of the same form has stored it.
        call.store()
            .put_spending(call.customer.id, &Spending::new(Spender::Key(key.id.clone()), limit.clone()))
            .await?;
    }
    let added = call.store().change_keys(call.customer.id, call.keys.clone(), now, add).await;
    let added =
        added.map_err(|error| error.may_have_taken_effect("List the keys, and delete the new one if it is there."));
    match added? {
        Ok(_) if is_of_assistant => Ok(Reply::Key { key: Box::new(key), current: None, limit }),
        Err(KeyNotWritten::AlreadyMade(key)) if is_of_assistant => Ok(Reply::Key { key, current: None, limit }),
        Ok(_) => Ok(Reply::KeyCreated { key: Box::new(key), secret: secret.reveal().into(), limit }),
        // The secret follows from the time of creation. It differs if the key was rotated since.
        Err(KeyNotWritten::AlreadyMade(existing)) => {
            let secret = secret_of(existing.created_at);
            if secret.hash() != existing.hash {
                return Err(replaced_meanwhile());
            }
            Ok(Reply::KeyCreated { key: existing, secret: secret.reveal().into(), limit })
        }
        Err(KeyNotWritten::Refused(refusal)) => Err(refusal),
    }
}

/// The mark of the key of an assistant in place of this secret, and what is shown of it: that of any key of the customer.
fn marked(secret: &ApiKey) -> Result<(String, KeyDisplay), Error> {
    Ok((mark()?, KeyDisplay { last_four: None, ..secret.display() }))
}

/// The error for a scope that the key of the request lacks.
pub(crate) fn exceeds_own_scopes(scope: Scope) -> Error {
    let message = format!("This API key lacks the scope {scope}, so it cannot give it to a key.");
    Error::new(Kind::Forbidden, message).because(Reason::ScopeMissing)
}

/// The error for one key more of its kind than a customer may have.
pub(crate) fn too_many_keys(key: &ApiKeyInfo) -> Error {
    let message = if key.is_of_assistant {
        format!("There are {MAX_ASSISTANTS} assistants already, those that were signed out included. Remove one first.")
    } else if key.is_limited {
        format!("There are {MAX_LIMITED_KEYS} keys with a spending limit already. Delete one first.")
    } else {
        format!("There are {MAX_KEYS} keys already, expired ones included. Delete one first.")
    };
    Error::new(Kind::Conflict, message).because(Reason::LimitReached)
}
