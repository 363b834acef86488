//! `listRedirectUris` (D35 in docs/decisions.md).

use shared::domain::{CustomerId, RegisteredUri};
use shared::envelope::Reply;
use shared::envelope::query::reject_unknown_params;
use shared::error::Error;
use shared::serve::{ApiRequest, Call};

/// Lists the registered URIs, newest first.
pub(crate) fn list(call: &Call, uris: Result<Vec<RegisteredUri>, Error>) -> Result<Reply, Error> {
    reject_unknown_params(&call.request.query, &[])?;
    uris.map(Reply::RedirectUris)
}

/// Reads the URIs, during authentication.
pub(crate) async fn prefetch(request: &ApiRequest, customer: CustomerId) -> Result<Vec<RegisteredUri>, Error> {
    request.app.store.redirect_uris(customer).await
}
