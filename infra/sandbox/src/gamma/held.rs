//! What keeps campaigns and their ads from being delivered, in TikTok's words.
//!
//! TikTok API for Business v1.3: "Enumeration - Campaign status", "Enumeration - Ad status". Not verified: which word
//! shows when several fit. Answers to writes and the filters of reports know no holds: they show a campaign as its
//! switch and its budget make it.

use super::campaign::Campaign;
use crate::ads::{AdState, Ads, Hold, UNHEARD_OF, UNKNOWN_WORD};
use crate::service::RequestContext;

pub(super) const PUNISHED: &str = "ADVERTISER_ACCOUNT_PUNISH";
pub(super) const BUDGET_EXCEED: &str = "CAMPAIGN_STATUS_BUDGET_EXCEED";

/// The holds of a campaign and of its advertiser.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Held {
    advertiser: Option<Hold>,
    campaign: Option<Hold>,
}

impl Held {
    pub(crate) fn of(ads: &Ads, advertiser: &str, campaign: &Campaign) -> Self {
        let campaign = ads.campaign_hold(&campaign.id.to_string());
        Self { advertiser: ads.account_hold(advertiser), campaign }
    }

    pub(super) fn is_punished(self) -> bool {
        self.advertiser == Some(Hold::Suspended)
    }

    pub(super) fn has_spent_budget(self) -> bool {
        self.campaign == Some(Hold::BudgetSpent)
    }

    /// The `secondary_status` of an ad of a campaign.
    pub(crate) fn ad_status(self, campaign: &Campaign, state: AdState, context: &RequestContext<'_>) -> &'static str {
        match (campaign.secondary_status(self), state) {
            ("CAMPAIGN_STATUS_DELETE", _) => "AD_STATUS_CAMPAIGN_DELETE",
            _ if context.quirk(UNKNOWN_WORD.name) => UNHEARD_OF,
            ("CAMPAIGN_STATUS_DISABLE", _) => "AD_STATUS_CAMPAIGN_DISABLE",
            (PUNISHED, _) => PUNISHED,
            (_, AdState::Paused) => "AD_STATUS_DISABLE",
            (_, AdState::InReview) => "AD_STATUS_AUDIT",
            (_, AdState::Rejected) => "AD_STATUS_AUDIT_DENY",
            (_, AdState::Approved) if self.advertiser == Some(Hold::Billing) => "AD_STATUS_BALANCE_EXCEED",
            (BUDGET_EXCEED, AdState::Approved) => "AD_STATUS_CAMPAIGN_EXCEED",
            (_, AdState::Approved) => "AD_STATUS_DELIVERY_OK",
        }
    }
}
