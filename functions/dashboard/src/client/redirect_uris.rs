//! Redirect URIs: typed calls of the API.

use crate::client::api::{Api, Refusal, json};
use crate::kit::text::path_segment;
use serde::Serialize;
use shared::domain::RegisteredUri;
use shared::envelope::Reply;

const PATH: &str = "/v1/redirect-uris";

/// The body of `registerRedirectUri`.
#[derive(Serialize)]
struct NewUri<'a> {
    uri: &'a str,
}

/// `listRedirectUris`
pub(crate) async fn list(api: &Api<'_>) -> Result<Vec<RegisteredUri>, Refusal> {
    match api.ask_for(PATH).await? {
        Reply::RedirectUris(registered) => Ok(registered),
        other => Err(api.unexpected(&other)),
    }
}

/// `registerRedirectUri`
pub(crate) async fn register(api: &Api<'_>, uri: &str) -> Result<(), Refusal> {
    match api.ask_to("POST", PATH, json(&NewUri { uri })).await? {
        Reply::RedirectUriRegistered(_) => Ok(()),
        other => Err(api.unexpected(&other)),
    }
}

/// `removeRedirectUri`
pub(crate) async fn remove(api: &Api<'_>, id: &str) -> Result<(), Refusal> {
    match api.ask_to("DELETE", &format!("{PATH}/{}", path_segment(id)), None).await? {
        Reply::Done => Ok(()),
        other => Err(api.unexpected(&other)),
    }
}
