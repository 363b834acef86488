//! Query and response of `listUsageLogs`, in the flat shape only (D36 in docs/decisions.md).

use super::query::{DEFAULT_LIMIT, limit, reject_unknown_params, value};
use super::wire::iso_millis;
use crate::domain::{Moment, Platform, UsageEntry, UsageFilters};
use crate::error::{Error, FieldError};
use jiff::Timestamp;
use serde::Serialize;
use serde_json::{Value, json};
use std::ops::RangeInclusive;

const PARAMETERS: [&str; 8] = ["limit", "cursor", "from", "to", "method", "status_code", "path", "request_id"];
const TIME: &str = "must be a time with its offset, like 2026-12-01T09:00:00Z; a + in it is written %2B";
const METHOD: &str = "must be an HTTP method in upper case, like GET";
const STATUS: &str = "must be a status like 404 or a class of them like 4xx";

/// The parameters of the list, read but for the cursor's content.
#[derive(Debug)]
pub struct UsageQuery {
    /// Filters.
    pub filters: UsageFilters,
    /// Page size, 1 to 100.
    pub limit: usize,
    /// The cursor as given.
    pub cursor: Option<String>,
}

/// A page of a usage log.
#[derive(Debug)]
pub struct UsageLogs {
    /// The entries, newest first.
    pub entries: Vec<UsageEntry>,
    /// Opaque; `None` on the last page.
    pub next_cursor: Option<String>,
}

/// Reads the query. Faults are reported together.
pub(super) fn read(pairs: &[(String, String)]) -> Result<UsageQuery, Error> {
    reject_unknown_params(pairs, &PARAMETERS)?;
    let mut faults = Vec::new();
    let limit = value(pairs, "limit").map_or(Ok(DEFAULT_LIMIT), limit).unwrap_or_else(|error| {
        faults.extend(error.details);
        DEFAULT_LIMIT
    });
    let mut given = Given { pairs, faults };
    let filters = UsageFilters {
        from: given.read("from", TIME, instant),
        to: given.read("to", TIME, instant),
        method: given.read("method", METHOD, method),
        statuses: given.read("status_code", STATUS, statuses),
        path: given.read("path", "must begin with /", |text| text.starts_with('/').then(|| text.to_owned())),
        request_id: given.read("request_id", "must be a request's id, as X-Request-Id says it", |id| id.parse().ok()),
    };
    if filters.from.is_some_and(|from| filters.to.is_some_and(|to| from > to)) {
        given.faults.push(FieldError { field: "from".to_owned(), message: "must not be after to".to_owned() });
    }
    if !given.faults.is_empty() {
        return Err(Error::fields(given.faults));
    }
    Ok(UsageQuery { filters, limit, cursor: value(pairs, "cursor").map(str::to_owned) })
}

/// The parameters, and what is wrong with them.
struct Given<'a> {
    pairs: &'a [(String, String)],
    faults: Vec<FieldError>,
}

impl Given<'_> {
    fn read<T>(&mut self, name: &str, must: &str, read: impl Fn(&str) -> Option<T>) -> Option<T> {
        let found = read(value(self.pairs, name)?);
        if found.is_none() {
            self.faults.push(FieldError { field: name.to_owned(), message: must.to_owned() });
        }
        found
    }
}

fn instant(text: &str) -> Option<Timestamp> {
    match Moment::parse(text)? {
        Moment::Instant(at) => Some(at),
        Moment::Day(_) => None,
    }
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

/// The page as written.
pub(super) fn body(logs: &UsageLogs) -> Value {
    let UsageLogs { entries, next_cursor } = logs;
    json!({
        "usage_logs": entries.iter().map(WireEntry::from).collect::<Vec<_>>(),
        "pagination": { "next_cursor": next_cursor, "has_more": next_cursor.is_some() },
    })
}

#[derive(Serialize)]
struct WireEntry<'a> {
    id: String,
    method: &'a str,
    path: &'a str,
    status_code: u16,
    timestamp: String,
    response_time_ms: u64,
    request_id: String,
    platform: Option<&'static str>,
    platform_time_ms: Option<u64>,
}

impl<'a> From<&'a UsageEntry> for WireEntry<'a> {
    fn from(entry: &'a UsageEntry) -> WireEntry<'a> {
        let UsageEntry { request_id, at, method, path, status, response_time_ms, platform, platform_time_ms } = entry;
        WireEntry {
            id: format!("ulog_{}", request_id.simple()),
            method,
            path,
            status_code: *status,
            timestamp: iso_millis(*at),
            response_time_ms: *response_time_ms,
            request_id: request_id.to_string(),
            platform: platform.map(Platform::as_str),
            platform_time_ms: *platform_time_ms,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::query::pairs;
    use super::*;

    fn faults(query: &str) -> Vec<String> {
        let error = read(&pairs(Some(query))).unwrap_err();
        error.details.into_iter().map(|fault| fault.field).collect()
    }

    #[test]
    fn a_bad_value_names_its_parameter() {
        for word in ["", "4", "40", "4xxx", "6xx", "0xx", "x4x", "4XX", "+04", "099", "600", "4040", "-4xx", "+4xx"] {
            assert_eq!(faults(&format!("status_code={word}").replace('+', "%2B")), ["status_code"], "{word}");
        }
        for time in ["", "yesterday", "2026-12-01", "2026-12-01T09:00:00", "1767225600", "2026-12-01T09:00:00+01:00"] {
            assert_eq!(faults(&format!("from={time}")), ["from"], "{time}");
        }
        for query in ["method=get", "method=", "method=G%20T", "path=v1", "path=", "request_id=7", "limit=0"] {
            let name = query.split('=').next().unwrap();
            assert_eq!(faults(query), [name], "{query}");
        }
        assert_eq!(faults("from=2026-12-02T00:00:00Z&to=2026-12-01T00:00:00Z"), ["from"]);
        assert_eq!(faults("limit=x&to=x&method=x"), ["limit", "to", "method"]);
        assert_eq!(faults("platform=alpha_ads&path=/&path=/"), ["platform", "path"]);
    }

    #[test]
    fn a_class_of_statuses_is_all_of_them() {
        let query = read(&pairs(Some("status_code=4xx&to=2026-12-01T09:00:00%2B01:00"))).unwrap();
        assert_eq!(query.filters.statuses, Some(400..=499));
        assert_eq!(query.filters.to, Some("2026-12-01T08:00:00Z".parse().unwrap()));
        assert_eq!(read(&pairs(Some("status_code=404"))).unwrap().filters.statuses, Some(404..=404));
    }
}
