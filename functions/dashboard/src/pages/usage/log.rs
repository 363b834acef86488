//! Entries of the usage log as rows, and one in full.

use crate::kit::text::{milliseconds, readable_second};
use shared::domain::{ApiKeys, KeyId, Platform, UsageEntry};

/// A row of the table.
pub(super) struct LogRow {
    pub(super) time: String,
    pub(super) request_id: String,
    pub(super) method: String,
    pub(super) path: String,
    pub(super) status: u16,
    pub(super) badge: &'static str,
    pub(super) duration: String,
    /// Empty if the request is about none, or about several.
    pub(super) platform: &'static str,
    /// Empty without a platform call.
    pub(super) platform_time: String,
    /// The name of the API key; the id of one that is deleted, and empty for an old entry.
    pub(super) key: String,
}

/// All fields of an entry.
pub(super) struct FullEntry {
    pub(super) row: LogRow,
    pub(super) id: String,
}

impl LogRow {
    pub(super) fn of(entry: &UsageEntry, keys: &ApiKeys) -> LogRow {
        LogRow {
            time: readable_second(entry.at),
            request_id: entry.request_id.to_string(),
            method: entry.method.clone(),
            path: entry.path.clone(),
            status: entry.status,
            badge: badge(entry.status),
            duration: milliseconds(entry.response_time_ms),
            platform: entry.platform.map(Platform::display_name).unwrap_or_default(),
            platform_time: entry.platform_time_ms.map(milliseconds).unwrap_or_default(),
            key: entry.key.as_ref().map(|key| key_name(key, keys)).unwrap_or_default(),
        }
    }
}

impl FullEntry {
    pub(super) fn of(entry: &UsageEntry, keys: &ApiKeys) -> FullEntry {
        let time = entry.at.strftime("%-d %b %Y, %H:%M:%S%.3f UTC").to_string();
        FullEntry { row: LogRow { time, ..LogRow::of(entry, keys) }, id: entry.id() }
    }
}

fn key_name(id: &KeyId, keys: &ApiKeys) -> String {
    let known = keys.all().iter().find(|key| key.id == *id);
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

/// An entry of a request at a time.
#[cfg(test)]
pub(super) fn sample(time: &str) -> UsageEntry {
    UsageEntry {
        request_id: uuid::Uuid::nil(),
        at: time.parse().unwrap(),
        method: "GET".to_owned(),
        path: "/v1/campaigns".to_owned(),
        status: 200,
        response_time_ms: 1,
        platform: None,
        platform_time_ms: None,
        tool: None,
        key: None,
        reference: None,
        key_digest: None,
        external_ref: None,
        connection: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_in_full_has_milliseconds() {
        let entry = UsageEntry {
            status: 404,
            response_time_ms: 1_240,
            platform: Some(Platform::Beta),
            key: Some(KeyId::default_key()),
            ..sample("2026-12-01T09:00:00.120Z")
        };
        let keys = ApiKeys::default_alone("hash", "uac_test_", entry.at);
        let full = FullEntry::of(&entry, &keys);
        assert_eq!(full.row.time, "1 Dec 2026, 09:00:00.120 UTC");
        assert_eq!(LogRow::of(&entry, &keys).time, "1 Dec 2026, 09:00:00 UTC");
        assert_eq!(full.row.key, "default");
        assert_eq!(LogRow::of(&entry, &ApiKeys::none()).key, "key_default (deleted)");
        assert_eq!((full.row.duration.as_str(), full.row.platform), ("1,240 ms", "Meta"));
        assert_eq!((full.row.badge, full.row.platform_time.as_str()), ("warn", ""));
    }
}
