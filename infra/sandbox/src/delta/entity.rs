//! The common part of campaigns and campaign groups: the fields of the client, and those that the platform
//! adds.

use crate::delivery::{DeliveredDays, total_spend};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

/// The fields of a resource, by name.
pub(crate) type Fields = Map<String, Value>;

/// A campaign or a campaign group. Times are Unix milliseconds.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Entity {
    pub(crate) id: i64,
    /// The client's fields, with defaults filled in.
    pub(crate) fields: Fields,
    created: i64,
    modified: i64,
    /// The number of updates, counted from 1.
    version: u64,
    /// By day in UTC.
    pub(crate) delivered: DeliveredDays,
}

impl Entity {
    pub(crate) fn new(id: i64, fields: Fields, now: i64) -> Self {
        Self { id, fields, created: now, modified: now, version: 1, delivered: DeliveredDays::new() }
    }

    /// The creation time.
    pub(crate) fn created(&self) -> Option<Timestamp> {
        Timestamp::from_millisecond(self.created).ok()
    }

    pub(crate) fn set_fields(&mut self, fields: Fields, now: i64) {
        self.fields = fields;
        self.modified = now;
        self.version += 1;
    }

    pub(crate) fn text(&self, field: &str) -> &str {
        text(&self.fields, field)
    }

    /// The start of the schedule.
    pub(crate) fn start(&self) -> Option<i64> {
        time(&self.fields, "start")
    }

    /// The end of the schedule.
    pub(crate) fn end(&self) -> Option<i64> {
        time(&self.fields, "end")
    }

    pub(crate) fn has_ended(&self, now: i64) -> bool {
        self.end().is_some_and(|end| end <= now)
    }

    /// The status that the advertiser set, or `COMPLETED` after the end of the schedule.
    pub(crate) fn status(&self, now: i64) -> &str {
        let status = self.text("status");
        if self.has_ended(now) && matches!(status, "ACTIVE" | "PAUSED") { "COMPLETED" } else { status }
    }

    /// The total cost in micros.
    pub(crate) fn cost(&self) -> i64 {
        total_spend(&self.delivered)
    }

    /// The resource in the platform's JSON form.
    pub(crate) fn json(&self, serving: &[&str], now: i64) -> Value {
        let mut body = self.fields.clone();
        let platform_fields = [
            ("id", json!(self.id)),
            ("status", json!(self.status(now))),
            ("servingStatuses", json!(serving)),
            ("test", json!(false)),
            ("version", json!({ "versionTag": self.version.to_string() })),
            ("changeAuditStamps", audit_stamps(self.created, self.modified)),
        ];
        body.extend(platform_fields.map(|(name, value)| (name.to_owned(), value)));
        Value::Object(body)
    }
}

/// The creation and last modification in the platform's JSON form.
pub(crate) fn audit_stamps(created: i64, modified: i64) -> Value {
    json!({ "created": { "time": created }, "lastModified": { "time": modified } })
}

/// A text field; empty if it is missing.
pub(crate) fn text<'f>(fields: &'f Fields, name: &str) -> &'f str {
    fields.get(name).and_then(Value::as_str).unwrap_or_default()
}

/// A time of the schedule, in Unix milliseconds.
pub(crate) fn time(fields: &Fields, name: &str) -> Option<i64> {
    fields.get("runSchedule")?.get(name)?.as_i64()
}
