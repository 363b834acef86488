//! Campaigns and their fields.
//!
//! TikTok API for Business v1.3: "Get campaigns", "Enumeration - Campaign status".

use super::currency;
use super::envelope::{FieldValue, Row};
use super::held::{BUDGET_EXCEED, Held, PUNISHED};
use crate::delivery::{DeliveredDays, total_spend};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::json;
use serde_json::value::RawValue;

/// The family of endpoints that created a campaign: manual or Upgraded Smart+.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Kind {
    Manual,
    SmartPlus,
}

/// Formats a time as TikTok does, in UTC.
pub(crate) fn format_time(time: Timestamp) -> String {
    time.strftime("%Y-%m-%d %H:%M:%S").to_string()
}

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Self::Manual => "MANUAL",
            Self::SmartPlus => "UPGRADED_SMART_PLUS",
        }
    }
}

pub(crate) const INFINITE: &str = "BUDGET_MODE_INFINITE";
pub(crate) const DAY: &str = "BUDGET_MODE_DAY";
pub(crate) const TOTAL: &str = "BUDGET_MODE_TOTAL";
pub(crate) const DYNAMIC: &str = "BUDGET_MODE_DYNAMIC_DAILY_BUDGET";

/// One campaign. It has no dates: dates belong to ad groups.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Campaign {
    pub(crate) id: u64,
    pub(crate) kind: Kind,
    /// A campaign of the Smart+ before the upgraded one. It is only read.
    #[serde(default)]
    pub(crate) is_old_smart_plus: bool,
    pub(crate) name: String,
    pub(crate) objective: String,
    pub(crate) budget_mode: String,
    /// Micros; 0 when spend is unlimited.
    pub(crate) budget: i64,
    pub(crate) budget_optimize_on: bool,
    /// The advertiser's on/off switch.
    pub(crate) enabled: bool,
    pub(crate) deleted: bool,
    pub(crate) campaign_type: String,
    pub(crate) app_promotion_type: Option<String>,
    pub(crate) sales_destination: Option<String>,
    pub(crate) virtual_objective_type: Option<String>,
    pub(crate) special_industries: Vec<String>,
    /// UTC, as [`format_time`] writes it.
    pub(crate) created: String,
    pub(crate) modified: String,
    /// By day of the account's time zone.
    pub(crate) delivered: DeliveredDays,
}

/// Fields that a list can select.
pub(crate) const FIELDS: &[&str] = &[
    "advertiser_id",
    "app_promotion_type",
    "budget",
    "budget_mode",
    "budget_optimize_on",
    "campaign_automation_type",
    "campaign_id",
    "campaign_name",
    "campaign_type",
    "create_time",
    "modify_time",
    "objective_type",
    "operation_status",
    "sales_destination",
    "secondary_status",
    "special_industries",
    "virtual_objective_type",
];

impl Campaign {
    /// The spend of the whole run, in micros.
    pub(crate) fn spent(&self) -> i64 {
        total_spend(&self.delivered)
    }

    /// The switch. Deletion does not change it.
    pub(crate) fn operation_status(&self) -> &'static str {
        if self.enabled { "ENABLE" } else { "DISABLE" }
    }

    pub(crate) fn secondary_status(&self, held: Held) -> &'static str {
        if self.deleted {
            "CAMPAIGN_STATUS_DELETE"
        } else if !self.enabled {
            "CAMPAIGN_STATUS_DISABLE"
        } else if held.is_punished() {
            PUNISHED
        } else if held.has_spent_budget() || self.budget_mode == TOTAL && self.spent() >= self.budget {
            BUDGET_EXCEED
        } else {
            "CAMPAIGN_STATUS_ENABLE"
        }
    }

    pub(crate) fn primary_status(&self, held: Held) -> &'static str {
        match self.secondary_status(held) {
            "CAMPAIGN_STATUS_DELETE" => "STATUS_DELETE",
            "CAMPAIGN_STATUS_DISABLE" => "STATUS_DISABLE",
            "CAMPAIGN_STATUS_ENABLE" => "STATUS_DELIVERY_OK",
            _ => "STATUS_NOT_DELIVERY",
        }
    }

    /// A row with the selected fields, and `status` as its `secondary_status`.
    pub(crate) fn row(&self, advertiser: &str, fields: &[&'static str], status: &str) -> Row {
        fields.iter().map(|name| (*name, self.field(advertiser, name, status))).collect()
    }

    /// A row in the answer to a write.
    pub(crate) fn written(&self, advertiser: &str) -> Row {
        self.row(advertiser, FIELDS, self.secondary_status(Held::default()))
    }

    fn field(&self, advertiser: &str, field: &str, status: &str) -> FieldValue {
        FieldValue::Plain(match field {
            "budget" => return amount(self.budget),
            "advertiser_id" => json!(advertiser),
            "campaign_id" => json!(self.id.to_string()),
            "campaign_name" => json!(self.name),
            "objective_type" => json!(self.objective),
            "budget_mode" => json!(self.budget_mode),
            "budget_optimize_on" => json!(self.budget_optimize_on),
            "operation_status" => json!(self.operation_status()),
            "secondary_status" => json!(status),
            "campaign_automation_type" if self.is_old_smart_plus => json!("SMART_PLUS"),
            "campaign_automation_type" => json!(self.kind.name()),
            "campaign_type" => json!(self.campaign_type),
            "create_time" => json!(self.created),
            "modify_time" => json!(self.modified),
            "app_promotion_type" => json!(self.app_promotion_type),
            "sales_destination" => json!(self.sales_destination),
            "virtual_objective_type" => json!(self.virtual_objective_type),
            _ => json!(self.special_industries),
        })
    }
}

/// A JSON number with its exact digits.
fn amount(micros: i64) -> FieldValue {
    let text = currency::decimal(micros, 0);
    // A decimal is valid JSON, so the fallback to a string is unreachable.
    RawValue::from_string(text.clone()).map_or_else(|_| FieldValue::Plain(json!(text)), FieldValue::Amount)
}
