//! The `filtering` parameter of a report.
//!
//! TikTok API for Business v1.3: "Run a synchronous report". Without a filter by status a report omits deleted
//! campaigns.

use super::campaign::Campaign;
use super::error::ApiError;
use super::held::Held;
use super::list::{PRIMARY_STATUSES, has_status};
use super::params::Query;
use serde::Deserialize;

/// Most ids of one filter, as in a list of campaigns.
const MAX_IDS: usize = 100;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Filter {
    field_name: String,
    filter_type: String,
    /// A JSON list, encoded as a string.
    filter_value: String,
}

/// The campaigns of a report.
#[derive(Default)]
pub(crate) struct Selection {
    ids: Option<Vec<String>>,
    statuses: Option<Vec<String>>,
}

impl Selection {
    pub(crate) fn read(query: &Query) -> Result<Self, ApiError> {
        let filters = query.json::<Vec<Filter>>("filtering", "Not a valid list of filters in JSON.")?;
        let mut selection = Self::default();
        for filter in filters.unwrap_or_default() {
            let values = filter.values()?;
            let chosen = selection.field(&filter.field_name)?;
            if chosen.is_some() {
                return Err(wrong("Each field can be filtered once."));
            }
            *chosen = Some(values);
        }
        selection.check()?;
        Ok(selection)
    }

    fn field(&mut self, name: &str) -> Result<&mut Option<Vec<String>>, ApiError> {
        match name {
            "campaign_ids" => Ok(&mut self.ids),
            "campaign_status" => Ok(&mut self.statuses),
            _ => Err(wrong("field_name: Must be one of: campaign_ids, campaign_status.")),
        }
    }

    fn check(&self) -> Result<(), ApiError> {
        if self.ids.as_ref().is_some_and(|ids| ids.is_empty() || ids.len() > MAX_IDS) {
            return Err(wrong("campaign_ids: Length must be between 1 and 100."));
        }
        let is_known = |status: &String| PRIMARY_STATUSES.contains(&status.as_str());
        match &self.statuses {
            Some(statuses) if !statuses.iter().all(is_known) => Err(wrong("campaign_status: Not a valid choice.")),
            _ => Ok(()),
        }
    }

    pub(crate) fn includes(&self, campaign: &Campaign) -> bool {
        let has_status = match &self.statuses {
            None => !campaign.deleted,
            Some(statuses) => {
                statuses.iter().any(|one| has_status(campaign, one, campaign.primary_status(Held::default())))
            }
        };
        has_status && self.ids.as_ref().is_none_or(|ids| ids.contains(&campaign.id.to_string()))
    }
}

impl Filter {
    fn values(&self) -> Result<Vec<String>, ApiError> {
        if self.filter_type != "IN" {
            return Err(wrong("filter_type: Must be IN."));
        }
        let values = serde_json::from_str(&self.filter_value);
        values.map_err(|_| wrong("filter_value: Not a valid list of strings in JSON."))
    }
}

fn wrong(why: &str) -> ApiError {
    ApiError::parameter("filtering", why)
}
