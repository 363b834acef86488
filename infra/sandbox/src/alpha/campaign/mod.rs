//! Campaigns and their fields.
//!
//! Google Ads API reference v26: `Campaign`.

pub(crate) mod create;
mod networks;
mod rules;
pub(crate) mod update;

use super::bidding::strategy_type;
use super::dates;
use super::field_value::FieldValue;
use super::resource_name::Resource;
use crate::delivery::{DeliveredDays, total_spend};
use jiff::Timestamp;
use jiff::civil::DateTime;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// The value of `contains_eu_political_advertising` without a declaration.
pub(crate) const UNSPECIFIED: &str = "UNSPECIFIED";

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Status {
    Enabled,
    Paused,
    Removed,
}

impl Status {
    fn as_str(self) -> &'static str {
        match self {
            Self::Enabled => "ENABLED",
            Self::Paused => "PAUSED",
            Self::Removed => "REMOVED",
        }
    }
}

/// One campaign. Start and end are in the account's time zone, as sent.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Campaign {
    pub(crate) id: i64,
    pub(crate) name: String,
    pub(crate) status: Status,
    pub(crate) channel: String,
    /// The field name of the bidding strategy, such as `target_spend`.
    pub(crate) strategy: String,
    pub(crate) strategy_settings: Map<String, Value>,
    pub(crate) budget: i64,
    pub(crate) start: String,
    pub(crate) end: Option<String>,
    pub(crate) eu_political: String,
    pub(crate) networks: BTreeMap<String, bool>,
    /// Days in the account's time zone.
    pub(crate) delivered: DeliveredDays,
    /// The API has no such field. The control API shows it.
    pub(crate) created: Timestamp,
}

impl Campaign {
    pub(crate) fn is_removed(&self) -> bool {
        self.status == Status::Removed
    }

    /// Whether it is not removed and lacks the EU political advertising declaration.
    pub(crate) fn lacks_declaration(&self) -> bool {
        !self.is_removed() && self.eu_political == UNSPECIFIED
    }

    /// Performance Max has asset groups in place of ad groups and ads.
    pub(crate) fn has_ads(&self) -> bool {
        self.channel != "PERFORMANCE_MAX"
    }

    /// Cost of the whole run in micros.
    pub(crate) fn cost_micros(&self) -> i64 {
        total_spend(&self.delivered)
    }

    pub(crate) fn starts(&self) -> Option<DateTime> {
        dates::parse(&self.start, "start_date_time").ok()
    }

    pub(crate) fn ends(&self) -> Option<DateTime> {
        dates::parse(self.end.as_ref()?, "end_date_time").ok()
    }

    /// Number of days from start to end; `None` without an end.
    pub(crate) fn days(&self) -> Option<i64> {
        Some(dates::days(self.starts()?, self.ends()?))
    }

    /// A field of `campaign` but its primary status. `now` is in the account's time zone.
    pub(crate) fn field(&self, name: &str, customer: i64, now: DateTime) -> Option<FieldValue> {
        Some(match name {
            "resource_name" | "base_campaign" => FieldValue::Text(Resource::Campaign.name(customer, self.id)),
            "id" => FieldValue::Int(self.id),
            "name" => FieldValue::text(&self.name),
            "status" => FieldValue::text(self.status.as_str()),
            "serving_status" => FieldValue::text(self.serving_status(now)),
            "advertising_channel_type" => FieldValue::text(&self.channel),
            "bidding_strategy_type" => FieldValue::Text(strategy_type(&self.strategy)),
            "campaign_budget" => FieldValue::Text(Resource::Budget.name(customer, self.budget)),
            "experiment_type" => FieldValue::text("BASE"),
            "start_date_time" => FieldValue::text(&self.start),
            "end_date_time" => FieldValue::Text(self.end.clone()?),
            "contains_eu_political_advertising" => FieldValue::text(&self.eu_political),
            "missing_eu_political_advertising_declaration" => FieldValue::Bool(self.lacks_declaration()),
            nested => return self.nested_field(nested),
        })
    }

    fn nested_field(&self, path: &str) -> Option<FieldValue> {
        let (message, name) = path.split_once('.')?;
        if message == "network_settings" {
            return self.networks.get(name).copied().map(FieldValue::Bool);
        }
        if message != self.strategy {
            return None;
        }
        match self.strategy_settings.get(name)? {
            Value::Bool(flag) => Some(FieldValue::Bool(*flag)),
            number => number.as_i64().map(FieldValue::Int),
        }
    }

    fn serving_status(&self, now: DateTime) -> &'static str {
        if self.is_removed() {
            "NONE"
        } else if self.ends().is_some_and(|end| end < now) {
            "ENDED"
        } else if self.starts().is_some_and(|start| start > now) {
            "PENDING"
        } else {
            "SERVING"
        }
    }
}
