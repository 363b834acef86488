//! The cursor of a usage log.

use serde::Serialize;
use shared::domain::{UsageFilters, UsagePosition};
use shared::envelope::{decode_log_cursor, encode_log_cursor};
use shared::error::Error;

/// Encodes a cursor.
pub(crate) fn encode(position: &UsagePosition, filters: &UsageFilters) -> Result<String, Error> {
    encode_log_cursor(position, &filter_values(filters))
}

/// Decodes a cursor. DynamoDB rejects a start key outside of the queried range.
pub(crate) fn decode(text: &str, filters: &UsageFilters) -> Result<UsagePosition, Error> {
    let parse = |text: &str| UsagePosition::parse(text).filter(|position| filters.time_range_contains(position));
    decode_log_cursor(text, &filter_values(filters), parse)
}

/// The filters as a cursor binds them.
fn filter_values(filters: &UsageFilters) -> impl Serialize {
    let UsageFilters {
        from,
        to,
        method,
        statuses,
        path,
        request_id,
        api_key,
        reference,
        key_digest,
        external_ref,
        connection,
    } = filters.clone();
    let own_names = (reference, key_digest, external_ref, connection.map(|connection| connection.0));
    (
        from.map(|at| at.to_string()),
        to.map(|at| at.to_string()),
        method,
        statuses,
        path,
        request_id.map(|id| id.to_string()),
        api_key.map(|key| key.0),
        own_names,
    )
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
