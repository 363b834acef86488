//! The resources of the API and their fields.
//!
//! Google Ads API reference v26: `Campaign`, `CampaignBudget`.

use super::enums::{
    BUDGET_PERIOD, BUDGET_STATUS, BUDGET_TYPE, CAMPAIGN_STATUS, CHANNEL_TYPE, DELIVERY_METHOD, EU_POLITICAL,
    EXPERIMENT_TYPE, PRIMARY_STATUS, SERVING_STATUS, STRATEGY_TYPE,
};
use super::proto::{Field, Message, Type, boolean, enumeration, int64, message, string, unsupported};

/// `resources.CampaignBudget`.
pub(crate) static BUDGET: Message = Message(&[
    string("resource_name").immutable(),
    int64("id").output(),
    string("name"),
    int64("amount_micros"),
    int64("total_amount_micros"),
    enumeration("status", &BUDGET_STATUS).output(),
    enumeration("delivery_method", &DELIVERY_METHOD),
    boolean("explicitly_shared"),
    int64("reference_count").output(),
    boolean("has_recommended_budget").output(),
    int64("recommended_budget_amount_micros").output(),
    enumeration("period", &BUDGET_PERIOD).immutable(),
    enumeration("type", &BUDGET_TYPE).immutable(),
    unsupported("aligned_bidding_strategy_id"),
]);

/// The `oneof` group of bidding strategies in `resources.Campaign`.
pub(crate) const STRATEGY: &str = "campaign_bidding_strategy";

/// `resources.Campaign`. v23 removed `startDate` and `endDate`.
pub(crate) static CAMPAIGN: Message = Message(&[
    string("resource_name").immutable(),
    int64("id").output(),
    string("name"),
    enumeration("primary_status", &PRIMARY_STATUS).output(),
    enumeration("status", &CAMPAIGN_STATUS),
    enumeration("serving_status", &SERVING_STATUS).output(),
    enumeration("advertising_channel_type", &CHANNEL_TYPE).immutable(),
    message("network_settings", &NETWORK_SETTINGS),
    enumeration("experiment_type", &EXPERIMENT_TYPE).output(),
    string("base_campaign").output(),
    string("campaign_budget"),
    enumeration("bidding_strategy_type", &STRATEGY_TYPE).output(),
    string("start_date_time"),
    string("end_date_time"),
    enumeration("contains_eu_political_advertising", &EU_POLITICAL),
    boolean("missing_eu_political_advertising_declaration").output(),
    message("manual_cpc", &MANUAL_CPC).oneof(STRATEGY),
    message("manual_cpm", &EMPTY).oneof(STRATEGY),
    message("manual_cpv", &EMPTY).oneof(STRATEGY),
    message("maximize_conversions", &MAXIMIZE_CONVERSIONS).oneof(STRATEGY),
    message("maximize_conversion_value", &MAXIMIZE_CONVERSION_VALUE).oneof(STRATEGY),
    message("target_cpa", &TARGET_CPA).oneof(STRATEGY),
    message("target_roas", &TARGET_ROAS).oneof(STRATEGY),
    message("target_spend", &TARGET_SPEND).oneof(STRATEGY),
    unsupported("bidding_strategy").oneof(STRATEGY),
    unsupported("commission").oneof(STRATEGY),
    unsupported("manual_cpa").oneof(STRATEGY),
    unsupported("target_impression_share").oneof(STRATEGY),
    unsupported("percent_cpc").oneof(STRATEGY),
    unsupported("target_cpm").oneof(STRATEGY),
    unsupported("fixed_cpm").oneof(STRATEGY),
    unsupported("target_cpv").oneof(STRATEGY),
    unsupported("target_cpc").oneof(STRATEGY),
    unsupported("primary_status_reasons"),
    unsupported("bidding_strategy_system_status"),
    unsupported("ad_serving_optimization_status"),
    unsupported("advertising_channel_sub_type"),
    unsupported("tracking_url_template"),
    unsupported("url_custom_parameters"),
    unsupported("local_services_campaign_settings"),
    unsupported("travel_campaign_settings"),
    unsupported("demand_gen_campaign_settings"),
    unsupported("video_campaign_settings"),
    unsupported("pmax_campaign_settings"),
    unsupported("real_time_bidding_setting"),
    unsupported("hotel_setting"),
    unsupported("dynamic_search_ads_setting"),
    unsupported("shopping_setting"),
    unsupported("targeting_setting"),
    unsupported("audience_setting"),
    unsupported("geo_target_type_setting"),
    unsupported("local_campaign_setting"),
    unsupported("app_campaign_setting"),
    unsupported("labels"),
    unsupported("accessible_bidding_strategy"),
    unsupported("campaign_group"),
    unsupported("final_url_suffix"),
    unsupported("frequency_caps"),
    unsupported("vanity_pharma"),
    unsupported("selective_optimization"),
    unsupported("optimization_goal_setting"),
    unsupported("tracking_setting"),
    unsupported("payment_mode"),
    unsupported("optimization_score"),
    unsupported("excluded_parent_asset_field_types"),
    unsupported("excluded_parent_asset_set_types"),
    unsupported("performance_max_upgrade"),
    unsupported("hotel_property_asset_set"),
    unsupported("listing_type"),
    unsupported("asset_automation_settings"),
    unsupported("keyword_match_type"),
    unsupported("brand_guidelines_enabled"),
    unsupported("brand_guidelines"),
    unsupported("text_guidelines"),
    unsupported("third_party_integration_partners"),
    unsupported("ai_max_setting"),
    unsupported("feed_types"),
    unsupported("view_through_conversion_optimization_enabled"),
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
    Field::new("target_roas", Type::Double),
    int64("cpc_bid_ceiling_micros"),
    int64("cpc_bid_floor_micros"),
    int64("target_roas_tolerance_percent_millis"),
]);

static TARGET_CPA: Message =
    Message(&[int64("target_cpa_micros"), int64("cpc_bid_ceiling_micros"), int64("cpc_bid_floor_micros")]);

static TARGET_ROAS: Message = Message(&[
    Field::new("target_roas", Type::Double),
    int64("cpc_bid_ceiling_micros"),
    int64("cpc_bid_floor_micros"),
    int64("target_roas_tolerance_percent_millis"),
]);

static TARGET_SPEND: Message = Message(&[int64("target_spend_micros"), int64("cpc_bid_ceiling_micros")]);
