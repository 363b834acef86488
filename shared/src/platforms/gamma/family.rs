//! The two families of operations that create and change campaigns.

use super::wire;
use crate::platforms::prelude::*;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ApiFamily {
    /// `/campaign/…`
    Manual,
    /// `/smart_plus/campaign/…`
    SmartPlus,
}

impl ApiFamily {
    /// The family that creates campaigns for a goal.
    pub(super) fn for_goal(goal: Goal) -> ApiFamily {
        match goal {
            Goal::WebsiteTraffic | Goal::Reach | Goal::BrandAwareness => ApiFamily::Manual,
            Goal::Conversions | Goal::Leads | Goal::Sales | Goal::AppPromotion => ApiFamily::SmartPlus,
        }
    }

    /// The family of a campaign that was read. The older kind of Smart+ has no status operation of its own.
    pub(super) fn of(raw: &str) -> ApiFamily {
        let read: wire::Automation = serde_json::from_str(raw).unwrap_or_default();
        match read.campaign_automation_type.as_deref() {
            Some("UPGRADED_SMART_PLUS") => ApiFamily::SmartPlus,
            _ => ApiFamily::Manual,
        }
    }

    /// The path of an operation, such as `create`.
    pub(super) fn path(self, operation: &str) -> String {
        match self {
            ApiFamily::Manual => format!("campaign/{operation}"),
            ApiFamily::SmartPlus => format!("smart_plus/campaign/{operation}"),
        }
    }
}
