//! `DELETE /v1/redirect-uris/{id}` (D35 in the README).

use shared::domain::RedirectUriId;
use shared::envelope::Reply;
use shared::envelope::query::reject_unknown_params;
use shared::error::Error;
use shared::serve::Call;

/// Removes a URI: from now on nobody is sent there, not even by an authorization that is under way.
pub(crate) async fn remove(call: &Call) -> Result<Reply, Error> {
    reject_unknown_params(&call.request.query, &[])?;
    let id = RedirectUriId::parse(&call.request.parameter).ok_or_else(no_such_uri)?;
    if call.store().remove_redirect_uri(call.customer.id, &id).await? { Ok(Reply::Done) } else { Err(no_such_uri()) }
}

fn no_such_uri() -> Error {
    Error::not_found("redirect URI")
}
