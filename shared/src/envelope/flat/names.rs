//! The names of goals, budget periods and statuses in the flat shape.

use crate::domain::{BudgetPeriod, CampaignStatus, Goal, StatusSet};
use crate::error::Error;

/// Budget periods that a request can name.
pub(crate) const PERIODS: [BudgetPeriod; 2] = [BudgetPeriod::Daily, BudgetPeriod::Lifetime];
/// Goals that a request can name.
pub(crate) const GOALS: [(&str, Goal); 5] = [
    ("CONVERSIONS", Goal::Conversions),
    ("AWARENESS", Goal::BrandAwareness),
    ("TRAFFIC", Goal::WebsiteTraffic),
    ("LEADS", Goal::Leads),
    ("SALES", Goal::Sales),
];
/// Statuses that a request can name.
pub(crate) const STATUSES: [&str; 4] = ["ACTIVE", "PAUSED", "REMOVED", "ENDED"];

pub(super) fn read_status(name: &str) -> Option<CampaignStatus> {
    match name {
        "ACTIVE" => Some(CampaignStatus::Active),
        "PAUSED" => Some(CampaignStatus::Paused),
        "REMOVED" => Some(CampaignStatus::Archived),
        "ENDED" => Some(CampaignStatus::Ended),
        _ => None,
    }
}

/// The statuses that a `status` filter selects: all that this shape shows under the given name.
pub(crate) fn status_filter(name: &str) -> Result<StatusSet, Error> {
    let statuses: Vec<CampaignStatus> =
        CampaignStatus::ALL.into_iter().filter(|status| status_name(*status) == Some(name)).collect();
    if statuses.is_empty() {
        return Err(Error::field("status", format!("must be one of {}", STATUSES.join(", "))));
    }
    Ok(StatusSet::of(&statuses))
}

pub(crate) fn status_name(status: CampaignStatus) -> Option<&'static str> {
    match status {
        CampaignStatus::Active => Some("ACTIVE"),
        CampaignStatus::Paused | CampaignStatus::Draft => Some("PAUSED"),
        CampaignStatus::Ended => Some("ENDED"),
        CampaignStatus::Archived | CampaignStatus::ScheduledForDeletion => Some("REMOVED"),
        CampaignStatus::Unspecified => None,
    }
}

pub(crate) fn goal_name(goal: Goal) -> Option<&'static str> {
    match goal {
        Goal::BrandAwareness | Goal::Reach => Some("AWARENESS"),
        Goal::WebsiteTraffic => Some("TRAFFIC"),
        Goal::Leads => Some("LEADS"),
        Goal::Sales => Some("SALES"),
        Goal::Conversions => Some("CONVERSIONS"),
        Goal::AppPromotion => None,
    }
}

pub(crate) fn period_name(period: BudgetPeriod) -> &'static str {
    match period {
        BudgetPeriod::Daily => "DAILY",
        BudgetPeriod::Monthly => "MONTHLY",
        BudgetPeriod::Total | BudgetPeriod::Lifetime => "LIFETIME",
    }
}
