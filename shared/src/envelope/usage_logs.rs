//! The usage log: its query and its page. `from` is inclusive and `to` exclusive (D36). It uses the flat shape only.

use super::query::{QueryReader, cursor, reject_unknown_params};
use super::wire::{iso_millis, pagination};
use crate::domain::{ExternalRef, Moment, Platform, Reference, UsageEntry, UsageFilters};
use crate::error::Error;
use serde::Serialize;
use serde_json::{Value, json};
use std::ops::RangeInclusive;

const PARAMETERS: [&str; 12] = [
    "limit",
    "cursor",
    "from",
    "to",
    "method",
    "status_code",
    "path",
    "request_id",
    "api_key_id",
    "reference",
    "idempotency_key",
    "connection_id",
];
const TIME: &str = "must be a time with an offset, such as 2026-12-01T09:00:00Z; encode a + as %2B";
const METHOD: &str = "must be an upper-case HTTP method, such as GET";
const STATUS: &str = "must be a status such as 404, or a status class such as 4xx";

/// The parameters of `listUsageLogs`. The cursor is not decoded yet.
#[derive(Debug)]
pub struct UsageQuery {
    pub filters: UsageFilters,
    /// Page size, 1 to 100.
    pub limit: usize,
    /// Encoded cursor.
    pub cursor: Option<String>,
}

/// A page of a usage log.
#[derive(Clone, Debug, Default)]
pub struct UsageLogs {
    /// Entries, newest first.
    pub entries: Vec<UsageEntry>,
    /// Opaque cursor; `None` on the last page.
    pub next_cursor: Option<String>,
}

/// Reads the query of `listUsageLogs`. All errors are reported together.
pub fn read_usage_logs(pairs: &[(String, String)]) -> Result<UsageQuery, Error> {
    reject_unknown_params(pairs, &PARAMETERS)?;
    let mut reader = QueryReader::new(pairs);
    let limit = reader.limit();
    let filters = UsageFilters {
        from: reader.read("from", TIME, Moment::parse_instant),
        to: reader.read("to", TIME, Moment::parse_instant),
        method: reader.read("method", METHOD, method),
        statuses: reader.read("status_code", STATUS, statuses),
        path: reader.read("path", "must start with /", |text| text.starts_with('/').then(|| text.to_owned())),
        request_id: reader.read("request_id", "must be a request id, as in X-Request-Id", |id| id.parse().ok()),
        api_key: reader.api_key(),
        reference: reader.reference(),
        key_digest: reader.key_digest(),
        // The user for whom the request acts: the handler knows it.
        external_ref: None,
        connection: reader.connection(),
    };
    if filters.from.is_some_and(|from| filters.to.is_some_and(|to| from > to)) {
        reader.fail("from", "must not be after to");
    }
    reader.finish(UsageQuery { filters, limit, cursor: cursor(pairs) })
}

fn method(text: &str) -> Option<String> {
    let is_method = |byte: u8| byte.is_ascii_uppercase() || byte == b'-';
    (!text.is_empty() && text.bytes().all(is_method)).then(|| text.to_owned())
}

fn statuses(text: &str) -> Option<RangeInclusive<u16>> {
    if let Some(class) = text.strip_suffix("xx") {
        let class: u16 = class.parse().ok().filter(|class| (1..=5).contains(class) && text.len() == 3)?;
        return Some(class * 100..=class * 100 + 99);
    }
    let status = text.parse().ok().filter(|status| (100..=599).contains(status) && text.len() == 3)?;
    Some(status..=status)
}

/// The body of `listUsageLogs`.
pub(super) fn body(logs: &UsageLogs) -> Value {
    let UsageLogs { entries, next_cursor } = logs;
    json!({
        "usage_logs": entries.iter().map(WireEntry::from).collect::<Vec<_>>(),
        "pagination": pagination(next_cursor.as_deref()),
    })
}

#[derive(Serialize)]
pub(super) struct WireEntry<'a> {
    id: String,
    method: &'a str,
    path: &'a str,
    status_code: u16,
    timestamp: String,
    response_time_ms: u64,
    request_id: String,
    platform: Option<&'static str>,
    platform_time_ms: Option<u64>,
    tool: Option<&'a str>,
    api_key_id: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reference: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    external_ref: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    connection_id: Option<&'a str>,
}

impl<'a> From<&'a UsageEntry> for WireEntry<'a> {
    fn from(entry: &'a UsageEntry) -> WireEntry<'a> {
        let UsageEntry {
            request_id,
            at,
            method,
            path,
            status,
            response_time_ms,
            platform,
            platform_time_ms,
            tool,
            key,
            reference,
            key_digest: _,
            external_ref,
            connection,
        } = entry;
        WireEntry {
            id: entry.id(),
            method,
            path,
            status_code: *status,
            timestamp: iso_millis(*at),
            response_time_ms: *response_time_ms,
            request_id: request_id.to_string(),
            platform: platform.map(Platform::as_str),
            platform_time_ms: *platform_time_ms,
            tool: tool.as_deref(),
            api_key_id: key.as_ref().map(|key| key.0.as_str()),
            reference: reference.as_ref().map(Reference::as_str),
            external_ref: external_ref.as_ref().map(ExternalRef::as_str),
            connection_id: connection.as_ref().map(|connection| connection.0.as_str()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::query::pairs;
    use super::*;

    fn error_fields(query: &str) -> Vec<String> {
        let error = read_usage_logs(&pairs(Some(query))).unwrap_err();
        error.details.into_iter().map(|error| error.field).collect()
    }

    #[test]
    fn an_invalid_value_names_its_parameter() {
        for status in ["", "4", "40", "4xxx", "6xx", "0xx", "x4x", "4XX", "+04", "099", "600", "4040", "-4xx", "+4xx"] {
            assert_eq!(error_fields(&format!("status_code={status}").replace('+', "%2B")), ["status_code"], "{status}");
        }
        for time in ["", "yesterday", "2026-12-01", "2026-12-01T09:00:00", "1767225600", "2026-12-01T09:00:00+01:00"] {
            assert_eq!(error_fields(&format!("from={time}")), ["from"], "{time}");
        }
        for query in
            ["method=get", "method=", "method=G%20T", "path=v1", "path=", "request_id=7", "api_key_id=7", "limit=0"]
        {
            let name = query.split('=').next().unwrap();
            assert_eq!(error_fields(query), [name], "{query}");
        }
        assert_eq!(error_fields("from=2026-12-02T00:00:00Z&to=2026-12-01T00:00:00Z"), ["from"]);
        assert_eq!(error_fields("limit=x&to=x&method=x"), ["limit", "to", "method"]);
        assert_eq!(error_fields("platform=alpha_ads&path=/&path=/"), ["platform", "path"]);
    }

    #[test]
    fn a_status_class_covers_all_its_statuses() {
        let query = read_usage_logs(&pairs(Some("status_code=4xx&to=2026-12-01T09:00:00%2B01:00"))).unwrap();
        assert_eq!(query.filters.statuses, Some(400..=499));
        assert_eq!(query.filters.to, Some("2026-12-01T08:00:00Z".parse().unwrap()));
        assert_eq!(read_usage_logs(&pairs(Some("status_code=404"))).unwrap().filters.statuses, Some(404..=404));
    }
}
