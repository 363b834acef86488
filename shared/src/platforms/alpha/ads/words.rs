//! What the words of Google Ads mean, a row for each (Google Ads API v26: the enums of the fields that are named here).
//! The platform concludes itself whether a campaign and an ad may be shown; the reasons only explain it.

use crate::domain::{AdReview, AdState, DeliveryReason, DeliveryState, Effect};

/// What a word holds against a campaign or an ad; `None` for nothing.
pub(super) type Held = Option<(Effect, DeliveryReason)>;

/// `campaign.primary_status`: what the platform concludes, and the reason where it names none.
pub(super) const CAMPAIGN_STATES: &[(&str, (DeliveryState, DeliveryReason))] = &[
    ("ELIGIBLE", (DeliveryState::Eligible, DeliveryReason::Other)),
    ("LIMITED", (DeliveryState::Limited, DeliveryReason::Other)),
    ("LEARNING", (DeliveryState::Limited, DeliveryReason::Learning)),
    ("MISCONFIGURED", (DeliveryState::Limited, DeliveryReason::Other)),
    ("PENDING", (DeliveryState::Waiting, DeliveryReason::Other)),
    ("NOT_ELIGIBLE", (DeliveryState::Blocked, DeliveryReason::Other)),
    ("PAUSED", (DeliveryState::Off, DeliveryReason::CampaignStatus)),
    ("REMOVED", (DeliveryState::Off, DeliveryReason::CampaignStatus)),
    ("ENDED", (DeliveryState::Off, DeliveryReason::CampaignStatus)),
];

/// `campaign.primary_status_reasons`. `NO_…` counts what is eligible: the campaign may have ads.
pub(super) const CAMPAIGN_REASONS: &[(&str, DeliveryReason)] = &[
    ("CAMPAIGN_REMOVED", DeliveryReason::CampaignStatus),
    ("CAMPAIGN_PAUSED", DeliveryReason::CampaignStatus),
    ("CAMPAIGN_ENDED", DeliveryReason::CampaignStatus),
    ("CAMPAIGN_DRAFT", DeliveryReason::CampaignStatus),
    ("CAMPAIGN_PENDING", DeliveryReason::NotStarted),
    ("CAMPAIGN_GROUP_PAUSED", DeliveryReason::ParentOff),
    ("CAMPAIGN_GROUP_ALL_GROUP_BUDGETS_ENDED", DeliveryReason::ParentOff),
    ("NO_AD_GROUPS", DeliveryReason::NoEligibleAds),
    ("NO_AD_GROUP_ADS", DeliveryReason::NoEligibleAds),
    ("NO_ASSET_GROUPS", DeliveryReason::NoEligibleAds),
    ("AD_GROUPS_PAUSED", DeliveryReason::AdsOff),
    ("AD_GROUP_ADS_PAUSED", DeliveryReason::AdsOff),
    ("ASSET_GROUPS_PAUSED", DeliveryReason::AdsOff),
    ("HAS_ADS_DISAPPROVED", DeliveryReason::AdsRejected),
    ("HAS_ASSET_GROUPS_DISAPPROVED", DeliveryReason::AdsRejected),
    ("HAS_ADS_LIMITED_BY_POLICY", DeliveryReason::AdsLimited),
    ("HAS_ASSET_GROUPS_LIMITED_BY_POLICY", DeliveryReason::AdsLimited),
    ("MOST_ADS_UNDER_REVIEW", DeliveryReason::AdsInReview),
    ("MOST_ASSET_GROUPS_UNDER_REVIEW", DeliveryReason::AdsInReview),
    ("BUDGET_CONSTRAINED", DeliveryReason::Budget),
    ("BUDGET_MISCONFIGURED", DeliveryReason::Budget),
    ("BIDDING_STRATEGY_LEARNING", DeliveryReason::Learning),
    ("BIDDING_STRATEGY_MISCONFIGURED", DeliveryReason::Bidding),
    ("BIDDING_STRATEGY_LIMITED", DeliveryReason::Bidding),
    ("BIDDING_STRATEGY_CONSTRAINED", DeliveryReason::Bidding),
    ("NO_KEYWORDS", DeliveryReason::Targeting),
    ("KEYWORDS_PAUSED", DeliveryReason::Targeting),
    ("SEARCH_VOLUME_LIMITED", DeliveryReason::Targeting),
    ("MISSING_LOCATION_TARGETING", DeliveryReason::Targeting),
    ("NO_MOBILE_APPLICATION_AD_GROUP_CRITERIA", DeliveryReason::Targeting),
    ("MISSING_LEAD_FORM_EXTENSION", DeliveryReason::Asset),
    ("MISSING_CALL_EXTENSION", DeliveryReason::Asset),
    ("LEAD_FORM_EXTENSION_UNDER_REVIEW", DeliveryReason::Asset),
    ("LEAD_FORM_EXTENSION_DISAPPROVED", DeliveryReason::Asset),
    ("CALL_EXTENSION_UNDER_REVIEW", DeliveryReason::Asset),
    ("CALL_EXTENSION_DISAPPROVED", DeliveryReason::Asset),
    ("APP_NOT_RELEASED", DeliveryReason::Asset),
    ("APP_PARTIALLY_RELEASED", DeliveryReason::Asset),
    ("CAMPAIGN_NOT_BOOKED", DeliveryReason::Other),
    ("BOOKING_HOLD_EXPIRING", DeliveryReason::Other),
    ("BOOKING_HOLD_EXPIRED", DeliveryReason::Other),
    ("BOOKING_CANCELLED", DeliveryReason::Other),
];

