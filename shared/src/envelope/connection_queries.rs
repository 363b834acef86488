//! The query of the list of connections, and the body of their update.

use super::fields::Fields;
use super::query::{QueryReader, joined, one_of, read_limit, reject_unknown_params, value};
use crate::domain::{ConnectionFilters, ConnectionStatus, ConnectionUpdate, ExternalRef, MAX_NAME_CHARS, Platform};
use crate::error::Error;

/// The parameters of `listConnections`. The cursor is not decoded yet.
#[derive(Debug)]
pub struct ConnectionsQuery {
    pub filters: ConnectionFilters,
    /// Page size, 1 to 100; without one the rest of the list is one page.
    pub limit: Option<usize>,
    /// Encoded cursor.
    pub cursor: Option<String>,
}

/// Reads the query of `listConnections`. All errors are reported together.
pub fn read_connections(pairs: &[(String, String)]) -> Result<ConnectionsQuery, Error> {
    let pairs = &joined(pairs, "status");
    reject_unknown_params(pairs, &["platform", "status", "external_ref", "limit", "cursor"])?;
    let mut reader = QueryReader::new(pairs);
    let platform = reader.read("platform", &one_of(&Platform::ALL.map(Platform::as_str)), Platform::parse);
    let statuses = reader.read("status", &one_of(&ConnectionStatus::ALL.map(ConnectionStatus::as_str)), statuses);
    let external_ref = reader.read("external_ref", ExternalRef::RULE, ExternalRef::parse);
    let limit = read_limit(&mut reader);
    let filters = ConnectionFilters { platform, statuses: statuses.unwrap_or_default(), external_ref };
    let cursor = value(pairs, "cursor").filter(|text| !text.is_empty()).map(str::to_owned);
    reader.finish(ConnectionsQuery { filters, limit, cursor })
}

fn statuses(names: &str) -> Option<Vec<ConnectionStatus>> {
    names.split(',').map(ConnectionStatus::parse).collect()
}

/// Reads the query of `authorize`: the address to return to, and the user who is asked.
pub fn read_authorize(pairs: &[(String, String)]) -> Result<(Option<&str>, Option<ExternalRef>), Error> {
    reject_unknown_params(pairs, &["redirect_uri", "external_ref"])?;
    let mut reader = QueryReader::new(pairs);
    let external_ref = reader.read("external_ref", ExternalRef::RULE, ExternalRef::parse);
    reader.finish((value(pairs, "redirect_uri"), external_ref))
}

/// Reads the body of `updateConnection`, which has at least one of two fields. Null empties one.
pub fn read_connection_update(body: &[u8]) -> Result<ConnectionUpdate, Error> {
    let mut fields = Fields::parse(body)?;
    let (has_label, has_user) = (fields.has("label"), fields.has("external_ref"));
    if !has_label && !has_user {
        fields.add_error("label", "is required, unless external_ref is sent; null removes either");
    }
    let label = fields.nullable_string("label");
    if let Some(label) = &label {
        fields.check_text("label", label, MAX_NAME_CHARS);
    }
    let user = fields.nullable_string("external_ref").and_then(|text| {
        let user = ExternalRef::parse(&text);
        if user.is_none() {
            fields.add_error("external_ref", ExternalRef::RULE);
        }
        user
    });
    fields.finish()?;
    Ok(ConnectionUpdate { label: has_label.then_some(label), external_ref: has_user.then_some(user) })
}

#[cfg(test)]
mod tests {
    use super::super::query::pairs;
    use super::*;

    fn faults<T: std::fmt::Debug>(outcome: Result<T, Error>) -> Vec<String> {
        outcome.unwrap_err().details.into_iter().map(|error| error.field).collect()
    }

    #[test]
    fn several_statuses_are_joined_by_commas_or_repeated() {
        for query in ["status=ACTIVE,REVOKED", "status=ACTIVE&status=REVOKED"] {
            let read = read_connections(&pairs(Some(query))).unwrap();
            assert_eq!(read.filters.statuses, [ConnectionStatus::Active, ConnectionStatus::Revoked], "{query}");
            assert_eq!(read.limit, None, "the whole list");
        }
        for query in ["status=", "status=ACTIVE,", "status=active", "status=ACTIVE,x"] {
            assert_eq!(faults(read_connections(&pairs(Some(query)))), ["status"], "{query}");
        }
    }

    #[test]
    fn an_invalid_value_of_the_list_names_its_parameter() {
        for (query, field) in [
            ("platform=ALPHA", "platform"),
            ("external_ref=", "external_ref"),
            ("external_ref=a%20b", "external_ref"),
            ("limit=0", "limit"),
            ("limit=101", "limit"),
            ("label=x", "label"),
            ("limit=1&limit=1", "limit"),
        ] {
            assert_eq!(faults(read_connections(&pairs(Some(query)))), [field], "{query}");
        }
        assert_eq!(faults(read_authorize(&pairs(Some("external_ref=a/b")))), ["external_ref"]);
    }

    #[test]
    fn an_update_keeps_what_it_does_not_name_and_null_empties() {
        let read = |body: &str| read_connection_update(body.as_bytes());
        let user = ExternalRef::parse("user42");
        let update = read(r#"{"external_ref":"user42"}"#).unwrap();
        assert_eq!(update, ConnectionUpdate { label: None, external_ref: Some(user) });
        let update = read(r#"{"label":null}"#).unwrap();
        assert_eq!(update, ConnectionUpdate { label: Some(None), external_ref: None });
        assert_eq!(faults(read("{}")), ["label"]);
        assert_eq!(faults(read(r#"{"external_ref":"a b"}"#)), ["external_ref"]);
        assert_eq!(faults(read(r#"{"external_ref":"a","label":7}"#)), ["label"]);
    }
}
