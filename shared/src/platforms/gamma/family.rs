//! The two families of operations that create and change campaigns, and list their ads.

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

    /// The family whose list has the ads of a campaign that was read. `None` for the older kind of Smart+, for a campaign
    /// of the TikTok app, and for one of a kind that this version does not know, such as GMV Max: the list of manual ads
    /// leaves theirs out, which would look like a campaign without ads.
    pub(super) fn of_ads(raw: &str) -> Option<ApiFamily> {
        let read: wire::Automation = serde_json::from_str(raw).unwrap_or_default();
        let is_other = read.is_smart_performance_campaign == Some(true)
            || read.campaign_system_origin.as_deref() == Some("PROMOTE");
        match read.campaign_automation_type.as_deref() {
            _ if is_other => None,
            Some("UPGRADED_SMART_PLUS") => Some(ApiFamily::SmartPlus),
            // Rows of earlier years have no kind.
            Some("MANUAL") | None => Some(ApiFamily::Manual),
            Some(_) => None,
        }
    }

    /// The path of an operation on campaigns, such as `create`.
    pub(super) fn path(self, operation: &str) -> String {
        format!("{}campaign/{operation}", self.prefix())
    }

    /// The path of an operation on ads, such as `get`.
    pub(super) fn ads_path(self, operation: &str) -> String {
        format!("{}ad/{operation}", self.prefix())
    }

    fn prefix(self) -> &'static str {
        match self {
            ApiFamily::Manual => "",
            ApiFamily::SmartPlus => "smart_plus/",
        }
    }
}
