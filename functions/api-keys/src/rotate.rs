//! `POST /v1/api-keys/rotate` (spec 4.3, D29 in the README).

use shared::auth::{ApiKey, unauthorized};
use shared::envelope::Reply;
use shared::envelope::query::reject_unknown_params;
use shared::error::Error;
use shared::serve::Call;

/// Replaces the key that was shown by a new one of the same mode. The old one is dead with this very write, because
/// nobody keeps keys in memory.
pub(crate) async fn rotate(call: &Call) -> Result<Reply, Error> {
    reject_unknown_params(&call.request.query, &[])?;
    call.request.reject_body()?;
    let key = ApiKey::generate(call.customer.id, call.key.mode())?;
    let rotated = call.store().rotate_key(call.customer.id, &call.key.hash(), &key.hash()).await;
    if !rotated.map_err(in_doubt)? {
        return Err(unauthorized());
    }
    Ok(Reply::KeyRotated {
        prefix: key.display_prefix().to_owned(),
        created_at: call.request.now,
        key: key.reveal().into(),
    })
}

/// The store may have written what it did not answer.
fn in_doubt(error: Error) -> Error {
    let message = "Something went wrong on our side, and whether the key was replaced is not known: if this key is \
                   refused from now on, ask the operator for a new one.";
    Error { message: message.to_owned(), ..error.of_unknown_outcome() }
}
