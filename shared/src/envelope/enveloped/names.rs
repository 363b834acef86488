//! The names of goals and statuses in the enveloped shape.

use crate::domain::{CampaignStatus, Goal, StatusSet};
use crate::error::Error;

/// Goals that a request can name.
pub(crate) const GOALS: [(&str, Goal); 6] = [
    ("BRAND_AWARENESS", Goal::BrandAwareness),
    ("REACH", Goal::Reach),
    ("WEBSITE_TRAFFIC", Goal::WebsiteTraffic),
    ("LEADS", Goal::Leads),
    ("SALES", Goal::Sales),
    ("APP_PROMOTION", Goal::AppPromotion),
];
/// Statuses that a request can name.
pub(crate) const STATUSES: [&str; 6] =
    ["UNSPECIFIED", "ACTIVE", "PAUSED", "ARCHIVED", "DRAFT", "SCHEDULED_FOR_DELETION"];

pub(super) fn read_status(name: &str) -> Option<CampaignStatus> {
    match name {
        "UNSPECIFIED" => Some(CampaignStatus::Unspecified),
        "ACTIVE" => Some(CampaignStatus::Active),
        "PAUSED" => Some(CampaignStatus::Paused),
        "ARCHIVED" => Some(CampaignStatus::Archived),
        "DRAFT" => Some(CampaignStatus::Draft),
        "SCHEDULED_FOR_DELETION" => Some(CampaignStatus::ScheduledForDeletion),
        _ => None,
    }
}

/// The statuses that a `status` filter selects: all that this shape shows under the given name.
pub(crate) fn status_filter(name: &str) -> Result<StatusSet, Error> {
    let statuses: Vec<CampaignStatus> =
        CampaignStatus::ALL.into_iter().filter(|status| status_name(*status) == name).collect();
    if statuses.is_empty() {
        return Err(Error::field("status", format!("must be one of {}", STATUSES.join(", "))));
    }
    Ok(StatusSet::of(&statuses))
}

pub(crate) fn status_name(status: CampaignStatus) -> &'static str {
    match status {
        // This shape has no name for an ended campaign. The platform still reports it as enabled; `raw` has the
        // details.
        CampaignStatus::Active | CampaignStatus::Ended => "ACTIVE",
        CampaignStatus::Paused => "PAUSED",
        CampaignStatus::Archived => "ARCHIVED",
        CampaignStatus::Draft => "DRAFT",
        CampaignStatus::ScheduledForDeletion => "SCHEDULED_FOR_DELETION",
        CampaignStatus::Unspecified => "UNSPECIFIED",
    }
}

pub(crate) fn goal_name(goal: Option<Goal>) -> &'static str {
    match goal {
        Some(Goal::BrandAwareness) => "BRAND_AWARENESS",
        Some(Goal::Reach) => "REACH",
        Some(Goal::WebsiteTraffic) => "WEBSITE_TRAFFIC",
        Some(Goal::Leads) => "LEADS",
        Some(Goal::Sales | Goal::Conversions) => "SALES",
        Some(Goal::AppPromotion) => "APP_PROMOTION",
        None => "UNSPECIFIED",
    }
}
