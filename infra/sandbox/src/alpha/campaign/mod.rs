//! Campaigns: what one is and how its fields read. The rules are beside it.

pub(crate) mod create;
mod networks;
mod rules;
pub(crate) mod update;

use std::collections::BTreeMap;

use jiff::Timestamp;
use jiff::civil::DateTime;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::accounts::{Account, Cell};
use super::bidding::strategy_type;
use super::dates;
use super::names::Resource;
use super::quirks::UNSPECIFIED;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Status {
    Enabled,
    Paused,
    Removed,
}

impl Status {
    fn name(self) -> &'static str {
        match self {
            Self::Enabled => "ENABLED",
            Self::Paused => "PAUSED",
            Self::Removed => "REMOVED",
        }
    }
}

/// One campaign. Its dates are texts in the account's time zone, as they were sent.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Campaign {
    pub(crate) id: i64,
    pub(crate) name: String,
    pub(crate) status: Status,
    pub(crate) channel: String,
    /// Field name of the bidding strategy: `target_spend`.
    pub(crate) strategy: String,
    pub(crate) strategy_settings: Map<String, Value>,
    pub(crate) budget: i64,
    pub(crate) start: String,
    pub(crate) end: Option<String>,
    pub(crate) eu_political: String,
    pub(crate) networks: BTreeMap<String, bool>,
    pub(crate) cost_micros: i64,
    /// No field of the platform has it: for people alone.
    #[serde(default)]
    pub(crate) created: Timestamp,
}

impl Campaign {
    pub(crate) fn is_removed(&self) -> bool {
        self.status == Status::Removed
    }

    /// Whether it runs or may run and has not said if it holds EU political advertising.
    pub(crate) fn lacks_declaration(&self) -> bool {
        !self.is_removed() && self.eu_political == UNSPECIFIED
    }

    fn starts(&self) -> Option<DateTime> {
        dates::parse(&self.start, "start_date_time").ok()
    }

    fn ends(&self) -> Option<DateTime> {
        dates::parse(self.end.as_ref()?, "end_date_time").ok()
    }

    /// How many days it runs, if it has an end.
    pub(crate) fn days(&self) -> Option<i64> {
        Some(dates::days(self.starts()?, self.ends()?))
    }

    /// A field of `campaign`, at a time of the account's clock.
    pub(crate) fn cell(&self, field: &str, account: &Account, now: DateTime) -> Option<Cell> {
        Some(match field {
            "resource_name" | "base_campaign" => Cell::Text(Resource::Campaign.name(account.id, self.id)),
            "id" => Cell::Int(self.id),
            "name" => Cell::text(&self.name),
            "status" => Cell::text(self.status.name()),
            "primary_status" => Cell::text(self.primary_status(now)),
            "serving_status" => Cell::text(self.serving_status(now)),
            "advertising_channel_type" => Cell::text(&self.channel),
            "bidding_strategy_type" => Cell::Text(strategy_type(&self.strategy)),
            "campaign_budget" => Cell::Text(Resource::Budget.name(account.id, self.budget)),
            "experiment_type" => Cell::text("BASE"),
            "start_date_time" => Cell::text(&self.start),
            "end_date_time" => Cell::Text(self.end.clone()?),
            "contains_eu_political_advertising" => Cell::text(&self.eu_political),
            "missing_eu_political_advertising_declaration" => Cell::Bool(self.lacks_declaration()),
            nested => return self.nested_cell(nested),
        })
    }

    fn nested_cell(&self, field: &str) -> Option<Cell> {
        let (message, field) = field.split_once('.')?;
        if message == "network_settings" {
            return self.networks.get(field).copied().map(Cell::Bool);
        }
        if message != self.strategy {
            return None;
        }
        match self.strategy_settings.get(field)? {
            Value::Bool(flag) => Some(Cell::Bool(*flag)),
            number => number.as_i64().map(Cell::Int),
        }
    }

    fn primary_status(&self, now: DateTime) -> &'static str {
        match self.status {
            Status::Removed => "REMOVED",
            Status::Paused => "PAUSED",
            Status::Enabled if self.ends().is_some_and(|end| end < now) => "ENDED",
            Status::Enabled => "ELIGIBLE",
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
