//! The request messages of the Google Ads API, field for field.
//!
//! Google Ads API reference v26: `MutateGoogleAdsRequest`, `MutateCampaignsRequest`,
//! `MutateCampaignBudgetsRequest`, `SearchGoogleAdsRequest`, `Campaign`, `CampaignBudget`.

use super::proto::{Choice, Field, Kind, Message};

const fn text(name: &'static str) -> Field {
    Field::new(name, Kind::Text)
}

const fn int64(name: &'static str) -> Field {
    Field::new(name, Kind::Int64)
}

const fn boolean(name: &'static str) -> Field {
    Field::new(name, Kind::Bool)
}

const fn choice(name: &'static str, of: &'static Choice) -> Field {
    Field::new(name, Kind::Choice(of))
}

const fn message(name: &'static str, of: &'static Message) -> Field {
    Field::new(name, Kind::Message(of))
}

const fn unimitated(name: &'static str) -> Field {
    Field::new(name, Kind::Unimitated)
}

macro_rules! choices {
    ($($name:ident $type_name:literal [$($value:literal)*];)*) => {
        $(pub(crate) static $name: Choice = Choice {
            type_name: concat!("google.ads.googleads.v26.enums.", $type_name),
            values: &["UNSPECIFIED", "UNKNOWN", $($value),*],
        };)*
    };
}

choices! {
    CAMPAIGN_STATUS "CampaignStatusEnum.CampaignStatus" ["ENABLED" "PAUSED" "REMOVED"];
    PRIMARY_STATUS "CampaignPrimaryStatusEnum.CampaignPrimaryStatus" [
        "ELIGIBLE" "PAUSED" "REMOVED" "ENDED" "PENDING" "MISCONFIGURED" "LIMITED" "LEARNING" "NOT_ELIGIBLE"];
    SERVING_STATUS "CampaignServingStatusEnum.CampaignServingStatus" [
        "SERVING" "NONE" "ENDED" "PENDING" "SUSPENDED"];
    CHANNEL_TYPE "AdvertisingChannelTypeEnum.AdvertisingChannelType" [
        "SEARCH" "DISPLAY" "SHOPPING" "HOTEL" "VIDEO" "MULTI_CHANNEL" "LOCAL" "SMART" "PERFORMANCE_MAX"
        "LOCAL_SERVICES" "TRAVEL" "DEMAND_GEN"];
    CHANNEL_SUB_TYPE "AdvertisingChannelSubTypeEnum.AdvertisingChannelSubType" [
        "APP_CAMPAIGN" "APP_CAMPAIGN_FOR_ENGAGEMENT" "APP_CAMPAIGN_FOR_PRE_REGISTRATION"];
    STRATEGY_TYPE "BiddingStrategyTypeEnum.BiddingStrategyType" [
        "COMMISSION" "ENHANCED_CPC" "FIXED_CPM" "INVALID" "MANUAL_CPA" "MANUAL_CPC" "MANUAL_CPM"
        "MANUAL_CPV" "MAXIMIZE_CONVERSIONS" "MAXIMIZE_CONVERSION_VALUE" "PERCENT_CPC" "TARGET_CPA"
        "TARGET_CPC" "TARGET_CPM" "TARGET_CPV" "TARGET_IMPRESSION_SHARE" "TARGET_ROAS" "TARGET_SPEND"];
    EXPERIMENT_TYPE "CampaignExperimentTypeEnum.CampaignExperimentType" ["BASE" "DRAFT" "EXPERIMENT"];
    EU_POLITICAL "EuPoliticalAdvertisingStatusEnum.EuPoliticalAdvertisingStatus" [
        "CONTAINS_EU_POLITICAL_ADVERTISING" "DOES_NOT_CONTAIN_EU_POLITICAL_ADVERTISING"];
    BUDGET_STATUS "BudgetStatusEnum.BudgetStatus" ["ENABLED" "REMOVED"];
    BUDGET_PERIOD "BudgetPeriodEnum.BudgetPeriod" ["DAILY" "CUSTOM_PERIOD"];
    BUDGET_TYPE "BudgetTypeEnum.BudgetType" ["STANDARD" "FIXED_CPA" "SMART_CAMPAIGN" "LOCAL_SERVICES"];
    DELIVERY_METHOD "BudgetDeliveryMethodEnum.BudgetDeliveryMethod" ["STANDARD" "ACCELERATED"];
    CUSTOMER_STATUS "CustomerStatusEnum.CustomerStatus" ["ENABLED" "CANCELED" "SUSPENDED" "CLOSED"];
}

static RESPONSE_CONTENT: Choice = Choice {
    type_name: "google.ads.googleads.v26.enums.ResponseContentTypeEnum.ResponseContentType",
    values: &["UNSPECIFIED", "RESOURCE_NAME_ONLY", "MUTABLE_RESOURCE"],
};

