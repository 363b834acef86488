//! Changes as the API shows them.

use crate::client::api::Pagination;
use jiff::Timestamp;
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

/// The response to `listChanges`.
#[derive(Default, Deserialize)]
pub(crate) struct ChangeList {
    /// Newest first.
    pub(super) changes: Vec<Change>,
    pagination: Pagination,
}

/// The response to `getChange`.
#[derive(Deserialize)]
pub(super) struct OneChange {
    pub(super) data: Change,
}

/// A change, in the enveloped shape. Kinds and states may become more.
#[derive(Deserialize)]
pub(crate) struct Change {
    pub(crate) id: String,
    pub(crate) kind: String,
    pub(crate) state: String,
    pub(crate) platform: String,
    pub(crate) organization_id: String,
    pub(crate) campaign_id: Option<String>,
    pub(crate) requested: Values,
    pub(crate) before: Option<Values>,
    pub(crate) after: Option<Values>,
    pub(crate) applied_fields: Vec<String>,
    pub(crate) not_applied_fields: Vec<String>,
    pub(crate) unknown_fields: Vec<String>,
    pub(super) requested_by: Requester,
    /// The person who has approved it.
    pub(super) approved_by: Option<Requester>,
    pub(crate) created_at: Timestamp,
    /// The time for which it is scheduled.
    pub(crate) apply_at: Option<Timestamp>,
    pub(super) error: Option<ChangeError>,
}

/// Values of a campaign. `requested` has only the requested ones, and no currency. A date of `None` was not told, one of
/// `Some(None)` is no date.
#[derive(Default, Deserialize)]
pub(crate) struct Values {
    pub(crate) name: Option<String>,
    pub(crate) status: Option<String>,
    pub(crate) budget_amount: Option<Box<RawValue>>,
    pub(crate) budget_period: Option<String>,
    pub(crate) currency: Option<String>,
    #[serde(default, deserialize_with = "told")]
    pub(crate) start_at: Option<Option<String>>,
    #[serde(default, deserialize_with = "told")]
    pub(crate) end_at: Option<Option<String>>,
}

impl Values {
    /// Whether they have an amount or a period of a budget.
    pub(crate) fn names_budget(&self) -> bool {
        self.budget_amount.is_some() || self.budget_period.is_some()
    }
}

#[derive(Deserialize)]
pub(super) struct Requester {
    #[serde(rename = "type")]
    pub(super) kind: String,
    pub(super) id: String,
    pub(super) name: Option<String>,
}

/// Why a change was not applied.
#[derive(Deserialize)]
pub(super) struct ChangeError {
    pub(super) message: String,
    pub(super) platform_error: Option<PlatformError>,
}

#[derive(Deserialize)]
pub(super) struct PlatformError {
    pub(super) message: String,
}

/// A member that is there, even if it is null.
fn told<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Option<String>>, D::Error> {
    Option::deserialize(deserializer).map(Some)
}

impl ChangeList {
    /// The cursor of the next page.
    pub(crate) fn next_cursor(&self) -> Option<&str> {
        self.pagination.next_cursor.as_deref()
    }
}

impl Change {
    /// The campaign as it was last read.
    fn read(&self) -> Option<&Values> {
        self.after.as_ref().or(self.before.as_ref())
    }

    /// The campaign's name, if it was read.
    pub(crate) fn name(&self) -> Option<&str> {
        self.read()?.name.as_deref()
    }

    /// The currency of the ad account; empty if the campaign was not read.
    pub(crate) fn currency(&self) -> &str {
        self.read().and_then(|values| values.currency.as_deref()).unwrap_or_default()
    }

    /// Whether the platform has a requested field, or all of a change without fields.
    pub(crate) fn has_applied(&self, field: &str) -> bool {
        self.state == "applied" || self.applied_fields.iter().any(|applied| applied == field)
    }
}
