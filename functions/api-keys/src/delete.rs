//! `deleteKey`.

use crate::unknown_outcome::unknown_outcome;
use shared::domain::{ApiKeys, RemovalError};
use shared::envelope::Reply;
use shared::envelope::query::reject_unknown_params;
use shared::error::{Error, Kind};
use shared::serve::Call;

/// Deletes a key, also that of the request. The key is invalid from this write on.
pub(crate) async fn delete(call: &Call) -> Result<Reply, Error> {
    reject_unknown_params(&call.request.query, &[])?;
    let remove = |keys: &ApiKeys| {
        call.current_key(keys)?;
        keys.without(&call.request.parameter, call.request.now).map_err(not_removed)
    };
    let removed = call.store().change_keys(call.customer.id, call.keys.clone(), call.request.now, remove).await;
    removed.map_err(|error| unknown_outcome(error, "Send the request again: 404 means that the key is deleted."))??;
    Ok(Reply::Done)
}

fn not_removed(reason: RemovalError) -> Error {
    match reason {
        RemovalError::NotFound => Error::not_found("API key"),
        RemovalError::LastWriter => {
            let message =
                "No other valid key has the scope write. Create another key with it first, or rotate this one.";
            Error::new(Kind::Conflict, message)
        }
    }
}
