//! Advertisers (ad accounts).
//!
//! TikTok API for Business v1.3: "Get ad account information".

use super::campaign::Campaign;
use super::quirks;
use crate::account::AccountSummary;
use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// One advertiser.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Account {
    /// Nineteen digits.
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) currency: String,
    /// IANA name, such as `Asia/Tokyo`.
    pub(crate) time_zone: String,
    /// UTC offset as an IANA name, such as `Etc/GMT-9`.
    pub(crate) offset_zone: String,
    pub(crate) campaigns: BTreeMap<u64, Campaign>,
    /// The `request_id` of every create that succeeded.
    pub(crate) request_ids: BTreeSet<String>,
}

/// Fields that "Get ad account information" returns.
pub(crate) const FIELDS: &[&str] = &["advertiser_id", "name", "currency", "timezone", "display_timezone", "status"];

impl Account {
    pub(crate) fn new(id: String, name: &str, currency: &str, time_zone: &str, offset_zone: &str) -> Self {
        Self {
            id,
            name: name.to_owned(),
            currency: currency.to_owned(),
            time_zone: time_zone.to_owned(),
            offset_zone: offset_zone.to_owned(),
            campaigns: BTreeMap::new(),
            request_ids: BTreeSet::new(),
        }
    }

    pub(crate) fn summary(&self) -> AccountSummary {
        AccountSummary {
            id: self.id.clone(),
            name: self.name.clone(),
            currency: self.currency.clone(),
            time_zone: self.time_zone.clone(),
            marks: if quirks::is_quirk_account(&self.id) { vec!["quirk"] } else { Vec::new() },
        }
    }

    /// The day of a time in the account's time zone: the day of its reports.
    pub(crate) fn day(&self, time: Timestamp) -> Date {
        let zone = TimeZone::get(&self.time_zone).unwrap_or(TimeZone::UTC);
        zone.to_datetime(time).date()
    }

    /// The value of one of [`FIELDS`].
    pub(crate) fn field(&self, name: &str) -> Value {
        match name {
            "advertiser_id" => json!(self.id),
            "name" => json!(self.name),
            "currency" => json!(self.currency),
            "timezone" => json!(self.offset_zone),
            "display_timezone" => json!(self.time_zone),
            _ => json!("STATUS_ENABLE"),
        }
    }
}
