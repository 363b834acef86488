//! The fields of queries and their types.
//!
//! Google Ads API: the field pages of `campaign`, `campaign_budget`, `ad_group_ad`, `customer`, `customer_client`,
//! `currency_constant`, `metrics` and `segments`.

use super::enums;
use super::proto::EnumType;

/// The type of a field. It determines the supported operators and literals.
#[derive(Debug, Clone, Copy)]
pub(crate) enum ValueType {
    Int,
    /// A metric with fractions.
    Double,
    /// A core date segment: `yyyy-MM-dd`.
    Date,
    Text,
    /// `yyyy-MM-dd HH:mm:ss`. A date without a time means midnight.
    DateTime,
    Bool,
    Enum(&'static EnumType),
    /// A list of constants or of messages. No query sorts by it.
    Repeated,
}

/// The core date segment of days, the only segment here.
pub(crate) const SEGMENT_DATE: &str = "segments.date";

/// The resources of FROM clauses, each with its joined resources.
const RESOURCES: &[(&str, &[&str])] = &[
    ("campaign", &["campaign", "campaign_budget", "customer", "metrics", "segments"]),
    ("campaign_budget", &["campaign_budget", "customer", "metrics", "segments"]),
    ("ad_group_ad", &["ad_group_ad", "ad_group", "campaign", "customer"]),
    ("customer", &["customer", "metrics", "segments"]),
    ("customer_client", &["customer_client", "customer"]),
    ("currency_constant", &["currency_constant"]),
];

/// The resources whose fields a query on `from` may name; `None` for an unknown resource.
pub(crate) fn joined(from: &str) -> Option<&'static [&'static str]> {
    RESOURCES.iter().find(|(name, _)| *name == from).map(|(_, joined)| *joined)
}

/// The type of a field by its full name; `None` for an unknown field.
pub(crate) fn value_type(field: &str) -> Option<ValueType> {
    let (resource, name) = field.split_once('.')?;
    match resource {
        "campaign" => campaign(name),
        "campaign_budget" => budget(name),
        "ad_group" => ad_group(name),
        "ad_group_ad" => ad_group_ad(name),
        "customer" => customer(name),
        "customer_client" => match name {
            "client_customer" => Some(ValueType::Text),
            "level" => Some(ValueType::Int),
            "hidden" => Some(ValueType::Bool),
            shared => customer(shared),
        },
        "currency_constant" => match name {
            "resource_name" | "code" => Some(ValueType::Text),
            "billable_unit_micros" => Some(ValueType::Int),
            _ => None,
        },
        "metrics" => match name {
            "cost_micros" | "impressions" | "clicks" => Some(ValueType::Int),
            "conversions" | "conversions_value" => Some(ValueType::Double),
            _ => None,
        },
        "segments" => (field == SEGMENT_DATE).then_some(ValueType::Date),
        _ => None,
    }
}

fn campaign(name: &str) -> Option<ValueType> {
    Some(match name {
        "id" => ValueType::Int,
        "resource_name" | "name" | "campaign_budget" | "base_campaign" => ValueType::Text,
        "start_date_time" | "end_date_time" => ValueType::DateTime,
        "status" => ValueType::Enum(&enums::CAMPAIGN_STATUS),
        "primary_status" => ValueType::Enum(&enums::PRIMARY_STATUS),
        "primary_status_reasons" => ValueType::Repeated,
        "serving_status" => ValueType::Enum(&enums::SERVING_STATUS),
        "advertising_channel_type" => ValueType::Enum(&enums::CHANNEL_TYPE),
        "advertising_channel_sub_type" => ValueType::Enum(&enums::CHANNEL_SUB_TYPE),
        "bidding_strategy_type" => ValueType::Enum(&enums::STRATEGY_TYPE),
        "experiment_type" => ValueType::Enum(&enums::EXPERIMENT_TYPE),
        "contains_eu_political_advertising" => ValueType::Enum(&enums::EU_POLITICAL),
        "target_spend.target_spend_micros"
        | "target_spend.cpc_bid_ceiling_micros"
        | "maximize_conversions.target_cpa_micros"
        | "target_cpa.target_cpa_micros" => ValueType::Int,
        "missing_eu_political_advertising_declaration"
        | "manual_cpc.enhanced_cpc_enabled"
        | "network_settings.target_google_search"
        | "network_settings.target_search_network"
        | "network_settings.target_content_network"
        | "network_settings.target_partner_search_network"
        | "network_settings.target_youtube"
        | "network_settings.target_google_tv_network" => ValueType::Bool,
        _ => return None,
    })
}

fn ad_group(name: &str) -> Option<ValueType> {
    Some(match name {
        "id" => ValueType::Int,
        "resource_name" | "name" => ValueType::Text,
        "status" => ValueType::Enum(&enums::AD_GROUP_STATUS),
        _ => return None,
    })
}

fn ad_group_ad(name: &str) -> Option<ValueType> {
    Some(match name {
        "ad.id" => ValueType::Int,
        "resource_name" | "ad_group" | "ad.resource_name" | "ad.name" => ValueType::Text,
        "status" => ValueType::Enum(&enums::AD_STATUS),
        "primary_status" => ValueType::Enum(&enums::AD_PRIMARY_STATUS),
        "primary_status_reasons" | "policy_summary.policy_topic_entries" => ValueType::Repeated,
        "policy_summary.review_status" => ValueType::Enum(&enums::REVIEW_STATUS),
        "policy_summary.approval_status" => ValueType::Enum(&enums::APPROVAL_STATUS),
        _ => return None,
    })
}

fn budget(name: &str) -> Option<ValueType> {
    Some(match name {
        "id" | "amount_micros" | "total_amount_micros" | "reference_count" => ValueType::Int,
        "resource_name" | "name" => ValueType::Text,
        "explicitly_shared" => ValueType::Bool,
        "period" => ValueType::Enum(&enums::BUDGET_PERIOD),
        "delivery_method" => ValueType::Enum(&enums::DELIVERY_METHOD),
        "status" => ValueType::Enum(&enums::BUDGET_STATUS),
        "type" => ValueType::Enum(&enums::BUDGET_TYPE),
        _ => return None,
    })
}

fn customer(name: &str) -> Option<ValueType> {
    Some(match name {
        "id" => ValueType::Int,
        "resource_name" | "descriptive_name" | "currency_code" | "time_zone" => ValueType::Text,
        "manager" | "test_account" => ValueType::Bool,
        "status" => ValueType::Enum(&enums::CUSTOMER_STATUS),
        _ => return None,
    })
}
