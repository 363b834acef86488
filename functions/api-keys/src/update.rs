//! `updateKey`.

use crate::create::{exceeds_own_scopes, too_many_keys};
use crate::limit::{KeyKind, check_limit};
use shared::auth::Caller;
use shared::changes::cancel_awaiting_approval;
use shared::domain::spending::Spender;
use shared::domain::{ApiKeyInfo, ApiKeys, SpendingLimit, UpdateError};
use shared::envelope::query::reject_unknown_params;
use shared::envelope::{KeyUpdate, Reply, read_key_update};
use shared::error::{Error, Kind};
use shared::serve::Call;

/// Changes the name, the scopes or the spending limit of a key. They hold from its next request on.
pub(crate) async fn update(call: &Call, keys: ApiKeys) -> Result<Reply, Error> {
    reject_unknown_params(&call.request.query, &[])?;
    let KeyUpdate { name, scopes, spending_limit } = read_key_update(call.request.json_body()?)?;
    let (store, customer, now) = (call.store(), call.customer.id, call.request.now);
    let updated = |key: &ApiKeyInfo| ApiKeyInfo {
        name: name.clone().unwrap_or_else(|| key.name.clone()),
        scopes: scopes.clone().unwrap_or_else(|| key.scopes.clone()),
        is_limited: spending_limit.as_ref().map_or(key.is_limited, Option::is_some),
        ..key.clone()
    };
    let known = find(&keys, &call.request.parameter)?;
    if spending_limit.is_some() && call.current_key(&keys)?.is_some_and(|current| current.id == known.id) {
        let message = "A key does not change its own spending limit. Use another key, or the dashboard.";
        return Err(Error::new(Kind::Forbidden, message));
    }
    if known.is_of_assistant && (spending_limit == Some(None) || scopes.is_some() && !is_by_person(call)) {
        return Err(only_its_consent());
    }
    if let Some(Some(limit)) = &spending_limit {
        let wanted = updated(known);
        KeyKind::of(&wanted).check_scopes(&wanted.scopes)?;
        check_limit(call, limit, known.external_ref.as_ref())?;
    }
    let change = |keys: &ApiKeys| {
        let current = call.current_key(keys)?;
        let key = find(keys, &call.request.parameter)?;
        if let Some(scope) = scopes.as_ref().and_then(|scopes| current.and_then(|current| current.lacks(scopes))) {
            return Err(exceeds_own_scopes(scope));
        }
        let key = updated(key);
        if key.is_limited {
            KeyKind::of(&key).check_scopes(&key.scopes)?;
        }
        keys.updated(&key, now).map_err(|reason| update_error(reason, &key))
    };
    change(&keys)?;
    let spender = Spender::Key(known.id.clone());
    let limit = match &spending_limit {
        Some(limit) => limit.clone(),
        None if known.is_limited => store.spending(customer, &spender).await?.and_then(|spending| spending.limit),
        None => None,
    };
    // A limit holds before the key has it, and a key has none before the limit ends.
    match &spending_limit {
        Some(Some(limit)) => store.set_limit(customer, &spender, Some(limit)).await?,
        Some(None) if known.is_limited => store.note_unlimited(customer, &known.id).await?,
        Some(None) | None => {}
    }
    let changed = store.change_keys(customer, keys.clone(), now, change).await;
    let keys =
        changed.map_err(|error| error.may_have_taken_effect("Send the request again: it has the same effect."))??;
    // Also if the key has no limit any more: an earlier request may have ended before this step.
    if spending_limit == Some(None) {
        store.set_limit(customer, &spender, None).await?;
        cancel_awaiting_approval(store, customer, &known.id, now).await?;
    }
    reply(call, &keys, limit)
}

/// The key as it is stored now: another request may have changed it, too.
fn reply(call: &Call, keys: &ApiKeys, limit: Option<SpendingLimit>) -> Result<Reply, Error> {
    let key = find(keys, &call.request.parameter)?.clone();
    let current = call.current_key(keys)?.map(|key| key.id.clone());
    Ok(Reply::Key { key: Box::new(key), current, limit })
}

fn is_by_person(call: &Call) -> bool {
    matches!(call.caller, Caller::Session(_))
}

/// The error for a change of an assistant's key that only its person makes, at the consent.
fn only_its_consent() -> Error {
    let message = "This is the key of an assistant: only its person says what it may do, by connecting it. Nothing was \
                   changed.";
    Error::new(Kind::Conflict, message)
}

fn find<'a>(keys: &'a ApiKeys, id: &str) -> Result<&'a ApiKeyInfo, Error> {
    keys.all().iter().find(|key| key.id.0 == id).ok_or_else(|| Error::not_found("API key"))
}

fn update_error(reason: UpdateError, key: &ApiKeyInfo) -> Error {
    match reason {
        UpdateError::LastWriter => {
            let message = "No other valid key has the scope write. Create another key with it first.";
            Error::new(Kind::Conflict, message)
        }
        UpdateError::TooMany => too_many_keys(key),
    }
}
