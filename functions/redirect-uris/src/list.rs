//! `GET /v1/redirect-uris` (D35 in the README).

use shared::domain::{CustomerId, RegisteredUri};
use shared::envelope::Reply;
use shared::envelope::query::reject_unknown_params;
use shared::error::Error;
use shared::serve::{ApiRequest, Call};
use std::sync::Arc;

/// What there is.
pub(crate) type Uris = Result<Vec<RegisteredUri>, Error>;

/// Lists the registered URIs, newest first.
pub(crate) fn list(call: &Call, uris: Uris) -> Result<Reply, Error> {
    reject_unknown_params(&call.request.query, &[])?;
    uris.map(Reply::RedirectUris)
}

/// Reads them, while the key is checked.
pub(crate) fn read(call: &ApiRequest, customer: CustomerId) -> impl Future<Output = Uris> + use<> {
    let app = Arc::clone(&call.app);
    async move { app.store.redirect_uris(customer).await }
}
