//! `rotateKey` (D29 in docs/decisions.md).

use shared::auth::{ApiKey, unauthorized};
use shared::envelope::Reply;
use shared::envelope::query::reject_unknown_params;
use shared::error::Error;
use shared::serve::Call;

/// Replaces the caller's key with a new one of the same mode. No process caches keys, so the old key is invalid from this
/// write on.
pub(crate) async fn rotate(call: &Call) -> Result<Reply, Error> {
    reject_unknown_params(&call.request.query, &[])?;
    call.request.reject_body()?;
    let key = ApiKey::generate(call.customer.id, call.key.mode())?;
    let rotated = call.store().rotate_key(call.customer.id, &call.key.hash(), &key.hash()).await;
    if !rotated.map_err(rotation_outcome_unknown)? {
        return Err(unauthorized());
    }
    Ok(Reply::KeyRotated {
        prefix: key.display_prefix().to_owned(),
        created_at: call.request.now,
        key: key.reveal().into(),
    })
}

/// The error for a failed write: DynamoDB may have applied it.
fn rotation_outcome_unknown(error: Error) -> Error {
    let message = "An internal error occurred, and it is not known whether the key was replaced. If this key is rejected \
                   from now on, ask the operator for a new one.";
    Error { message: message.to_owned(), ..error.of_unknown_outcome() }
}
