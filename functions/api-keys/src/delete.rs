//! `deleteKey`.

use shared::changes::cancel_changes_of_key;
use shared::domain::spending::Spender;
use shared::domain::{ApiKeys, RemovalError, SpendingLimit};
use shared::envelope::Reply;
use shared::envelope::query::reject_unknown_params;
use shared::error::{Error, Kind};
use shared::serve::Call;

/// Deletes a key; it may be the key of the request itself. The key is invalid from this write on. The waiting changes of
/// a key with a spending limit are canceled, and what an assistant has been given ends with its key.
pub(crate) async fn delete(call: &Call, known: ApiKeys) -> Result<Reply, Error> {
    reject_unknown_params(&call.request.query, &[])?;
    let remove = |keys: &ApiKeys| {
        call.current_key(keys)?;
        keys.without(&call.request.parameter, call.request.now).map_err(removal_error)
    };
    let limited = known.all().iter().find(|key| key.id.0 == call.request.parameter && key.is_limited);
    if let Some(key) = limited {
        remove(&known)?;
        // First, so that nothing of the key is applied if this request ends half-way.
        call.store().set_limit(call.customer.id, &Spender::Key(key.id.clone()), Some(&SpendingLimit::zero())).await?;
        if key.is_of_assistant {
            // Before the key: a request that is sent again finds the key, and ends what is left.
            call.store().delete_assistant(call.customer.id, &key.id).await?;
        }
    }
    let removed = call.store().change_keys(call.customer.id, known.clone(), call.request.now, remove).await;
    removed
        .map_err(|error| error.may_have_taken_effect("Send the request again: 404 means that the key is deleted."))??;
    if let Some(key) = limited {
        cancel_changes_of_key(call.store(), call.customer.id, &key.id, call.request.now).await?;
    }
    Ok(Reply::Done)
}

fn removal_error(reason: RemovalError) -> Error {
    match reason {
        RemovalError::NotFound => Error::not_found("API key"),
        RemovalError::LastWriter => {
            let message =
                "No other valid key has the scope write. Create another key with it first, or rotate this one.";
            Error::new(Kind::Conflict, message)
        }
    }
}
