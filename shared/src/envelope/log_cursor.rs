//! The cursor of a log: the position after which the next page starts, and the filters.
//!
//! A position, unlike an offset, does not shift when new entries arrive. The cursor is opaque to callers, but not
//! secret: the API key selects the customer, never the cursor.

use crate::domain::sha256_hex;
use crate::error::Error;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Cursor {
    #[serde(rename = "p")]
    position: String,
    #[serde(rename = "f")]
    filters: String,
}

/// Encodes a cursor. `filters` is anything that differs for other filters.
pub fn encode_log_cursor(position: &impl ToString, filters: &impl Serialize) -> Result<String, Error> {
    let cursor = Cursor { position: position.to_string(), filters: fingerprint(filters)? };
    Ok(URL_SAFE_NO_PAD.encode(serde_json::to_vec(&cursor).map_err(Error::internal)?))
}

/// Decodes a cursor to a position that `parse` accepts. The filters must equal those of the first page.
pub fn decode_log_cursor<P>(
    text: &str,
    filters: &impl Serialize,
    parse: impl Fn(&str) -> Option<P>,
) -> Result<P, Error> {
    let invalid = || Error::field("cursor", "must be the next_cursor of an earlier page; start again without it");
    let json = URL_SAFE_NO_PAD.decode(text).map_err(|_| invalid())?;
    let cursor: Cursor = serde_json::from_slice(&json).map_err(|_| invalid())?;
    let position = parse(&cursor.position).ok_or_else(invalid)?;
    if cursor.filters != fingerprint(filters)? {
        return Err(Error::field("cursor", "belongs to a list with other filters; start again without it"));
    }
    Ok(position)
}

/// A digest of the filters.
fn fingerprint(filters: &impl Serialize) -> Result<String, Error> {
    let text = serde_json::to_string(filters).map_err(Error::internal)?;
    Ok(sha256_hex(&text).chars().take(32).collect())
}
