//! Creates campaigns.
//!
//! Marketing API: Campaign reference, Creating. The default bid strategy is not verified for v26.0.

use super::account::Account;
use super::campaign::{Campaign, Status};
use super::campaign_params::{
    BID_STRATEGIES, STATUSES, budget, budget_sharing, categories, category_countries, check_countries, check_supported,
};
use super::error::GraphError;
use super::params::Params;
use crate::delivery::DeliveredDays;
use jiff::Timestamp;

/// Objectives of new campaigns.
const OBJECTIVES: &[&str] = &[
    "OUTCOME_APP_PROMOTION",
    "OUTCOME_AWARENESS",
    "OUTCOME_ENGAGEMENT",
    "OUTCOME_LEADS",
    "OUTCOME_SALES",
    "OUTCOME_TRAFFIC",
];
/// Objectives that only existing campaigns have.
const LEGACY_OBJECTIVES: &[&str] = &[
    "APP_INSTALLS",
    "BRAND_AWARENESS",
    "CONVERSIONS",
    "EVENT_RESPONSES",
    "LEAD_GENERATION",
    "LINK_CLICKS",
    "LOCAL_AWARENESS",
    "MESSAGES",
    "OFFER_CLAIMS",
    "PAGE_LIKES",
    "POST_ENGAGEMENT",
    "PRODUCT_CATALOG_SALES",
    "REACH",
    "STORE_VISITS",
    "VIDEO_VIEWS",
];
/// Default strategy of a campaign with a budget. Each of its ad sets then needs a bid.
const DEFAULT_BID_STRATEGY: &str = "LOWEST_COST_WITH_BID_CAP";

/// Builds a campaign from the parameters of a call.
pub(crate) fn create(params: &Params, account: &Account, id: u64, now: Timestamp) -> Result<Campaign, GraphError> {
    check_supported(params)?;
    let name = params.required("name")?.to_owned();
    let objective = objective(params)?;
    let special_ad_categories = categories(params)?.ok_or_else(|| GraphError::missing("special_ad_categories"))?;
    let special_ad_category_country = category_countries(params)?.unwrap_or_default();
    check_countries(&special_ad_categories, &special_ad_category_country)?;
    let budget = budget(params, account)?;
    let bid_strategy = params.choice("bid_strategy", BID_STRATEGIES)?;
    let bid_strategy = bid_strategy.or_else(|| budget.map(|_| DEFAULT_BID_STRATEGY));
    Ok(Campaign {
        id,
        name,
        objective: objective.to_owned(),
        status: initial_status(params)?,
        special_ad_categories,
        special_ad_category_country,
        budget,
        bid_strategy: bid_strategy.map(str::to_owned),
        buying_type: params.choice("buying_type", &["AUCTION", "RESERVED"])?.unwrap_or("AUCTION").to_owned(),
        shares_ad_set_budgets: budget_sharing(params, budget)?,
        created: now,
        updated: now,
        delivered: DeliveredDays::new(),
    })
}

fn objective(params: &Params) -> Result<&'static str, GraphError> {
    let known: Vec<&'static str> = OBJECTIVES.iter().chain(LEGACY_OBJECTIVES).copied().collect();
    let objective = params.choice("objective", &known)?.ok_or_else(|| GraphError::missing("objective"))?;
    if LEGACY_OBJECTIVES.contains(&objective) {
        let why = format!("Objective {objective} is invalid. Use one of: {}.", OBJECTIVES.join(", "));
        return Err(GraphError::rule_violation("objective", "Objective is invalid", why));
    }
    Ok(objective)
}

/// Meta does not document the default status. The sandbox takes the dangerous reading: the campaign runs at once, which
/// exposes clients that forget the status.
fn initial_status(params: &Params) -> Result<Status, GraphError> {
    let status = params.choice("status", STATUSES)?.and_then(Status::parse).unwrap_or(Status::Active);
    if status.is_listed_by_default() {
        return Ok(status);
    }
    let why = "A new campaign is either active or paused.";
    Err(GraphError::rule_violation("status", "Status is invalid", why))
}
