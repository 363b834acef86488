//! The two families of operations that create and change campaigns.

use super::wire;
use crate::domain::Goal;

/// A family of operations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ApiFamily {
    /// `/campaign/…`
    Manual,
    /// `/smart_plus/campaign/…`
    SmartPlus,
}

impl ApiFamily {
    /// The family that creates campaigns for a goal. TikTok ends the manual creates for conversions, leads, sales and
    /// apps on 2027-01-01 (third parties report this; not verified), and Smart+ creates them today.
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

    /// The path that creates a campaign.
    pub(super) fn create(self) -> &'static str {
        match self {
            ApiFamily::Manual => "campaign/create",
            ApiFamily::SmartPlus => "smart_plus/campaign/create",
        }
    }

    /// The path that changes name and budget.
    pub(super) fn update(self) -> &'static str {
        match self {
            ApiFamily::Manual => "campaign/update",
            ApiFamily::SmartPlus => "smart_plus/campaign/update",
        }
    }

    /// The path that enables, disables and deletes a campaign.
    pub(super) fn status_update(self) -> &'static str {
        match self {
            ApiFamily::Manual => "campaign/status/update",
            ApiFamily::SmartPlus => "smart_plus/campaign/status/update",
        }
    }
}
