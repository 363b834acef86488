//! The fields that a query can name, and what can be asked of them.
//!
//! Google Ads API: the field pages of `campaign`, `campaign_budget`, `customer`,
//! `customer_client`, `currency_constant` and `metrics`.

use super::proto::Choice;
use super::schema;

/// The kind of value, which decides the operators and literals that fit.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Kind {
    Int,
    Text,
    /// `yyyy-MM-dd HH:mm:ss`; a bare date is its first second.
    DateTime,
    Bool,
    Enum(&'static Choice),
}

/// The resources that a FROM clause may name, each with those whose fields come along.
const RESOURCES: &[(&str, &[&str])] = &[
    ("campaign", &["campaign", "campaign_budget", "customer", "metrics"]),
    ("campaign_budget", &["campaign_budget", "customer", "metrics"]),
    ("customer", &["customer", "metrics"]),
    ("customer_client", &["customer_client", "customer"]),
    ("currency_constant", &["currency_constant"]),
];

/// The resources whose fields a query on `from` may name; `None` for an unknown one.
pub(crate) fn joined(from: &str) -> Option<&'static [&'static str]> {
    RESOURCES.iter().find(|(name, _)| *name == from).map(|(_, joined)| *joined)
}

/// The kind of a field by its full name; `None` when there is no such field.
pub(crate) fn kind(field: &str) -> Option<Kind> {
    let (resource, name) = field.split_once('.')?;
    match resource {
        "campaign" => campaign(name),
        "campaign_budget" => budget(name),
        "customer" => customer(name),
        "customer_client" => match name {
            "client_customer" => Some(Kind::Text),
            "level" => Some(Kind::Int),
            "hidden" => Some(Kind::Bool),
            shared => customer(shared),
        },
        "currency_constant" => match name {
            "resource_name" | "code" => Some(Kind::Text),
            "billable_unit_micros" => Some(Kind::Int),
            _ => None,
        },
        "metrics" => (name == "cost_micros").then_some(Kind::Int),
        _ => None,
    }
}

fn campaign(name: &str) -> Option<Kind> {
    Some(match name {
        "id" => Kind::Int,
        "resource_name" | "name" | "campaign_budget" | "base_campaign" => Kind::Text,
        "start_date_time" | "end_date_time" => Kind::DateTime,
        "status" => Kind::Enum(&schema::CAMPAIGN_STATUS),
        "primary_status" => Kind::Enum(&schema::PRIMARY_STATUS),
        "serving_status" => Kind::Enum(&schema::SERVING_STATUS),
        "advertising_channel_type" => Kind::Enum(&schema::CHANNEL_TYPE),
        "advertising_channel_sub_type" => Kind::Enum(&schema::CHANNEL_SUB_TYPE),
        "bidding_strategy_type" => Kind::Enum(&schema::STRATEGY_TYPE),
        "experiment_type" => Kind::Enum(&schema::EXPERIMENT_TYPE),
        "contains_eu_political_advertising" => Kind::Enum(&schema::EU_POLITICAL),
        "target_spend.target_spend_micros"
        | "target_spend.cpc_bid_ceiling_micros"
        | "maximize_conversions.target_cpa_micros"
        | "target_cpa.target_cpa_micros" => Kind::Int,
        "missing_eu_political_advertising_declaration"
        | "manual_cpc.enhanced_cpc_enabled"
        | "network_settings.target_google_search"
        | "network_settings.target_search_network"
        | "network_settings.target_content_network"
        | "network_settings.target_partner_search_network"
        | "network_settings.target_youtube"
        | "network_settings.target_google_tv_network" => Kind::Bool,
        _ => return None,
    })
}

fn budget(name: &str) -> Option<Kind> {
    Some(match name {
        "id" | "amount_micros" | "total_amount_micros" | "reference_count" => Kind::Int,
        "resource_name" | "name" => Kind::Text,
        "explicitly_shared" => Kind::Bool,
        "period" => Kind::Enum(&schema::BUDGET_PERIOD),
        "delivery_method" => Kind::Enum(&schema::DELIVERY_METHOD),
        "status" => Kind::Enum(&schema::BUDGET_STATUS),
        "type" => Kind::Enum(&schema::BUDGET_TYPE),
        _ => return None,
    })
}

fn customer(name: &str) -> Option<Kind> {
    Some(match name {
        "id" => Kind::Int,
        "resource_name" | "descriptive_name" | "currency_code" | "time_zone" => Kind::Text,
        "manager" | "test_account" => Kind::Bool,
        "status" => Kind::Enum(&schema::CUSTOMER_STATUS),
        _ => return None,
    })
}
