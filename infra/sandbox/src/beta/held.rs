//! What keeps campaigns, ads and accounts from being shown, in Meta's words.
//!
//! Marketing API: Ad, Ad Campaign Group and Ad Account references, Ad Campaign Issues Info. Not verified: the codes of
//! issues, which Meta does not publish, and which status of an ad wins when several fit.

use super::account::Account;
use super::campaign::{Campaign, Status};
use super::quirks::MASKED_REVIEW;
use crate::ads::{Ad, AdState, Ads, Hold, REJECTION, UNHEARD_OF, UNKNOWN_WORD};
use crate::service::RequestContext;
use serde_json::{Value, json};

/// `account_status` and `disable_reason` of an account.
pub(crate) fn account_status(ads: &Ads, account: &Account) -> (u32, u32) {
    match ads.account_hold(&account.act()) {
        Some(Hold::Suspended) => (2, 1),
        Some(Hold::Billing) => (8, 0),
        Some(Hold::BudgetSpent | Hold::Audience) | None => (1, 0),
    }
}

/// `effective_status` of a campaign. Neither rejected ads nor none change it.
pub(crate) fn campaign_status(ads: &Ads, campaign: &Campaign, context: &RequestContext<'_>) -> String {
    let status = if issues(ads, campaign).is_some() { "WITH_ISSUES" } else { campaign.status.as_str() };
    if campaign.status == Status::Deleted {
        return status.to_owned();
    }
    ads.word(&campaign.id.to_string(), status, context)
}

/// `issues_info` of a campaign and of its running ads; `None` without issues.
pub(crate) fn issues(ads: &Ads, campaign: &Campaign) -> Option<Value> {
    let has_issue = campaign.status == Status::Active && hold(ads, campaign) == Some(Hold::Audience);
    has_issue.then(|| {
        json!([{
            "level": "AD_SET",
            "error_code": 1_815_869,
            "error_type": "HARD_ERROR",
            "error_summary": "Audience too small",
            "error_message": "The audience of this ad set is too small. Make it larger, so that ads are shown.",
        }])
    })
}

/// `effective_status` of an ad. A paused parent masks what the review says.
pub(crate) fn ad_status(ads: &Ads, campaign: &Campaign, ad: Ad, context: &RequestContext<'_>) -> &'static str {
    match (campaign.status, ad.state) {
        (Status::Deleted, _) => "DELETED",
        (Status::Archived, _) => "ARCHIVED",
        _ if context.quirk(UNKNOWN_WORD.name) => UNHEARD_OF,
        (_, AdState::Paused) => "PAUSED",
        (Status::Paused, _) => "CAMPAIGN_PAUSED",
        _ if context.quirk(MASKED_REVIEW) => "ADSET_PAUSED",
        (_, AdState::InReview) => "PENDING_REVIEW",
        (_, AdState::Rejected) => "DISAPPROVED",
        (_, AdState::Approved) => match hold(ads, campaign) {
            Some(Hold::Billing) => "PENDING_BILLING_INFO",
            Some(Hold::Audience) => "WITH_ISSUES",
            Some(Hold::Suspended | Hold::BudgetSpent) | None => "ACTIVE",
        },
    }
}

/// `ad_review_feedback` of an ad that reads as rejected: for all placements, or for one of every second ad.
pub(crate) fn feedback(ad: Ad) -> Value {
    let reasons = json!({ "MISLEADING_CLAIMS": REJECTION });
    if (ad.id / 10_000).is_multiple_of(2) {
        json!({ "placement_specific": { "facebook": reasons } })
    } else {
        json!({ "global": reasons })
    }
}

fn hold(ads: &Ads, campaign: &Campaign) -> Option<Hold> {
    ads.campaign_hold(&campaign.id.to_string())
}
