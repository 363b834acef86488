//! The parameters `effective_status` and `filtering` of lists of ads.
//!
//! Marketing API: Filtering. Third-party clients filter ads by `campaign.id` (not verified).

use super::error::GraphError;
use super::filter::strings;
use super::params::Params;
use serde::Deserialize;
use serde_json::Value;

/// The statuses of an ad.
const STATUSES: &[&str] = &[
    "ACTIVE",
    "ADSET_PAUSED",
    "ARCHIVED",
    "CAMPAIGN_PAUSED",
    "DELETED",
    "DISAPPROVED",
    "IN_PROCESS",
    "PAUSED",
    "PENDING_BILLING_INFO",
    "PENDING_REVIEW",
    "PREAPPROVED",
    "WITH_ISSUES",
];

/// The statuses that lists without a filter by status leave out.
const HIDDEN: &[&str] = &["ARCHIVED", "DELETED"];

/// One condition as sent. All operators here take a list.
#[derive(Deserialize)]
struct Condition {
    field: String,
    operator: String,
    value: Value,
}

/// A filter over ads. All conditions have to match.
#[derive(Default)]
pub(crate) struct Filter {
    campaigns: Option<Vec<String>>,
    ids: Option<Vec<String>>,
    statuses: Option<Vec<String>>,
}

impl Filter {
    pub(crate) fn read(params: &Params) -> Result<Self, GraphError> {
        let mut filter = Self::default();
        let known = params.choices("effective_status", STATUSES)?;
        filter.statuses = known.map(|known| known.into_iter().map(str::to_owned).collect());
        let Some(text) = params.string("filtering") else { return Ok(filter) };
        let wrong = || GraphError::parameter("Param filtering must be an array of field, operator and value");
        for condition in serde_json::from_str::<Vec<Condition>>(text).map_err(|_| wrong())? {
            filter.add(condition)?;
        }
        Ok(filter)
    }

    fn add(&mut self, condition: Condition) -> Result<(), GraphError> {
        let Condition { field, operator, value } = condition;
        let value = strings(&value);
        if operator != "IN" {
            let why = format!("Filtering operator '{operator}' is invalid for field '{field}'");
            return Err(GraphError::parameter(why));
        }
        let is_status = matches!(field.as_str(), "effective_status" | "ad.effective_status");
        if value.is_empty() || is_status && !value.iter().all(|one| STATUSES.contains(&one.as_str())) {
            return Err(GraphError::parameter(format!("Filtering value of field '{field}' is invalid")));
        }
        let place = match field.as_str() {
            "campaign.id" => &mut self.campaigns,
            "id" | "ad.id" => &mut self.ids,
            _ if is_status => &mut self.statuses,
            _ => return Err(GraphError::parameter(format!("Filtering field '{field}' is invalid"))),
        };
        *place = Some(value);
        Ok(())
    }

    /// Whether a list includes an ad.
    pub(crate) fn lists(&self, campaign: u64, ad: u64, status: &str) -> bool {
        let has = |ids: &Option<Vec<String>>, id: u64| ids.as_ref().is_none_or(|ids| ids.contains(&id.to_string()));
        let has_status = match &self.statuses {
            None => !HIDDEN.contains(&status),
            Some(statuses) => statuses.iter().any(|one| one == status),
        };
        has_status && has(&self.campaigns, campaign) && has(&self.ids, ad)
    }
}