/// Body of `googleAds:search`. The fields `customerId` and the like are in the path.
pub(crate) static SEARCH: Message = Message(&[
    text("query"),
    text("page_token"),
    int64("page_size"),
    boolean("validate_only"),
    message("search_settings", &SEARCH_SETTINGS),
]);

static SEARCH_SETTINGS: Message =
    Message(&[boolean("omit_results"), boolean("return_total_results_count"), unimitated("return_summary_row")]);

/// Body of `googleAds:searchStream`.
pub(crate) static SEARCH_STREAM: Message = Message(&[text("query"), unimitated("summary_row_setting")]);

/// Body of `googleAds:mutate`.
pub(crate) static MUTATE: Message = Message(&[
    Field::new("mutate_operations", Kind::List(&MUTATE_OPERATION)),
    boolean("partial_failure"),
    boolean("validate_only"),
    choice("response_content_type", &RESPONSE_CONTENT),
]);

static MUTATE_OPERATION: Message = Message(&[
    message("campaign_budget_operation", &BUDGET_OPERATION).oneof("operation"),
    message("campaign_operation", &CAMPAIGN_OPERATION).oneof("operation"),
    unimitated("ad_group_operation").oneof("operation"),
    unimitated("ad_group_ad_operation").oneof("operation"),
    unimitated("ad_group_criterion_operation").oneof("operation"),
    unimitated("asset_operation").oneof("operation"),
    unimitated("asset_group_operation").oneof("operation"),
    unimitated("bidding_strategy_operation").oneof("operation"),
    unimitated("campaign_asset_operation").oneof("operation"),
    unimitated("campaign_criterion_operation").oneof("operation"),
    unimitated("campaign_group_operation").oneof("operation"),
    unimitated("campaign_label_operation").oneof("operation"),
    unimitated("conversion_action_operation").oneof("operation"),
    unimitated("customer_operation").oneof("operation"),
    unimitated("label_operation").oneof("operation"),
]);

/// Body of `campaigns:mutate`.
pub(crate) static CAMPAIGNS: Message = Message(&[
    Field::new("operations", Kind::List(&CAMPAIGN_OPERATION)),
    boolean("partial_failure"),
    boolean("validate_only"),
    choice("response_content_type", &RESPONSE_CONTENT),
]);

static CAMPAIGN_OPERATION: Message = Message(&[
    Field::new("update_mask", Kind::Mask),
    message("create", &CAMPAIGN).oneof("operation"),
    message("update", &CAMPAIGN).oneof("operation"),
    text("remove").oneof("operation"),
]);

/// Body of `campaignBudgets:mutate`.
pub(crate) static BUDGETS: Message = Message(&[
    Field::new("operations", Kind::List(&BUDGET_OPERATION)),
    boolean("partial_failure"),
    boolean("validate_only"),
    choice("response_content_type", &RESPONSE_CONTENT),
]);

static BUDGET_OPERATION: Message = Message(&[
    Field::new("update_mask", Kind::Mask),
    message("create", &BUDGET).oneof("operation"),
    message("update", &BUDGET).oneof("operation"),
    text("remove").oneof("operation"),
]);

/// `resources.CampaignBudget`.
pub(crate) static BUDGET: Message = Message(&[
    text("resource_name").immutable(),
    int64("id").output(),
    text("name"),
    int64("amount_micros"),
    int64("total_amount_micros"),
    choice("status", &BUDGET_STATUS).output(),
    choice("delivery_method", &DELIVERY_METHOD),
    boolean("explicitly_shared"),
    int64("reference_count").output(),
    boolean("has_recommended_budget").output(),
    int64("recommended_budget_amount_micros").output(),
    choice("period", &BUDGET_PERIOD).immutable(),
    choice("type", &BUDGET_TYPE).immutable(),
    unimitated("aligned_bidding_strategy_id"),
]);

/// The group of bidding strategies in `resources.Campaign`.
pub(crate) const STRATEGY: &str = "campaign_bidding_strategy";

