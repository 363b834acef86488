//! Redirect URIs, as a part of the settings.

use crate::client::api::{Api, Refusal};
use crate::client::notice::Notice;
use crate::client::session::SignedIn;
use crate::kit::addresses::SETTINGS;
use crate::kit::form_errors::Control;
use crate::pages::layout;
use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};
use shared::envelope::WebReply;
use shared::envelope::query::value;
use shared::error::Error;
use shared::serve::WebRequest;

const PATH: &str = "/v1/redirect-uris";
/// The controls of the form.
const CONTROLS: &[Control] = &[("uri", "uri", "Redirect URI")];
/// The fields that the page shows again.
pub(crate) const FIELDS: [&str; 1] = ["uri"];
const REGISTERED: &str = "The redirect URI is registered.";

/// A registered URI.
#[derive(Deserialize)]
pub(crate) struct RegisteredUri {
    pub(crate) id: String,
    pub(crate) uri: String,
}

#[derive(Deserialize)]
struct UriList {
    data: Vec<RegisteredUri>,
}

#[derive(Serialize)]
struct NewUri<'a> {
    uri: &'a str,
}

/// The registered URIs.
pub(crate) async fn list(request: &WebRequest, person: &SignedIn) -> Result<Vec<RegisteredUri>, Refusal> {
    Api::new(request, person).get::<UriList>(PATH).await.map(|list| list.data)
}

/// Registers a URI.
pub(crate) async fn add(request: &WebRequest, person: &SignedIn) -> Result<WebReply, Error> {
    let form = request.form()?;
    let uri = NewUri { uri: value(&form, "uri").map(str::trim).unwrap_or_default() };
    let added = Api::new(request, person).change::<IgnoredAny>("POST", PATH, &uri).await;
    Ok(match added {
        Ok(_) => Notice::success(REGISTERED),
        // As by the first request of a double click.
        Err(Refusal { status: 409, .. }) => Notice::success(REGISTERED),
        Err(refusal) => Notice::refused(refusal, CONTROLS, &form),
    }
    .then(SETTINGS))
}

/// Removes a URI.
pub(crate) async fn remove(request: &WebRequest, person: &SignedIn) -> Result<WebReply, Error> {
    let form = request.form()?;
    let target = format!("{PATH}/{}", layout::path_segment(value(&form, "id").unwrap_or_default()));
    let removed = Api::new(request, person).act::<IgnoredAny>("DELETE", &target).await;
    Ok(match removed {
        Ok(_) => Notice::success("The redirect URI is removed."),
        Err(refusal) => Notice::failure(refusal, &[]),
    }
    .then(SETTINGS))
}
