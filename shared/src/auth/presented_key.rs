//! The key of a request, as an admission compares it: that of an API key, or that of an assistant's token.

use super::refusals::{ended_sign_in, unknown_key};
use super::{ApiKey, Mode};
use crate::domain::{CustomerId, sha256_hex};
use crate::error::Error;
use crate::vault::random_key;

/// A new mark: the hash of an assistant's key. Its 256 random bits are not kept.
pub fn mark() -> Result<String, Error> {
    let random = random_key().map_err(Error::internal)?;
    Ok(sha256_hex(&hex::encode(random)))
}

/// The key that a request presents, not yet authenticated. It has no secret.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PresentedKey {
    /// The customer named in the key or the token.
    pub customer: CustomerId,
    /// SHA-256 of the API key in hex, or the mark of an assistant's key.
    pub hash: String,
    /// The environment of the key or the token.
    pub mode: Mode,
    /// Whether it is that of an assistant's token, which works at the endpoint of agents only.
    pub is_of_assistant: bool,
}

impl PresentedKey {
    /// The error for a key or a token of a customer that does not exist.
    pub(super) fn unknown(&self) -> Error {
        if self.is_of_assistant { ended_sign_in() } else { unknown_key() }
    }
}

impl From<&ApiKey> for PresentedKey {
    fn from(key: &ApiKey) -> PresentedKey {
        PresentedKey { customer: key.customer(), hash: key.hash(), mode: key.mode(), is_of_assistant: false }
    }
}
