//! `registerRedirectUri`.

use shared::domain::{Reason, RegisteredUri};
use shared::envelope::query::reject_unknown_params;
use shared::envelope::{Reply, read_redirect_uri};
use shared::error::{Error, Kind};
use shared::serve::Call;
use shared::store::{MAX_REDIRECT_URIS, Registration};

/// Registers a URI that the OAuth callback may redirect to.
pub(crate) async fn register(call: &Call) -> Result<Reply, Error> {
    reject_unknown_params(&call.request.query, &[])?;
    let uri = read_redirect_uri(call.request.json_body()?)?;
    let registered = RegisteredUri { uri, created_at: call.request.now };
    match call.store().register_redirect_uri(call.customer.id, &registered).await? {
        Registration::Registered => Ok(Reply::RedirectUriRegistered(registered)),
        Registration::Duplicate => {
            let message = "This redirect URI is already registered.";
            Err(Error::new(Kind::Conflict, message).because(Reason::AlreadyExists))
        }
        Registration::LimitReached => {
            let message = format!("exceeds the limit of {MAX_REDIRECT_URIS} registered URIs; remove one first");
            Err(Error::field("uri", message))
        }
    }
}
