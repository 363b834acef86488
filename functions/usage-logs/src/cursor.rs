//! The cursor of a usage log: the position after which the next page starts, and the filters.
//!
//! A position, unlike an offset, does not shift when new requests arrive. The cursor is opaque to callers, but not
//! secret: the API key selects the customer, never the cursor.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::{Deserialize, Serialize};
use shared::digest::sha256_hex;
use shared::domain::{UsageFilters, UsagePosition};
use shared::error::Error;

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Cursor {
    #[serde(rename = "p")]
    position: String,
    #[serde(rename = "f")]
    filters: String,
}

/// Encodes a cursor.
pub(crate) fn encode(position: &UsagePosition, filters: &UsageFilters) -> Result<String, Error> {
    let cursor = Cursor { position: position.to_string(), filters: fingerprint(filters)? };
    Ok(URL_SAFE_NO_PAD.encode(serde_json::to_vec(&cursor).map_err(Error::internal)?))
}

/// Decodes a cursor. The filters must equal those of the first page.
pub(crate) fn decode(text: &str, filters: &UsageFilters) -> Result<UsagePosition, Error> {
    let invalid = || Error::field("cursor", "is not valid; start again without it");
    let json = URL_SAFE_NO_PAD.decode(text).map_err(|_| invalid())?;
    let cursor: Cursor = serde_json::from_slice(&json).map_err(|_| invalid())?;
    let position = UsagePosition::parse(&cursor.position).ok_or_else(invalid)?;
    if cursor.filters != fingerprint(filters)? {
        return Err(Error::field("cursor", "belongs to a list with other filters; start again without it"));
    }
    // DynamoDB rejects a start key outside of the queried range.
    if filters.time_range_contains(&position) { Ok(position) } else { Err(invalid()) }
}

/// A digest of the filters.
fn fingerprint(filters: &UsageFilters) -> Result<String, Error> {
    let UsageFilters { from, to, method, statuses, path, request_id } = filters;
    let request_id = request_id.map(|id| id.to_string());
    let text = serde_json::to_string(&(
        from.map(|at| at.to_string()),
        to.map(|at| at.to_string()),
        method,
        statuses,
        path,
        request_id,
    ));
    Ok(sha256_hex(&text.map_err(Error::internal)?).chars().take(32).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    const POSITION: &str = "1796108400123#00000000-0000-4000-8000-000000000001";

    fn of_path(path: &str) -> UsageFilters {
        UsageFilters { path: Some(path.to_owned()), ..UsageFilters::default() }
    }

    fn error_field(text: &str, filters: &UsageFilters) -> String {
        decode(text, filters).unwrap_err().details[0].field.clone()
    }

    #[test]
    fn a_cursor_decodes_to_its_position() {
        let position = UsagePosition::parse(POSITION).unwrap();
        let text = encode(&position, &of_path("/v1")).unwrap();
        assert_eq!(decode(&text, &of_path("/v1")).unwrap(), position);
    }

    #[test]
    fn an_invalid_cursor_or_one_of_other_filters_is_a_field_error() {
        let text = encode(&UsagePosition::parse(POSITION).unwrap(), &of_path("/v1")).unwrap();
        for broken in ["", "x", "e30", &text[1..], &format!("{text}A")] {
            assert_eq!(error_field(broken, &of_path("/v1")), "cursor", "{broken}");
        }
        assert_eq!(error_field(&text, &of_path("/v2")), "cursor");
        assert_eq!(error_field(&text, &UsageFilters::default()), "cursor");
    }

    #[test]
    fn a_position_outside_of_the_time_range_is_a_field_error() {
        let past = UsageFilters { to: Some("2026-01-01T00:00:00Z".parse().unwrap()), ..UsageFilters::default() };
        let forged = encode(&UsagePosition::parse(POSITION).unwrap(), &past).unwrap();
        assert_eq!(error_field(&forged, &past), "cursor");
    }
}
