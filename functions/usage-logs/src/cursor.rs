//! The cursor of a usage log: the place behind which it goes on, and of which list it is.
//!
//! A place and not a count, so that requests which come in meanwhile shift nothing. Opaque to callers and not secret:
//! whose log it is comes from the key, never from the cursor.

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

/// The opaque text.
pub(crate) fn encode(position: &UsagePosition, filters: &UsageFilters) -> Result<String, Error> {
    let cursor = Cursor { position: position.to_string(), filters: fingerprint(filters)? };
    Ok(URL_SAFE_NO_PAD.encode(serde_json::to_vec(&cursor).map_err(Error::internal)?))
}

/// Reads a cursor that an earlier page gave out for the same filters.
pub(crate) fn decode(text: &str, filters: &UsageFilters) -> Result<UsagePosition, Error> {
    let broken = || Error::field("cursor", "is not a cursor that this list gave out");
    let json = URL_SAFE_NO_PAD.decode(text).map_err(|_| broken())?;
    let cursor: Cursor = serde_json::from_slice(&json).map_err(|_| broken())?;
    let position = UsagePosition::parse(&cursor.position).ok_or_else(broken)?;
    if cursor.filters != fingerprint(filters)? {
        return Err(Error::field("cursor", "belongs to a list with other filters"));
    }
    // The store refuses to go on at a place outside of what it is asked for.
    if filters.time_range_contains(&position) { Ok(position) } else { Err(broken()) }
}

/// The filters of the first page, shortened: a cursor holds only with the same ones.
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

    const PLACE: &str = "1796108400123#00000000-0000-4000-8000-000000000001";

    fn of_path(path: &str) -> UsageFilters {
        UsageFilters { path: Some(path.to_owned()), ..UsageFilters::default() }
    }

    fn fault(text: &str, filters: &UsageFilters) -> String {
        decode(text, filters).unwrap_err().details[0].field.clone()
    }

    #[test]
    fn a_cursor_comes_back_as_it_was_given_out() {
        let place = UsagePosition::parse(PLACE).unwrap();
        let text = encode(&place, &of_path("/v1")).unwrap();
        assert_eq!(decode(&text, &of_path("/v1")).unwrap(), place);
    }

    #[test]
    fn a_broken_cursor_or_one_of_another_list_is_refused_by_name() {
        let text = encode(&UsagePosition::parse(PLACE).unwrap(), &of_path("/v1")).unwrap();
        for broken in ["", "x", "e30", &text[1..], &format!("{text}A")] {
            assert_eq!(fault(broken, &of_path("/v1")), "cursor", "{broken}");
        }
        assert_eq!(fault(&text, &of_path("/v2")), "cursor");
        assert_eq!(fault(&text, &UsageFilters::default()), "cursor");
    }

    #[test]
    fn a_place_outside_of_the_list_is_refused_even_with_the_right_filters() {
        let past = UsageFilters { to: Some("2026-01-01T00:00:00Z".parse().unwrap()), ..UsageFilters::default() };
        let forged = encode(&UsagePosition::parse(PLACE).unwrap(), &past).unwrap();
        assert_eq!(fault(&forged, &past), "cursor");
    }
}
