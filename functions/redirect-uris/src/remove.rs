//! `removeRedirectUri` (D35 in docs/decisions.md).

use shared::domain::RedirectUriId;
use shared::envelope::Reply;
use shared::envelope::query::reject_unknown_params;
use shared::error::Error;
use shared::serve::Call;

/// Removes a URI. Authorizations in progress no longer redirect to it either.
pub(crate) async fn remove(call: &Call) -> Result<Reply, Error> {
    reject_unknown_params(&call.request.query, &[])?;
    let id = RedirectUriId::parse(&call.request.parameter).ok_or_else(not_found)?;
    if call.store().remove_redirect_uri(call.customer.id, &id).await? { Ok(Reply::Done) } else { Err(not_found()) }
}

fn not_found() -> Error {
    Error::not_found("redirect URI")
}