/// `customer.status`
pub(super) const ACCOUNTS: &[(&str, Held)] = &[
    ("ENABLED", None),
    ("CANCELED", Some((Effect::Blocks, DeliveryReason::Account))),
    ("SUSPENDED", Some((Effect::Blocks, DeliveryReason::Account))),
    ("CLOSED", Some((Effect::Blocks, DeliveryReason::Account))),
];

/// `ad_group_ad.primary_status`: what the platform concludes, and what is held against the ad where it names no reason;
/// `None` for an ad that is left out.
pub(super) const AD_STATES: &[(&str, Option<(AdState, Held)>)] = &[
    ("ELIGIBLE", Some((AdState::CanRun, None))),
    ("LIMITED", Some((AdState::CanRun, Some((Effect::Limits, DeliveryReason::Other))))),
    ("PENDING", Some((AdState::Waiting, Some((Effect::Waits, DeliveryReason::Other))))),
    ("NOT_ELIGIBLE", Some((AdState::Blocked, Some((Effect::Blocks, DeliveryReason::Other))))),
    ("PAUSED", Some((AdState::Off, Some((Effect::SwitchesOff, DeliveryReason::AdsOff))))),
    ("REMOVED", None),
];

/// `ad_group_ad.primary_status_reasons`, each with the effect that its definition names.
pub(super) const AD_REASONS: &[(&str, Held)] = &[
    ("CAMPAIGN_REMOVED", Some((Effect::SwitchesOff, DeliveryReason::CampaignStatus))),
    ("CAMPAIGN_PAUSED", Some((Effect::SwitchesOff, DeliveryReason::CampaignStatus))),
    ("CAMPAIGN_ENDED", Some((Effect::SwitchesOff, DeliveryReason::CampaignStatus))),
    ("CAMPAIGN_PENDING", Some((Effect::Waits, DeliveryReason::NotStarted))),
    ("AD_GROUP_PAUSED", Some((Effect::SwitchesOff, DeliveryReason::AdsOff))),
    ("AD_GROUP_REMOVED", Some((Effect::SwitchesOff, DeliveryReason::AdsOff))),
    ("AD_GROUP_AD_PAUSED", Some((Effect::SwitchesOff, DeliveryReason::AdsOff))),
    ("AD_GROUP_AD_REMOVED", Some((Effect::SwitchesOff, DeliveryReason::AdsOff))),
    ("AD_GROUP_AD_DISAPPROVED", Some((Effect::Blocks, DeliveryReason::AdsRejected))),
    ("AD_GROUP_AD_UNDER_REVIEW", Some((Effect::Waits, DeliveryReason::AdsInReview))),
    ("AD_GROUP_AD_POOR_QUALITY", Some((Effect::Limits, DeliveryReason::AdsLimited))),
    ("AD_GROUP_AD_APPROVED_LABELED", Some((Effect::Limits, DeliveryReason::AdsLimited))),
    ("AD_GROUP_AD_AREA_OF_INTEREST_ONLY", Some((Effect::Limits, DeliveryReason::AdsLimited))),
    ("AD_GROUP_AD_NO_ADS", Some((Effect::Waits, DeliveryReason::Other))),
    ("AD_GROUP_AD_UNDER_APPEAL", None),
];

/// `policy_summary.approval_status` and `policy_summary.review_status`: the first row that fits decides.
pub(super) const REVIEWS: &[(Field, &str, AdReview)] = &[
    (Field::Approval, "DISAPPROVED", AdReview::Rejected),
    (Field::Review, "REVIEW_IN_PROGRESS", AdReview::InReview),
    (Field::Review, "UNDER_APPEAL", AdReview::InReview),
    (Field::Approval, "APPROVED_LIMITED", AdReview::Limited),
    (Field::Approval, "AREA_OF_INTEREST_ONLY", AdReview::Limited),
    (Field::Approval, "APPROVED", AdReview::Approved),
    (Field::Review, "REVIEWED", AdReview::Unknown),
    (Field::Review, "ELIGIBLE_MAY_SERVE", AdReview::Unknown),
];

/// A field of the policy summary.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Field {
    Approval,
    Review,
}

/// `PolicyTopicEntryType`: findings that hold nothing back.
pub(super) const HARMLESS_TOPICS: &[&str] = &["DESCRIPTIVE", "BROADENING"];
