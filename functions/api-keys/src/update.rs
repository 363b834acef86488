//! `updateKey`.

use crate::create::exceeds_own_scopes;
use crate::unknown_outcome::unknown_outcome;
use shared::domain::{ApiKeyInfo, ApiKeys, UpdateError};
use shared::envelope::query::reject_unknown_params;
use shared::envelope::{KeyUpdate, Reply, read_key_update};
use shared::error::{Error, Kind};
use shared::serve::Call;

/// Changes the name or the scopes of a key, also of that of the request. They hold from its next request on. A key
/// cannot give a scope that it lacks.
pub(crate) async fn update(call: &Call) -> Result<Reply, Error> {
    reject_unknown_params(&call.request.query, &[])?;
    let KeyUpdate { name, scopes } = read_key_update(call.request.json_body()?)?;
    let now = call.request.now;
    let change = |keys: &ApiKeys| {
        let current = call.current_key(keys)?;
        let key = find(keys, &call.request.parameter)?;
        if let Some(scope) = current.zip(scopes.as_ref()).and_then(|(current, scopes)| current.lacks(scopes)) {
            return Err(exceeds_own_scopes(scope));
        }
        let updated = ApiKeyInfo {
            name: name.clone().unwrap_or_else(|| key.name.clone()),
            scopes: scopes.clone().unwrap_or_else(|| key.scopes.clone()),
            ..key.clone()
        };
        keys.updated(&updated, now).map_err(not_updated)
    };
    let changed = call.store().change_keys(call.customer.id, call.keys.clone(), now, change).await;
    let keys = changed.map_err(|error| unknown_outcome(error, "Send the request again: it has the same effect."))??;
    let key = find(&keys, &call.request.parameter)?.clone();
    let current = call.current_key(&keys)?.map(|key| key.id.clone());
    Ok(Reply::Key { key: Box::new(key), current })
}

fn find<'a>(keys: &'a ApiKeys, id: &str) -> Result<&'a ApiKeyInfo, Error> {
    keys.get(id).ok_or_else(|| Error::not_found("API key"))
}

fn not_updated(reason: UpdateError) -> Error {
    match reason {
        UpdateError::LastWriter => {
            let message = "No other valid key has the scope write. Create another key with it first.";
            Error::new(Kind::Conflict, message)
        }
    }
}
