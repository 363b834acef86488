//! Redirect URIs, as a part of the settings.

use crate::client::api::{Api, Refusal};
use crate::client::notice::Notice;
use crate::client::redirect_uris;
use crate::client::session::SignedIn;
use crate::kit::addresses::SETTINGS;
use crate::kit::form_errors::Control;
use shared::envelope::WebReply;
use shared::envelope::query::value;
use shared::error::Error;
use shared::serve::WebRequest;

/// The controls of the form.
const CONTROLS: &[Control] = &[("uri", "uri", "Redirect URI")];
/// The fields that the page shows again.
pub(crate) const FIELDS: [&str; 1] = ["uri"];
const REGISTERED: &str = "The redirect URI is registered.";

/// Registers a URI.
pub(crate) async fn add(request: &WebRequest, person: &SignedIn) -> Result<WebReply, Error> {
    let form = request.form()?;
    let uri = value(&form, "uri").map(str::trim).unwrap_or_default();
    Ok(match redirect_uris::register(&Api::new(request, person), uri).await {
        Ok(()) => Notice::success(REGISTERED),
        // As by the first request of a double click.
        Err(Refusal { status: 409, .. }) => Notice::success(REGISTERED),
        Err(refusal) => Notice::refused(refusal, CONTROLS, &form),
    }
    .then(SETTINGS))
}

/// Removes a URI.
pub(crate) async fn remove(request: &WebRequest, person: &SignedIn) -> Result<WebReply, Error> {
    let form = request.form()?;
    Ok(match redirect_uris::remove(&Api::new(request, person), value(&form, "id").unwrap_or_default()).await {
        Ok(()) => Notice::success("The redirect URI is removed."),
        Err(refusal) => Notice::failure(refusal, &[]),
    }
    .then(SETTINGS))
}
