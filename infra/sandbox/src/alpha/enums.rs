//! Enums of the API and their constants.
//!
//! Google Ads API reference v26: `enums`.

use super::proto::EnumType;

pub(crate) static CAMPAIGN_STATUS: EnumType =
    EnumType::new("CampaignStatusEnum.CampaignStatus", &["ENABLED", "PAUSED", "REMOVED"]);

pub(crate) static PRIMARY_STATUS: EnumType = EnumType::new(
    "CampaignPrimaryStatusEnum.CampaignPrimaryStatus",
    &["ELIGIBLE", "PAUSED", "REMOVED", "ENDED", "PENDING", "MISCONFIGURED", "LIMITED", "LEARNING", "NOT_ELIGIBLE"],
);

pub(crate) static AD_GROUP_STATUS: EnumType =
    EnumType::new("AdGroupStatusEnum.AdGroupStatus", &["ENABLED", "PAUSED", "REMOVED"]);

pub(crate) static AD_STATUS: EnumType =
    EnumType::new("AdGroupAdStatusEnum.AdGroupAdStatus", &["ENABLED", "PAUSED", "REMOVED"]);

pub(crate) static AD_PRIMARY_STATUS: EnumType = EnumType::new(
    "AdGroupAdPrimaryStatusEnum.AdGroupAdPrimaryStatus",
    &["ELIGIBLE", "PAUSED", "REMOVED", "PENDING", "LIMITED", "NOT_ELIGIBLE"],
);

pub(crate) static REVIEW_STATUS: EnumType = EnumType::new(
    "PolicyReviewStatusEnum.PolicyReviewStatus",
    &["REVIEW_IN_PROGRESS", "REVIEWED", "UNDER_APPEAL", "ELIGIBLE_MAY_SERVE"],
);

pub(crate) static APPROVAL_STATUS: EnumType = EnumType::new(
    "PolicyApprovalStatusEnum.PolicyApprovalStatus",
    &["DISAPPROVED", "APPROVED_LIMITED", "APPROVED", "AREA_OF_INTEREST_ONLY"],
);

pub(crate) static SERVING_STATUS: EnumType = EnumType::new(
    "CampaignServingStatusEnum.CampaignServingStatus",
    &["SERVING", "NONE", "ENDED", "PENDING", "SUSPENDED"],
);

pub(crate) static CHANNEL_TYPE: EnumType = EnumType::new(
    "AdvertisingChannelTypeEnum.AdvertisingChannelType",
    &[
        "SEARCH",
        "DISPLAY",
        "SHOPPING",
        "HOTEL",
        "VIDEO",
        "MULTI_CHANNEL",
        "LOCAL",
        "SMART",
        "PERFORMANCE_MAX",
        "LOCAL_SERVICES",
        "TRAVEL",
        "DEMAND_GEN",
    ],
);

pub(crate) static CHANNEL_SUB_TYPE: EnumType = EnumType::new(
    "AdvertisingChannelSubTypeEnum.AdvertisingChannelSubType",
    &["APP_CAMPAIGN", "APP_CAMPAIGN_FOR_ENGAGEMENT", "APP_CAMPAIGN_FOR_PRE_REGISTRATION"],
);

pub(crate) static STRATEGY_TYPE: EnumType = EnumType::new(
    "BiddingStrategyTypeEnum.BiddingStrategyType",
    &[
        "COMMISSION",
        "ENHANCED_CPC",
        "FIXED_CPM",
        "INVALID",
        "MANUAL_CPA",
        "MANUAL_CPC",
        "MANUAL_CPM",
        "MANUAL_CPV",
        "MAXIMIZE_CONVERSIONS",
        "MAXIMIZE_CONVERSION_VALUE",
        "PERCENT_CPC",
        "TARGET_CPA",
        "TARGET_CPC",
        "TARGET_CPM",
        "TARGET_CPV",
        "TARGET_IMPRESSION_SHARE",
        "TARGET_ROAS",
        "TARGET_SPEND",
    ],
);

pub(crate) static EXPERIMENT_TYPE: EnumType =
    EnumType::new("CampaignExperimentTypeEnum.CampaignExperimentType", &["BASE", "DRAFT", "EXPERIMENT"]);

pub(crate) static EU_POLITICAL: EnumType = EnumType::new(
    "EuPoliticalAdvertisingStatusEnum.EuPoliticalAdvertisingStatus",
    &["CONTAINS_EU_POLITICAL_ADVERTISING", "DOES_NOT_CONTAIN_EU_POLITICAL_ADVERTISING"],
);

pub(crate) static BUDGET_STATUS: EnumType = EnumType::new("BudgetStatusEnum.BudgetStatus", &["ENABLED", "REMOVED"]);

pub(crate) static BUDGET_PERIOD: EnumType = EnumType::new("BudgetPeriodEnum.BudgetPeriod", &["DAILY", "CUSTOM_PERIOD"]);

pub(crate) static BUDGET_TYPE: EnumType =
    EnumType::new("BudgetTypeEnum.BudgetType", &["STANDARD", "FIXED_CPA", "SMART_CAMPAIGN", "LOCAL_SERVICES"]);

pub(crate) static DELIVERY_METHOD: EnumType =
    EnumType::new("BudgetDeliveryMethodEnum.BudgetDeliveryMethod", &["STANDARD", "ACCELERATED"]);

pub(crate) static CUSTOMER_STATUS: EnumType =
    EnumType::new("CustomerStatusEnum.CustomerStatus", &["ENABLED", "CANCELED", "SUSPENDED", "CLOSED"]);

pub(crate) static RESPONSE_CONTENT: EnumType = EnumType::without_unknown(
    "ResponseContentTypeEnum.ResponseContentType",
    &["RESOURCE_NAME_ONLY", "MUTABLE_RESOURCE"],
);
