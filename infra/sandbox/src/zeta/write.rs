//! Creates and updates campaigns, and validates the rules beyond the schema.
//!
//! Reddit Ads API v3 reference: "Create Campaign", "Update Campaign".

use super::accounts::Account;
use super::campaign::{Campaign, DeliveredHours};
use super::error::ApiError;
use serde_json::{Map, Value};

/// The time in seconds that a campaign must stay archived before it can be deleted.
const MIN_ARCHIVED_S: i64 = 3 * 3600;

/// The properties that belong to the budget. With budget optimization they are the campaign's, otherwise its
/// ad groups'.
const BUDGET: &[&str] = &[
    "goal_type",
    "goal_value",
    "start_time",
    "end_time",
    "bid_strategy",
    "bid_type",
    "bid_value",
    "conversion_pixel_id",
    "optimization_goal",
];

/// The properties that budget optimization requires.
const REQUIRED: &[&str] = &["goal_type", "goal_value", "start_time", "bid_strategy", "bid_type", "conversion_pixel_id"];

/// Objectives that optimize for an event and therefore need a goal.
const GOAL_OBJECTIVES: &[&str] = &["CONVERSIONS", "LEAD_GENERATION", "VIDEO_VIEWABLE_IMPRESSIONS"];

/// Creates a campaign. The status has no default.
pub(crate) fn create(
    account: &mut Account,
    last_id: &mut i64,
    fields: Map<String, Value>,
    now: i64,
) -> Result<Campaign, ApiError> {
    let id = *last_id + 1;
    let campaign = Campaign { id, fields, created: now, modified: now, archived: None, hours: DeliveredHours::new() };
    require(&campaign, &["name", "objective", "configured_status"])?;
    if campaign.status() == "DELETED" {
        return Err(ApiError::data_field("configured_status", "a new campaign cannot be DELETED"));
    }
    if campaign.has_budget_optimization() {
        require(&campaign, REQUIRED)?;
        if campaign.text("conversion_pixel_id") != account.pixel.as_deref() {
            return Err(ApiError::data_field("conversion_pixel_id", "is not a pixel of the ad account"));
        }
        check_objective(&campaign)?;
    }
    if campaign.text("objective") == Some("APP_INSTALLS") {
        require(&campaign, &["app_id"])?;
    }
    check(&campaign, &campaign.fields, now)?;
    let archived = (campaign.status() == "ARCHIVED").then_some(now);
    let campaign = Campaign { archived, ..campaign };
    *last_id = id;
    account.campaigns.insert(id, campaign.clone());
    Ok(campaign)
}

/// Updates the named properties.
pub(crate) fn update(
    account: &mut Account,
    id: i64,
    changes: Map<String, Value>,
    now: i64,
) -> Result<Campaign, ApiError> {
    let old = account.campaigns.get(&id).ok_or_else(ApiError::not_found)?;
    let mut campaign = Campaign { modified: now, ..old.clone() };
    campaign.fields.extend(changes.clone());
    check_transition(old, campaign.status(), now)?;
    if campaign.has_budget_optimization() {
        require(&campaign, REQUIRED)?;
    }
    check(&campaign, &changes, now)?;
    if campaign.status() == "ARCHIVED" {
        campaign.archived = old.archived.or(Some(now));
    }
    account.campaigns.insert(id, campaign.clone());
    Ok(campaign)
}

fn require(campaign: &Campaign, names: &[&str]) -> Result<(), ApiError> {
    match names.iter().find(|name| !campaign.has(name)) {
        Some(name) => Err(ApiError::data_field(name, "is required")),
        None => Ok(()),
    }
}

/// An archived campaign never delivers again, and can be deleted some hours later.
fn check_transition(old: &Campaign, to: &str, now: i64) -> Result<(), ApiError> {
    let invalid = |why: &str| Err(ApiError::data_field("configured_status", why));
    match (old.status(), to) {
        ("DELETED", _) => invalid("the campaign is deleted"),
        ("ARCHIVED", "ACTIVE" | "PAUSED") => invalid("an archived campaign cannot be delivered again"),
        ("ARCHIVED", "DELETED") if old.archived.is_some_and(|at| now < at + MIN_ARCHIVED_S) => {
            invalid("the campaign was archived less than 3 hours ago")
        }
        ("ACTIVE" | "PAUSED", "DELETED") => invalid("only an archived campaign can be deleted"),
        _ => Ok(()),
    }
}

fn check_objective(campaign: &Campaign) -> Result<(), ApiError> {
    let objective = campaign.text("objective").unwrap_or_default();
    if GOAL_OBJECTIVES.contains(&objective) {
        require(campaign, &["optimization_goal"])?;
    }
    if objective == "CONVERSIONS" { require(campaign, &["view_through_conversion_type"]) } else { Ok(()) }
}

fn check(campaign: &Campaign, changes: &Map<String, Value>, now: i64) -> Result<(), ApiError> {
    if !campaign.has_budget_optimization() {
        return match BUDGET.iter().find(|name| campaign.has(name)) {
            Some(name) => Err(ApiError::data_field(name, "is not allowed without is_campaign_budget_optimization")),
            None => Ok(()),
        };
    }
    check_bid(campaign)?;
    check_times(campaign, changes, now)
}

fn check_bid(campaign: &Campaign) -> Result<(), ApiError> {
    match (campaign.text("bid_strategy"), campaign.has("bid_value")) {
        (Some("BIDLESS"), true) => Err(ApiError::data_field("bid_value", "must be null with BIDLESS")),
        (Some("TARGET_CPX"), false) => Err(ApiError::data_field("bid_value", "is required")),
        _ => Ok(()),
    }
}

/// New times must be in the future; unchanged times may be in the past.
fn check_times(campaign: &Campaign, changes: &Map<String, Value>, now: i64) -> Result<(), ApiError> {
    for name in ["start_time", "end_time"] {
        if changes.contains_key(name) && campaign.time(name).is_some_and(|time| time <= now) {
            return Err(ApiError::data_field(name, "must be in the future"));
        }
    }
    match (campaign.time("start_time"), campaign.time("end_time")) {
        (Some(start), Some(end)) if end <= start => Err(ApiError::data_field("end_time", "must be after start_time")),
        (_, None) if campaign.text("goal_type") == Some("LIFETIME_SPEND") => {
            Err(ApiError::data_field("end_time", "is required"))
        }
        _ => Ok(()),
    }
}
