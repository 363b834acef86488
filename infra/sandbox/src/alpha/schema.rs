//! The request messages of the API.
//!
//! Google Ads API reference v26: `MutateGoogleAdsRequest`, `MutateCampaignsRequest`,
//! `MutateCampaignBudgetsRequest`, `SearchGoogleAdsRequest`.

use super::enums::RESPONSE_CONTENT;
use super::proto::{Field, Message, Type, boolean, enumeration, int64, message, string, unsupported};
use super::resource_schema::{BUDGET, CAMPAIGN};

/// Body of `googleAds:search`. `customerId` is in the path.
pub(crate) static SEARCH: Message = Message(&[
    string("query"),
    string("page_token"),
    int64("page_size"),
    boolean("validate_only"),
    message("search_settings", &SEARCH_SETTINGS),
]);

static SEARCH_SETTINGS: Message =
    Message(&[boolean("omit_results"), boolean("return_total_results_count"), unsupported("return_summary_row")]);

/// Body of `googleAds:searchStream`.
pub(crate) static SEARCH_STREAM: Message = Message(&[string("query"), unsupported("summary_row_setting")]);

/// Body of `googleAds:mutate`.
pub(crate) static MUTATE: Message = Message(&[
    Field::new("mutate_operations", Type::Repeated(&MUTATE_OPERATION)),
    boolean("partial_failure"),
    boolean("validate_only"),
    enumeration("response_content_type", &RESPONSE_CONTENT),
]);

static MUTATE_OPERATION: Message = Message(&[
    message("campaign_budget_operation", &BUDGET_OPERATION).oneof("operation"),
    message("campaign_operation", &CAMPAIGN_OPERATION).oneof("operation"),
    unsupported("ad_group_operation").oneof("operation"),
    unsupported("ad_group_ad_operation").oneof("operation"),
    unsupported("ad_group_criterion_operation").oneof("operation"),
    unsupported("asset_operation").oneof("operation"),
    unsupported("asset_group_operation").oneof("operation"),
    unsupported("bidding_strategy_operation").oneof("operation"),
    unsupported("campaign_asset_operation").oneof("operation"),
    unsupported("campaign_criterion_operation").oneof("operation"),
    unsupported("campaign_group_operation").oneof("operation"),
    unsupported("campaign_label_operation").oneof("operation"),
    unsupported("conversion_action_operation").oneof("operation"),
    unsupported("customer_operation").oneof("operation"),
    unsupported("label_operation").oneof("operation"),
]);

/// Body of `campaigns:mutate`.
pub(crate) static CAMPAIGNS: Message = Message(&[
    Field::new("operations", Type::Repeated(&CAMPAIGN_OPERATION)),
    boolean("partial_failure"),
    boolean("validate_only"),
    enumeration("response_content_type", &RESPONSE_CONTENT),
]);

static CAMPAIGN_OPERATION: Message = Message(&[
    Field::new("update_mask", Type::FieldMask),
    message("create", &CAMPAIGN).oneof("operation"),
    message("update", &CAMPAIGN).oneof("operation"),
    string("remove").oneof("operation"),
]);

/// Body of `campaignBudgets:mutate`.
pub(crate) static BUDGETS: Message = Message(&[
    Field::new("operations", Type::Repeated(&BUDGET_OPERATION)),
    boolean("partial_failure"),
    boolean("validate_only"),
    enumeration("response_content_type", &RESPONSE_CONTENT),
]);

static BUDGET_OPERATION: Message = Message(&[
    Field::new("update_mask", Type::FieldMask),
    message("create", &BUDGET).oneof("operation"),
    message("update", &BUDGET).oneof("operation"),
    string("remove").oneof("operation"),
]);