/// `resources.Campaign`. `startDate` and `endDate` are gone since v23 and so unknown here.
pub(crate) static CAMPAIGN: Message = Message(&[
    text("resource_name").immutable(),
    int64("id").output(),
    text("name"),
    choice("primary_status", &PRIMARY_STATUS).output(),
    choice("status", &CAMPAIGN_STATUS),
    choice("serving_status", &SERVING_STATUS).output(),
    choice("advertising_channel_type", &CHANNEL_TYPE).immutable(),
    message("network_settings", &NETWORK_SETTINGS),
    choice("experiment_type", &EXPERIMENT_TYPE).output(),
    text("base_campaign").output(),
    text("campaign_budget"),
    choice("bidding_strategy_type", &STRATEGY_TYPE).output(),
    text("start_date_time"),
    text("end_date_time"),
    choice("contains_eu_political_advertising", &EU_POLITICAL),
    boolean("missing_eu_political_advertising_declaration").output(),
    message("manual_cpc", &MANUAL_CPC).oneof(STRATEGY),
    message("manual_cpm", &EMPTY).oneof(STRATEGY),
    message("manual_cpv", &EMPTY).oneof(STRATEGY),
    message("maximize_conversions", &MAXIMIZE_CONVERSIONS).oneof(STRATEGY),
    message("maximize_conversion_value", &MAXIMIZE_CONVERSION_VALUE).oneof(STRATEGY),
    message("target_cpa", &TARGET_CPA).oneof(STRATEGY),
    message("target_roas", &TARGET_ROAS).oneof(STRATEGY),
    message("target_spend", &TARGET_SPEND).oneof(STRATEGY),
    unimitated("bidding_strategy").oneof(STRATEGY),
    unimitated("commission").oneof(STRATEGY),
    unimitated("manual_cpa").oneof(STRATEGY),
    unimitated("target_impression_share").oneof(STRATEGY),
    unimitated("percent_cpc").oneof(STRATEGY),
    unimitated("target_cpm").oneof(STRATEGY),
    unimitated("fixed_cpm").oneof(STRATEGY),
    unimitated("target_cpv").oneof(STRATEGY),
    unimitated("target_cpc").oneof(STRATEGY),
    unimitated("primary_status_reasons"),
    unimitated("bidding_strategy_system_status"),
    unimitated("ad_serving_optimization_status"),
    unimitated("advertising_channel_sub_type"),
    unimitated("tracking_url_template"),
    unimitated("url_custom_parameters"),
    unimitated("local_services_campaign_settings"),
    unimitated("travel_campaign_settings"),
    unimitated("demand_gen_campaign_settings"),
    unimitated("video_campaign_settings"),
    unimitated("pmax_campaign_settings"),
    unimitated("real_time_bidding_setting"),
    unimitated("hotel_setting"),
    unimitated("dynamic_search_ads_setting"),
    unimitated("shopping_setting"),
    unimitated("targeting_setting"),
    unimitated("audience_setting"),
    unimitated("geo_target_type_setting"),
    unimitated("local_campaign_setting"),
    unimitated("app_campaign_setting"),
    unimitated("labels"),
    unimitated("accessible_bidding_strategy"),
    unimitated("campaign_group"),
    unimitated("final_url_suffix"),
    unimitated("frequency_caps"),
    unimitated("vanity_pharma"),
    unimitated("selective_optimization"),
    unimitated("optimization_goal_setting"),
    unimitated("tracking_setting"),
    unimitated("payment_mode"),
    unimitated("optimization_score"),
    unimitated("excluded_parent_asset_field_types"),
    unimitated("excluded_parent_asset_set_types"),
    unimitated("performance_max_upgrade"),
    unimitated("hotel_property_asset_set"),
    unimitated("listing_type"),
    unimitated("asset_automation_settings"),
    unimitated("keyword_match_type"),
    unimitated("brand_guidelines_enabled"),
    unimitated("brand_guidelines"),
    unimitated("text_guidelines"),
    unimitated("third_party_integration_partners"),
    unimitated("ai_max_setting"),
    unimitated("feed_types"),
    unimitated("view_through_conversion_optimization_enabled"),
]);

static EMPTY: Message = Message(&[]);

static NETWORK_SETTINGS: Message = Message(&[
    boolean("target_google_search"),
    boolean("target_search_network"),
    boolean("target_content_network"),
    boolean("target_partner_search_network"),
    boolean("target_youtube"),
    boolean("target_google_tv_network"),
]);

static MANUAL_CPC: Message = Message(&[boolean("enhanced_cpc_enabled")]);

static MAXIMIZE_CONVERSIONS: Message =
    Message(&[int64("cpc_bid_ceiling_micros"), int64("cpc_bid_floor_micros"), int64("target_cpa_micros")]);

static MAXIMIZE_CONVERSION_VALUE: Message = Message(&[
    Field::new("target_roas", Kind::Double),
    int64("cpc_bid_ceiling_micros"),
    int64("cpc_bid_floor_micros"),
    int64("target_roas_tolerance_percent_millis"),
]);

static TARGET_CPA: Message =
    Message(&[int64("target_cpa_micros"), int64("cpc_bid_ceiling_micros"), int64("cpc_bid_floor_micros")]);

static TARGET_ROAS: Message = Message(&[
    Field::new("target_roas", Kind::Double),
    int64("cpc_bid_ceiling_micros"),
    int64("cpc_bid_floor_micros"),
    int64("target_roas_tolerance_percent_millis"),
]);

static TARGET_SPEND: Message = Message(&[int64("target_spend_micros"), int64("cpc_bid_ceiling_micros")]);
