//! Entries of the usage log: as the API sends them, as rows, and in full.

use crate::client::api::Pagination;
use crate::pages::layout::milliseconds;
use jiff::Timestamp;
use serde::Deserialize;
use shared::domain::{ApiKeys, Platform};

/// A page of the log.
#[derive(Clone, Debug, Default, Deserialize)]
pub(super) struct LogPage {
    /// Newest first.
    pub(super) usage_logs: Vec<Entry>,
    pub(super) pagination: Pagination,
}

#[derive(Clone, Debug, Deserialize)]
pub(super) struct Entry {
    pub(super) id: String,
    pub(super) method: String,
    pub(super) path: String,
    pub(super) status_code: u16,
    pub(super) timestamp: Timestamp,
    pub(super) response_time_ms: u64,
    pub(super) request_id: String,
    pub(super) platform: Option<String>,
    pub(super) platform_time_ms: Option<u64>,
    /// `None` for an entry that is older than the field.
    pub(super) api_key_id: Option<String>,
}

/// A row of the table.
pub(super) struct Row {
    /// In UTC.
    pub(super) time: String,
    pub(super) request_id: String,
    pub(super) method: String,
    pub(super) path: String,
    pub(super) status: u16,
    pub(super) badge: &'static str,
    pub(super) duration: String,
    /// Empty if the request is about none, or about several.
    pub(super) platform: String,
    /// Empty without a platform call.
    pub(super) platform_time: String,
    /// The name of the API key; the id of one that is deleted, and empty for an old entry.
    pub(super) key: String,
}

/// All fields of an entry.
pub(super) struct FullEntry {
    pub(super) row: Row,
    pub(super) id: String,
}

impl Row {
    pub(super) fn of(entry: &Entry, keys: &ApiKeys) -> Row {
        Row {
            time: entry.timestamp.strftime("%-d %b, %H:%M:%S").to_string(),
            request_id: entry.request_id.clone(),
            method: entry.method.clone(),
            path: entry.path.clone(),
            status: entry.status_code,
            badge: badge(entry.status_code),
            duration: milliseconds(entry.response_time_ms),
            platform: entry.platform.as_deref().map(platform_name).unwrap_or_default(),
            platform_time: entry.platform_time_ms.map(milliseconds).unwrap_or_default(),
            key: entry.api_key_id.as_deref().map(|id| key_name(id, keys)).unwrap_or_default(),
        }
    }
}

impl FullEntry {
    pub(super) fn of(entry: &Entry, keys: &ApiKeys) -> FullEntry {
        let time = entry.timestamp.strftime("%-d %b %Y, %H:%M:%S%.3f UTC").to_string();
        FullEntry { row: Row { time, ..Row::of(entry, keys) }, id: entry.id.clone() }
    }
}

fn key_name(id: &str, keys: &ApiKeys) -> String {
    let known = keys.all().iter().find(|key| key.id.0 == id);
    known.map_or_else(|| format!("{id} (deleted)"), |key| key.name.clone())
}

fn badge(status: u16) -> &'static str {
    match status {
        200..=299 => "good",
        400..=499 => "warn",
        500.. => "bad",
        _ => "plain",
    }
}

pub(super) fn platform_name(name: &str) -> String {
    Platform::parse(name).map_or_else(|| name.to_owned(), |platform| platform.display_name().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_in_full_has_milliseconds_and_the_year() {
        let entry: Entry = serde_json::from_value(serde_json::json!({
            "id": "ulog_1", "method": "GET", "path": "/v1/campaigns", "status_code": 404,
            "timestamp": "2026-12-01T09:00:00.120Z", "response_time_ms": 1240, "request_id": "1",
            "platform": "beta_ads", "platform_time_ms": null, "api_key_id": "key_default",
        }))
        .unwrap();
        let keys = ApiKeys::default_alone("hash", "uac_test_", entry.timestamp);
        let full = FullEntry::of(&entry, &keys);
        assert_eq!(full.row.time, "1 Dec 2026, 09:00:00.120 UTC");
        assert_eq!(Row::of(&entry, &keys).time, "1 Dec, 09:00:00");
        assert_eq!(full.row.key, "default");
        assert_eq!(Row::of(&entry, &ApiKeys::none()).key, "key_default (deleted)");
        assert_eq!((full.row.duration.as_str(), full.row.platform.as_str()), ("1,240 ms", "Meta"));
        assert_eq!((full.row.badge, full.row.platform_time.as_str()), ("warn", ""));
    }
}
