//! Redirect URIs. They use the enveloped shape only.

use super::fields::Fields;
use super::response::Data;
use super::wire::iso_millis;
use crate::domain::{RedirectUri, RegisteredUri, TextRule};
use crate::error::Error;
use serde::Serialize;

/// Reads the body of `registerRedirectUri`.
pub fn read_redirect_uri(body: &[u8]) -> Result<RedirectUri, Error> {
    let mut fields = Fields::parse(body)?;
    let uri = match fields.string("uri").as_deref().map(RedirectUri::parse).transpose() {
        Ok(uri) => uri,
        Err(reason) => {
            fields.add_error("uri", TextRule::RedirectUri(reason));
            None
        }
    };
    let uri = fields.require("uri", uri);
    fields.finish()?;
    uri.ok_or_else(|| Error::internal("a required field is missing without a field error"))
}

/// A redirect URI on the wire.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct WireUri<'a> {
    id: String,
    uri: &'a str,
    created_at: String,
}

/// The body of `registerRedirectUri`.
pub(super) fn body(registered: &RegisteredUri) -> Data<WireUri<'_>> {
    Data { data: registered.into() }
}

/// The body of `listRedirectUris`.
pub(super) fn list_body(registered: &[RegisteredUri]) -> Data<Vec<WireUri<'_>>> {
    Data { data: registered.iter().map(WireUri::from).collect() }
}

impl<'a> From<&'a RegisteredUri> for WireUri<'a> {
    fn from(registered: &'a RegisteredUri) -> WireUri<'a> {
        let RegisteredUri { uri, created_at } = registered;
        WireUri { id: uri.id().to_string(), uri: uri.as_str(), created_at: iso_millis(*created_at) }
    }
}
