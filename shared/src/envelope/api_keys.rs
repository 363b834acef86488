//! A new API key (D29 in docs/decisions.md).

use super::wire::iso_millis;
use jiff::Timestamp;
use secrecy::{ExposeSecret, SecretString};
use serde::Serialize;

/// The body of `rotateKey`.
#[derive(Serialize)]
pub(super) struct WireKey<'a> {
    api_key: &'a str,
    prefix: &'a str,
    created_at: String,
}

impl<'a> WireKey<'a> {
    pub(super) fn new(key: &'a SecretString, prefix: &'a str, created_at: Timestamp) -> WireKey<'a> {
        WireKey { api_key: key.expose_secret(), prefix, created_at: iso_millis(created_at) }
    }
}
