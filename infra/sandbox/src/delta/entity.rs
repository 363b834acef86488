//! What campaigns and campaign groups have in common: fields as they were sent, and what the
//! platform adds to them.

use std::collections::BTreeMap;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

/// The fields of a resource, by name.
pub(crate) type Fields = Map<String, Value>;

/// A campaign or a campaign group. Times are Unix milliseconds.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Entity {
    pub(crate) id: i64,
    /// What the client said, defaults filled in.
    pub(crate) fields: Fields,
    created: i64,
    modified: i64,
    /// Counts the changes.
    version: u64,
    /// What it cost on each day (UTC), in micros of the account's currency.
    #[serde(default)]
    pub(crate) costs: BTreeMap<String, i64>,
}

impl Entity {
    pub(crate) fn new(id: i64, fields: Fields, now: i64) -> Self {
        Self { id, fields, created: now, modified: now, version: 1, costs: BTreeMap::new() }
    }

    /// When it was made; nothing for a number that is no time.
    pub(crate) fn created(&self) -> Option<Timestamp> {
        Timestamp::from_millisecond(self.created).ok()
    }

    pub(crate) fn change(&mut self, fields: Fields, now: i64) {
        self.fields = fields;
        self.modified = now;
        self.version += 1;
    }

    pub(crate) fn text(&self, field: &str) -> &str {
        text(&self.fields, field)
    }

    /// The beginning, if there is one.
    pub(crate) fn start(&self) -> Option<i64> {
        time(&self.fields, "start")
    }

    /// The end, if there is one.
    pub(crate) fn end(&self) -> Option<i64> {
        time(&self.fields, "end")
    }

    /// The advertiser's status, unless it ran out.
    pub(crate) fn status(&self, now: i64) -> &str {
        let status = self.text("status");
        let over = self.end().is_some_and(|end| end <= now);
        if over && matches!(status, "ACTIVE" | "PAUSED") { "COMPLETED" } else { status }
    }

    /// All that it cost, in micros.
    pub(crate) fn cost(&self) -> i64 {
        self.costs.values().fold(0, |sum, cost| sum.saturating_add(*cost))
    }

    /// As the platform shows it.
    pub(crate) fn json(&self, serving: &[&str], now: i64) -> Value {
        let mut shown = self.fields.clone();
        let own = [
            ("id", json!(self.id)),
            ("status", json!(self.status(now))),
            ("servingStatuses", json!(serving)),
            ("test", json!(false)),
            ("version", json!({ "versionTag": self.version.to_string() })),
            ("changeAuditStamps", stamps(self.created, self.modified)),
        ];
        shown.extend(own.map(|(name, value)| (name.to_owned(), value)));
        Value::Object(shown)
    }
}

/// When something was made and last changed.
pub(crate) fn stamps(created: i64, modified: i64) -> Value {
    json!({ "created": { "time": created }, "lastModified": { "time": modified } })
}

/// A text field; empty when it is not there.
pub(crate) fn text<'f>(fields: &'f Fields, name: &str) -> &'f str {
    fields.get(name).and_then(Value::as_str).unwrap_or_default()
}

/// A time of the schedule.
pub(crate) fn time(fields: &Fields, name: &str) -> Option<i64> {
    fields.get("runSchedule")?.get(name)?.as_i64()
}
